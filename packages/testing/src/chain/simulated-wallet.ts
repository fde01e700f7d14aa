import {
  external,
  SendMode,
  type Address,
  type Cell,
  type MessageRelaxed,
  type StateInit,
} from '@ton/core'
import type { Chain } from './chain.js'
import { messageCell } from './message-hash.js'
import { MessageRejectedError } from './message-rejected-error.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import { walletV3, walletV4, walletV5 } from './wallets.js'

/** The versions of wallets. */
export type WalletVersion = 'v3r2' | 'v4' | 'v5'

/** How a wallet of a simulator begins. */
export interface WalletOptions {
  /** @default 'v5' */
  version?: WalletVersion
  /** Nanocoins from the faucet. @default 100 TON */
  balance?: bigint
  /** Of its key: another number, another wallet. @default one that no wallet of this simulator has */
  seed?: number
}

/** A wallet contract on a simulated chain, and the key for it. Its first message deploys it. */
export interface SimulatedWallet {
  readonly version: WalletVersion
  readonly address: Address
  readonly publicKey: Buffer
  /** What deploys it. */
  readonly init: StateInit
  /**
   * Signs a message from outside that sends messages, for `chain.send` or `sendBoc`.
   * @param mode how the wallet sends them @default SendMode.PAY_GAS_SEPARATELY
   */
  sign(messages: readonly MessageRelaxed[], mode?: SendMode): Promise<Cell>
  /**
   * Signs a message and sends it. Resolves with the wallet's transaction once it is in a block: at once, or, of a
   * chain that is holding, when that is mined.
   * @throws {MessageRejectedError} when the wallet does not accept it, or the chain has lost it
   */
  send(messages: readonly MessageRelaxed[], mode?: SendMode): Promise<RecordedTransaction>
}

/** Opens the wallet of a key. It has no coins. */
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

  return {
    version,
    address,
    publicKey: keys.publicKey,
    init,
    sign,
    async send(messages, mode) {
      const message = await sign(messages, mode)
      const included = whenIncluded(chain, message)
      try {
        await chain.send(message)
      } catch (error) {
        included.forget()
        throw error
      }
      return included.transaction
    },
  }
}

/** The transaction that a message from outside makes, from now on. */
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
  // It may be lost while it is being sent.
  transaction.catch(() => undefined)
  return { transaction, forget }
}

const VALID_SECONDS = 600

const WALLETS = {
  v3r2: walletV3,
  v4: walletV4,
  // The wrappers are alike in what is used of them here.
  v5: walletV5 as unknown as typeof walletV4,
}

/** The seqno is the first that a wallet keeps, behind a bit in version 5. */
function seqnoOf(version: WalletVersion, data: Cell | undefined): number {
  // An active wallet has data.
  const slice = data!.beginParse()
  return slice.skip(version === 'v5' ? 1 : 0).loadUint(32)
}
