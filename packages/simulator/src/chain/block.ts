import type { RecordedTransaction } from './recorded-transaction.js'

/** A masterchain block. The block of workchain 0 that it refers to has the same seqno. */
export interface ChainBlock {
  seqno: number
  /** Unix seconds. */
  utime: number
  /** Bounds of the logical times of its transactions and messages. The bounds of two blocks do not overlap. */
  startLt: bigint
  endLt: bigint
  /** The transactions, in order of logical time. A message that one of them sends is received in the next block. */
  transactions: RecordedTransaction[]
}
