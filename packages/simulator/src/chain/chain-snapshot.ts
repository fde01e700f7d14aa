import type { Cell } from '@ton/core'
import type { AccountView } from './account-view.js'
import type { ChainBlock } from './block.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import type { AccountStates } from './sandbox.js'
import type { WaitingMessage } from './waiting-message.js'

/** A saved state of a chain, for `restore`. */
export interface ChainSnapshot {
  readonly now: number
  readonly lt: bigint
  readonly accounts: AccountStates
  readonly views: ReadonlyMap<string, AccountView>
  readonly blocks: readonly ChainBlock[]
  readonly transactions: readonly RecordedTransaction[]
  readonly waiting: readonly WaitingMessage[]
  readonly pool: readonly Cell[]
}
