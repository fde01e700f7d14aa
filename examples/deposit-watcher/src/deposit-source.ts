import type { RowWatch, RowWatchOptions } from '@tonplug/core/toncenter'
import type { PageOfDeposits } from './deposit.js'

/** A source of deposits: an endless list of rows of the index, and their interpretation. */
export interface DepositSource<Row> {
  /** The key of its stored cursor. A cursor is valid for one filter, so each filter has its own name. */
  name: string
  watch(options: RowWatchOptions): RowWatch<Row>
  read(rows: readonly Row[], signal: AbortSignal): Promise<PageOfDeposits> | PageOfDeposits
}
