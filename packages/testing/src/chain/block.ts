import type { RecordedTransaction } from './recorded-transaction.js'

/** A masterchain block; the block of workchain 0 that it refers to has the same seqno. */
export interface ChainBlock {
  seqno: number
  /** Unix seconds. */
  utime: number
  /** Where the logical times of its transactions and messages begin and end; those of blocks in a row do not overlap. */
  startLt: bigint
  endLt: bigint
  /** The one generation of messages that it received, in the order of their logical times. */
  transactions: RecordedTransaction[]
}
