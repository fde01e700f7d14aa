import {
  beginCell,
  Cell,
  comment,
  external,
  internal,
  loadMessageRelaxed,
  SendMode,
  storeMessageRelaxed,
  toNano,
  type Address,
  type MessageRelaxed,
  type StateInit,
} from '@ton/core'
import type { Chain } from './chain.js'
import { embeddedOf } from './embedded-request.js'
import { encryptedComment } from './encrypted-comment.js'
import { messageCell } from './message-hash.js'
import { MessageRejectedError } from './message-rejected-error.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import type { PaymentRequest } from './payment-request.js'
import { messagesToPay } from './wallet-app.js'
import { walletV3, walletV4, walletV5 } from './wallets.js'

/** The supported versions of wallet contracts. */
export type WalletVersion = 'v3r2' | 'v4' | 'v5'

/** Options of a simulated wallet. */
export interface WalletOptions {
  /** @default 'v5' */
  version?: WalletVersion
  /** Nanocoins from the faucet. @default 100 TON */
  balance?: bigint
  /** Seed of the key; each seed has its own wallet. @default a seed that no wallet of this chain has */
  seed?: number
}

/** A wallet contract on a simulated chain, with its key. Its first message deploys it. */
export interface SimulatedWallet {
  readonly version: WalletVersion
  readonly address: Address
  readonly publicKey: Buffer
  /** The initial state, which deploys the contract. */
  readonly init: StateInit
  /**
   * Signs an external message that sends the given messages, for `chain.send` or `sendBoc`.
   * @param mode the send mode of the messages @default SendMode.PAY_GAS_SEPARATELY
   */
  sign(messages: readonly MessageRelaxed[], mode?: SendMode): Promise<Cell>
  /**
   * Signs and sends an external message. Resolves with the wallet's transaction as soon as it is mined.
   * @throws {MessageRejectedError} when the wallet does not accept the message, or the chain drops it
   */
  send(messages: readonly MessageRelaxed[], mode?: SendMode): Promise<RecordedTransaction>
  /**
   * Pays as a wallet app does. Resolves as `send` does, with the relay's transaction where there is one.
   * @param payment a link (`ton://transfer/…`), the request that an app passes to `sendTransaction` of TON Connect, or an
   * embedded one (`invoice.embedded()`)
   * @throws {Error} when a wallet app would refuse the payment: it has expired, or is for another wallet.
   */
  pay(payment: string | PaymentRequest, options?: PayOptions): Promise<RecordedTransaction>
  /**
   * Opens a connect link of TON Connect, and pays the embedded request. Resolves as `sendTransaction` of TON Connect does with
   * `enableEmbeddedRequest`. A link without a request, or of more than 1,024 characters, only connects.
   * @param link with the parameter `e`: `invoice.embedded()`
   * @throws {Error} as `pay`; with the code 300 when the payer declines.
   */
  connect(link: string, options?: ConnectOptions): Promise<ConnectAnswer>
  /**
   * Signs a payment without sending it, as `signMessage` of TON Connect does (gasless). Only wallets of version 5 can.
   * @param payment as in `pay`
   */
  signMessage(payment: string | PaymentRequest): Promise<SignedMessage>
  /** Sends what another wallet has signed, and pays its fees, as a relay does. Resolves as `send` does. */
  relay(signed: SignedMessage): Promise<RecordedTransaction>
}

/** The result of `signMessage` of TON Connect. */
export interface SignedMessage {
  /** The internal message to the payer's wallet, a bag of cells in base64. */
  internalBoc: string
}

/** Options of a connect link. */
export interface ConnectOptions {
  /** The wallet app does not respond, for example because it was closed. @default false */
  isSilent?: boolean | undefined
  /** The payer does not pay. @default false */
  isDeclined?: boolean | undefined
}

/** The answer to an embedded request, as TON Connect passes it to the page. */
export type ConnectAnswer =
  | {
      hasResponse: true
      /** The external message, a bag of cells in base64. */
      response: { boc: string }
    }
  | {
      hasResponse: false
      /** `dispatched` when the wallet app has received the request. */
      connectResult: { dispatched: boolean }
    }

/** Options of a payment. */
export interface PayOptions {
  /** Links that are paid in the same transaction, as an exchange pays its customers. @default [] */
  batch?: readonly string[] | undefined
  /**
   * A wallet that sends the signed payment in an internal message and pays its fees (gasless). Only wallets of version 5
   * accept that. @default the wallet sends the payment itself
   */
  relay?: SimulatedWallet | undefined
  /**
   * Encrypts the comments of links, as some wallets offer it, so that only the owner of the recipient could read them. Requests of
   * TON Connect contain their comment. @default false
   */
  isCommentEncrypted?: boolean | undefined
}

