import type { RowFollow, RowFollowOptions } from '@tonplug/core'
import type { PageOfDeposits } from './deposit.js'

/** Where deposits come from: a follow of the index, and what its rows mean. */
export interface DepositSource<Row> {
  /** The name that its cursor is stored under. Another filter has another name: a cursor is good for its filter alone. */
  name: string
  follow(options: RowFollowOptions): RowFollow<Row>
  read(rows: readonly Row[], signal: AbortSignal): Promise<PageOfDeposits> | PageOfDeposits
}
