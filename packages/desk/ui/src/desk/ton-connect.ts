import {
  BadRequestError,
  toUserFriendlyAddress,
  TonConnect,
  UnknownAppError,
  UserRejectsError,
  WalletNotSupportFeatureError,
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

/** The side of the page during a signature. */
interface SigningPage {
  signal: AbortSignal
  onStep: (signing: Signing) => void
  /** Records that the wallet is about to get the request. A rejection says why it may not. */
  beforeRequest: () => Promise<void>
}

/** Asks a wallet to sign a request and to send it, once. Ends with `signed`, `failed` or `unclear`; never rejects. */
export async function signRequest(
  { manifestUrl, bridges }: DeskTonConnect,
  request: RefundToSign['request'],
  { signal, onStep, beforeRequest }: SigningPage,
): Promise<void> {
  const connector = new TonConnect({
    manifestUrl,
    storage: createStorage(),
    walletsListSource: NO_WALLETS,
    analytics: { mode: 'off' },
  })
  const { network, messages, ...fields } = request
  connector.setConnectionNetwork(network)
  let mayBeSent = false
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
    await beforeRequest()
    if (signal.aborted) return
    onStep({ step: 'confirm' })
    mayBeSent = true
    await connector.sendTransaction(
      { ...fields, messages, ...(network && { network }) },
      { signal },
    )
    onStep({ step: 'signed' })
  } catch (error) {
    if (signal.aborted) return
    onStep(failureOf(error, mayBeSent))
  } finally {
    if (connector.connected) connector.disconnect().catch(() => undefined)
  }
}

/**
 * Answers with the codes 1 and 100, and a wallet that gets no request because it lacks the method. The SDK has no class for the
 * code 400: like an error of the bridge, it may follow a signature.
 */
const REFUSALS = [BadRequestError, UnknownAppError, WalletNotSupportFeatureError]

function failureOf(error: unknown, mayBeSent: boolean): Signing {
  if (error instanceof UserRejectsError) {
    return { step: 'failed', reason: 'It was declined in the wallet.' }
  }
  const isRefusal = REFUSALS.some((Refusal) => error instanceof Refusal)
  if (mayBeSent && !isRefusal) return { step: 'unclear' }
  const reason = error instanceof Error ? error.message : String(error)
  return { step: 'failed', reason: isRefusal ? `The wallet refused it: ${reason}` : reason }
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