/** Creates the wallet of a key, without coins. */
export function openWallet(chain: Chain, version: WalletVersion, seed: number): SimulatedWallet {
  const { wallet, keys } = WALLETS[version](seed)
  const { address, init } = wallet

  async function sign(
    messages: readonly MessageRelaxed[],
    sendMode: SendMode = SendMode.PAY_GAS_SEPARATELY,
  ): Promise<Cell> {
    const { status, data } = await chain.account(address)
    const isNew = status !== 'active'
    const body = wallet.createTransfer({
      seqno: isNew ? 0 : seqnoOf(version, data),
      secretKey: keys.secretKey,
      timeout: chain.now + VALID_SECONDS,
      messages: [...messages],
      sendMode,
    })
    return messageCell(external({ to: address, body, ...(isNew && { init }) }))
  }

  async function signForRelay(messages: readonly MessageRelaxed[]): Promise<SignedMessage> {
    if (version !== 'v5') {
      throw new Error(`expected a wallet of version v5, which accepts relays; received ${version}`)
    }
    const { status, data } = await chain.account(address)
    const isNew = status !== 'active'
    const body = walletV5(seed).wallet.createTransfer({
      authType: 'internal',
      seqno: isNew ? 0 : seqnoOf(version, data),
      secretKey: keys.secretKey,
      timeout: chain.now + VALID_SECONDS,
      messages: [...messages],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    })
    const relayed = relayedMessage({ address, init }, { messages, body, isNew })
    const cell = beginCell().store(storeMessageRelaxed(relayed)).endCell()
    return { internalBoc: cell.toBoc().toString('base64') }
  }

  async function send(
    messages: readonly MessageRelaxed[],
    mode?: SendMode,
  ): Promise<RecordedTransaction> {
    return sendAndInclude(chain, await sign(messages, mode))
  }

  async function connect(
    link: string,
    { isSilent = false, isDeclined = false }: ConnectOptions = {},
  ): Promise<ConnectAnswer> {
    const embedded = embeddedOf(link)
    if (embedded === undefined) return { hasResponse: false, connectResult: { dispatched: false } }
    const messages = await messagesToPay(chain, address, embedded, comment)
    if (isDeclined && !isSilent) throw Object.assign(new Error('the payer declined'), { code: 300 })
    const message = await sign(messages)
    if (!isDeclined) await sendAndInclude(chain, message)
    if (isSilent) return { hasResponse: false, connectResult: { dispatched: true } }
    return { hasResponse: true, response: { boc: message.toBoc().toString('base64') } }
  }

  return {
    version,
    address,
    publicKey: keys.publicKey,
    init,
    sign,
    send,
    async pay(payment, { batch = [], relay, isCommentEncrypted = false } = {}) {
      const writeComment = isCommentEncrypted ? encryptedComment : comment
      const messages = await Promise.all(
        [payment, ...batch].map((one) => messagesToPay(chain, address, one, writeComment)),
      )
      if (relay === undefined) return send(messages.flat())
      return relay.relay(await signForRelay(messages.flat()))
    },
    connect,
    signMessage: async (payment) =>
      signForRelay(await messagesToPay(chain, address, payment, comment)),
    relay: ({ internalBoc }) =>
      send([loadMessageRelaxed(Cell.fromBase64(internalBoc).beginParse())]),
  }
}

/** Returns the message with which a relay sends signed messages of a wallet. */
function relayedMessage(
  wallet: Pick<SimulatedWallet, 'address' | 'init'>,
  { messages, body, isNew }: { messages: readonly MessageRelaxed[]; body: Cell; isNew: boolean },
): MessageRelaxed {
  const values = messages.map(({ info }) => (info.type === 'internal' ? info.value.coins : 0n))
  return internal({
    to: wallet.address,
    value: values.reduce((sum, value) => sum + value, RELAY_FEES),
    bounce: true,
    body,
    ...(isNew && { init: wallet.init }),
  })
}

/** Nanocoins for the fees of the payer's wallet. */
const RELAY_FEES = toNano('0.1')

/** Sends an external message. Resolves with its transaction. */
async function sendAndInclude(chain: Chain, message: Cell): Promise<RecordedTransaction> {
  const included = whenIncluded(chain, message)
  try {
    await chain.send(message)
  } catch (error) {
    included.forget()
    throw error
  }
  return included.transaction
}

/** Waits for the transaction of an external message. */
function whenIncluded(chain: Chain, message: Cell) {
  let forget = (): void => undefined
  const transaction = new Promise<RecordedTransaction>((resolve, reject) => {
    const stopBlocks = chain.onBlock(({ transactions }) => {
      const own = transactions.find((one) => one.inMessage?.equals(message) ?? false)
      if (own === undefined) return
      forget()
      resolve(own)
    })
    const stopLosses = chain.onLost((lost) => {
      if (!lost.equals(message)) return
      forget()
      reject(new MessageRejectedError(undefined, ''))
    })
    forget = () => {
      stopBlocks()
      stopLosses()
    }
  })
  // The message may be lost before the caller awaits the promise.
  transaction.catch(() => undefined)
  return { transaction, forget }
}

const VALID_SECONDS = 600

const WALLETS = {
  v3r2: walletV3,
  v4: walletV4,
  // The wrappers are compatible in the used methods.
  v5: walletV5 as unknown as typeof walletV4,
}

/** Reads the seqno, the first field of a wallet; in version 5 it follows one bit. */
function seqnoOf(version: WalletVersion, data: Cell | undefined): number {
  // An active wallet has data.
  const slice = data!.beginParse()
  return slice.skip(version === 'v5' ? 1 : 0).loadUint(32)
}
