import { areEqual } from '../shared/bytes.js'
import type { ProofCell } from './cell.js'
import { demand } from './proof-error.js'
import { readTransaction, type ProvenTransaction, type TransactionId } from './transaction.js'

/** A part of an account's history that is proven down to, but not including, `next`. */
export interface ProvenHistory {
  /** Newest first. */
  transactions: readonly ProvenTransaction[]
  /** The next transaction to ask for; `undefined` when the history is complete down to the end that was asked for. */
  next: TransactionId | undefined
}

/** The part of a history to prove. */
export interface HistoryRange {
  /** The 256 bits of the account's address. */
  account: Uint8Array
  /** A proven transaction, the newest one of the range. */
  newest: TransactionId
  /** A transaction that was proven before: the range ends above it. Absent for the whole history. */
  knownDownTo?: TransactionId | undefined
}

/**
 * Proves transactions of an account, newest first: the first one is proven already, and each one names the hash of the one
 * before. No transaction in between can be hidden or invented. Cells may end before the range does: ask for `next`.
 * @param cells one for each transaction
 * @throws {ProofError} for a gap, a repeated or foreign cell, a cell below the range, and a history that bypasses
 * `knownDownTo`.
 */
export function proveHistory(range: HistoryRange, cells: readonly ProofCell[]): ProvenHistory {
  const { account, newest, knownDownTo } = range
  const transactions: ProvenTransaction[] = []
  let next: TransactionId | undefined = newest
  for (const cell of cells) {
    if (isEnd(next, knownDownTo)) next = undefined
    demand(next !== undefined, 'unexpected_data', 'a transaction is not part of the range')
    const transaction = readTransaction(cell, next)
    const isOwn = areEqual(transaction.account, account)
    demand(isOwn, 'mismatch', 'a transaction belongs to another account')
    const isLater = transaction.previous.lt < transaction.lt
    demand(isLater, 'unexpected_data', 'a transaction is not later than the one before it')
    transactions.push(transaction)
    next = transaction.previous
  }
  return { transactions, next: isEnd(next, knownDownTo) ? undefined : next }
}

/** @throws {ProofError} below the end: the history has passed a transaction that is proven. */
function isEnd(next: TransactionId | undefined, known: TransactionId | undefined): boolean {
  if (next === undefined) return true
  if (known === undefined) return next.lt === 0n
  if (next.lt > known.lt) return false
  const isKnown = next.lt === known.lt && areEqual(next.hash, known.hash)
  demand(isKnown, 'mismatch', 'the history does not contain a transaction proven before')
  return true
}
