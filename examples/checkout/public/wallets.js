import { getJson, postJson } from './requests.js'

let tonConnect

/** Connects a wallet of the buyer. TON Connect is loaded here, since it contacts the wallets of wallets.json. */
export async function connectWallet() {
  tonConnect ??= await loadTonConnect()
  await tonConnect.connectionRestored
  if (!tonConnect.connected) await tonConnect.connectWallet()
  return {
    address: tonConnect.account.address,
    send: (request) => tonConnect.sendTransaction(request),
  }
}

async function loadTonConnect() {
  // A script, not a module: it sets a global variable.
  await import('/vendor/tonconnect-ui.js')
  const { TonConnect, TonConnectUI } = globalThis.TON_CONNECT_UI
  const connector = new TonConnect({
    manifestUrl: `${location.origin}/tonconnect-manifest.json`,
    walletsListSource: '/wallets.json',
    analytics: { mode: 'off' },
  })
  return new TonConnectUI({ connector })
}

/** Returns the wallet on the simulated chain. It also takes links, as a phone does. */
export async function openTestWallet() {
  const { address } = await getJson('/test-wallet')
  return { address, send: (payment) => postJson('/test-wallet/payments', { payment }) }
}
