import type { Cell } from '@ton/core'
import type { RecordedTransaction } from './recorded-transaction.js'

/** A message that was not received yet, and the transaction that sent it. */
export interface WaitingMessage {
  message: Cell
  parent: RecordedTransaction | undefined
}
