import { Cell, loadTransaction, type Transaction } from '@ton/core'
import { messageCells, type RecordedTransaction } from './recorded-transaction.js'

/** A cell that is kept as bytes, a tenth of what it takes when it is parsed, and parsed whenever it is asked for. */
export function keepCell(cell: Cell): () => Cell {
  // A copy, since what the cell was written into is larger.
  const bytes = Buffer.from(cell.toBoc())
  // A bag of cells that was just made has a root.
  return keepWeakly(() => Cell.fromBoc(bytes)[0]!)
}

/** A transaction whose cells, and messages, are kept as bytes. */
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

/** Makes a thing again when the last one is gone. */
function keepWeakly<Thing extends object>(make: () => Thing): () => Thing {
  let last: WeakRef<Thing> | undefined
  return () => {
    const known = last?.deref()
    if (known !== undefined) return known
    const made = make()
    last = new WeakRef(made)
    return made
  }
}
