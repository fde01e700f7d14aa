import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'
import { isSettled, transactionsOf } from './trace-transactions.js'

/**
 * How far a message has come. `unseen`: the index does not have it. `pending`: a part of its trace is a forecast.
 * `confirmed`: all of it is in blocks that are not yet final. `landed`: its first transaction is in a final block, and
 * what that caused goes on. `finalized`: so is all that it caused, and the index has told all of that. Nothing is
 * settled before it is `landed`: until then it can go back to `unseen`.
 */
export type MessageStatus = 'unseen' | 'pending' | 'confirmed' | 'landed' | 'finalized'

/**
 * How far a trace has come, from what its transactions say of themselves.
 * @param isForecast whether it is from the list of pending traces, where nothing is final
 */
export function statusOf(trace: Trace, isForecast: boolean): Exclude<MessageStatus, 'unseen'> {
  const transactions = transactionsOf(trace)
  const finalities = transactions.map((one) => finalityOf(one, isForecast))
  if (isForecast) {
    const isConfirmed = finalities.length > 0 && !finalities.includes('pending') && isSettled(trace)
    return isConfirmed ? 'confirmed' : 'pending'
  }
  const isFinal = finalities.every((one) => one === 'finalized')
  if (isFinal && isSettled(trace)) return 'finalized'
  // One that is too large for an answer comes without transactions, and is not a forecast.
  if (finalities[0] === undefined || finalities[0] === 'finalized') return 'landed'
  return isSettled(trace) && !finalities.includes('pending') ? 'confirmed' : 'pending'
}

/** Servers before the middle of 2026 do not tell it. */
function finalityOf({ finality, emulated }: Transaction, isForecast: boolean): string {
  return finality ?? (isForecast || emulated === true ? 'pending' : 'finalized')
}
