import { loadTransaction, type Transaction } from '@ton/core'
import { keepCell, keepWeakly } from './kept-cells.js'
import { messageCells, type RecordedTransaction } from './recorded-transaction.js'

/** Stores the cells and messages of a transaction as bytes. */
export function keepTransaction(
  one: Transaction,
): Pick<RecordedTransaction, 'transaction' | 'inMessage' | 'outMessages'> {
  const raw = keepCell(one.raw)
  const parsed = keepWeakly(() => loadTransaction(raw().beginParse()))
  const cells = keepWeakly(() => messageCells(parsed().raw))
  const hash = Buffer.from(one.hash())
  return {
    transaction: {
      address: one.address,
      lt: one.lt,
      prevTransactionHash: one.prevTransactionHash,
      prevTransactionLt: one.prevTransactionLt,
      now: one.now,
      outMessagesCount: one.outMessagesCount,
      oldStatus: one.oldStatus,
      endStatus: one.endStatus,
      totalFees: one.totalFees,
      stateUpdate: one.stateUpdate,
      description: one.description,
      hash: () => hash,
      get raw() {
        return parsed().raw
      },
      get inMessage() {
        return parsed().inMessage
      },
      get outMessages() {
        return parsed().outMessages
      },
    },
    get inMessage() {
      return cells().inMessage
    },
    get outMessages() {
      return cells().outMessages
    },
  }
}
