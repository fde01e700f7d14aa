import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { knownOf } from './look-up.js'

/** The known part of a trace. */
export interface KnownTrace {
  root: RecordedTransaction
  /** The transactions in order of execution; the first one is the root. */
  transactions: RecordedTransaction[]
  last: RecordedTransaction
  /** Number of messages without a known receiving transaction. */
  pendingMessages: number
}

/** Returns the known part of a trace. */
export function knownTrace(
  root: RecordedTransaction,
  isKnown: (one: RecordedTransaction) => boolean,
): KnownTrace {
  const transactions = knownOf(root, isKnown)
  const sent = transactions.flatMap(({ transaction }) =>
    [...transaction.outMessages.values()].filter(({ info }) => info.type === 'internal'),
  )
  return {
    root,
    transactions,
    // The root is always known.
    last: transactions.at(-1)!,
    pendingMessages: sent.length - (transactions.length - 1),
  }
}
