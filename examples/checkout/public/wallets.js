import { getJson, postJson, Problem } from './requests.js'

let tonConnect

/** The test wallet builds transfers itself. */
const TEST_FEATURES = [{ name: 'SendTransaction', maxMessages: 4, itemTypes: ['ton', 'jetton'] }]

/** Connects a wallet of the buyer. TON Connect is loaded here, since it contacts the wallets of wallets.json. */
export async function connectWallet() {
  tonConnect ??= await loadTonConnect()
  await tonConnect.connectionRestored
  if (!tonConnect.connected) {
    await tonConnect.connectWallet().catch(() => {
      throw new Problem('connection')
    })
  }
  const { account, device } = tonConnect.wallet
  return {
    address: account.address,
    // Version 2 of TON Connect UI refuses items. Version 3 has them, and signMessage.
    features: 'signMessage' in tonConnect ? device.features : [],
    send: (request) => tonConnect.sendTransaction(request),
  }
}

/** Returns true when the buyer has declined in the wallet. Errors of this version of TON Connect have no code. */
export function isRefusal(error) {
  const { UserRejectsError } = globalThis.TON_CONNECT_UI ?? {}
  return UserRejectsError !== undefined && error instanceof UserRejectsError
}

async function loadTonConnect() {
  // A script, not a module: it sets a global variable.
  await import('/vendor/tonconnect-ui.js').catch(() => {
    throw new Problem('tryAgain')
  })
  const { TonConnect, TonConnectUI } = globalThis.TON_CONNECT_UI
  const connector = new TonConnect({
    manifestUrl: `${location.origin}/tonconnect-manifest.json`,
    walletsListSource: '/wallets.json',
    analytics: { mode: 'off' },
  })
  // The languages that it has.
  const language = document.documentElement.lang === 'ru' ? 'ru' : 'en'
  return new TonConnectUI({ connector, language })
}

/** Returns the wallet on the simulated chain. It also takes links, as a phone does. */
export async function openTestWallet() {
  const { address } = await getJson('/test-wallet')
  const send = (payment) => postJson('/test-wallet/payments', { payment })
  return { address, features: TEST_FEATURES, send }
}
