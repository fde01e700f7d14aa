import {
  toUserFriendlyAddress,
  TonConnect,
  UserRejectsError,
  type IStorage,
  type Wallet,
} from '@tonconnect/sdk'
import type { DeskTonConnect, RefundToSign } from '../../../src/api.js'

/** Progress of a signature. */
export type Signing =
  /** A wallet app opens the link, also from a QR code. */
  | { step: 'connect'; link: string }
  /** The wallet shows the request. */
  | { step: 'confirm' }
  | { step: 'signed' }
  /** Nothing was signed. */
  | { step: 'failed'; reason: string }
  /** The wallet has the request, and may have signed it. */
  | { step: 'unclear' }

const TESTNET = '-3'
/** The SDK would load the public list of wallets. */
const NO_WALLETS = new URL('./wallets.json', import.meta.url).href

/** Asks a wallet to sign a request and to send it, once. Ends with `signed`, `failed` or `unclear`; never rejects. */
export async function signRequest(
  { manifestUrl, bridges }: DeskTonConnect,
  request: RefundToSign['request'],
  { signal, onStep }: { signal: AbortSignal; onStep: (signing: Signing) => void },
): Promise<void> {
  const connector = new TonConnect({
    manifestUrl,
    storage: createStorage(),
    walletsListSource: NO_WALLETS,
    analytics: { mode: 'off' },
  })
  const { network, messages, ...fields } = request
  connector.setConnectionNetwork(network)
  let isSent = false
  try {
    const connected = whenConnected(connector)
    const sources = bridges.map((bridgeUrl) => ({ bridgeUrl }))
    onStep({ step: 'connect', link: connector.connect(sources, { signal }) })
    const { account } = await connected
    if (account.address !== request.from) {
      const shown = toUserFriendlyAddress(account.address, network === TESTNET)
      onStep({ step: 'failed', reason: `The wallet has another address: ${shown}.` })
      return
    }
    onStep({ step: 'confirm' })
    await connector.sendTransaction(
      { ...fields, messages, ...(network && { network }) },
      { signal, onRequestSent: () => void (isSent = true) },
    )
    onStep({ step: 'signed' })
  } catch (error) {
    if (signal.aborted) return
    onStep(failureOf(error, isSent))
  } finally {
    if (connector.connected) connector.disconnect().catch(() => undefined)
  }
}

function failureOf(error: unknown, isSent: boolean): Signing {
  if (error instanceof UserRejectsError) {
    return { step: 'failed', reason: 'It was declined in the wallet.' }
  }
  if (isSent) return { step: 'unclear' }
  const reason = error instanceof Error ? error.message : String(error)
  return { step: 'failed', reason }
}

function whenConnected(connector: TonConnect): Promise<Wallet> {
  return new Promise((resolve, reject) => {
    connector.onStatusChange((wallet) => {
      if (wallet !== null) resolve(wallet)
    }, reject)
  })
}

/** The keys of a session are needed once, and never stored. */
function createStorage(): IStorage {
  const items = new Map<string, string>()
  return {
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => void items.set(key, value),
    removeItem: async (key) => void items.delete(key),
  }
}
