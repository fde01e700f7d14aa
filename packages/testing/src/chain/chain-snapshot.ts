import type { Cell } from '@ton/core'
import type { AccountView } from './account-view.js'
import type { ChainBlock } from './block.js'
import type { WaitingMessage } from './ledger.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import type { AccountStates } from './sandbox.js'

/** A chain as it was; for `restore` alone. */
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
