import type { BlockId } from './block-id.js'
import type { TrustedBlock } from './block-links.js'
import type { TransactionId } from './transaction.js'

/** An account of a network. */
export interface NetworkAccount {
  /** The network: −239 for mainnet, −3 for testnet. */
  globalId: number
  /** Canonical. */
  address: string
}

/**
 * Stores the newest proven key block of each network, and the newest proven transaction of each account. Neither goes back,
 * whichever process saves: an older one is ignored.
 */
export interface AnchorStore {
  /** Returns the stored block; `undefined` at first. */
  loadBlock(globalId: number): Promise<BlockId | undefined>
  saveBlock(block: TrustedBlock): Promise<void>
  /** Returns the stored transaction; `undefined` at first. */
  loadTransaction(account: NetworkAccount): Promise<TransactionId | undefined>
  saveTransaction(account: NetworkAccount, transaction: TransactionId): Promise<void>
}
