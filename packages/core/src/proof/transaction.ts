import { areEqual } from '../shared/bytes.js'
import { hashOf, type ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { readMessage, type ProvenMessage } from './message.js'
import { demand } from './proof-error.js'

/** The place of a transaction in the history of its account. */
export interface TransactionId {
  hash: Uint8Array
  lt: bigint
}

/** A transaction, read from its cell: nothing of it comes from an index. */
export interface ProvenTransaction extends TransactionId {
  /** The 256 bits of the account's address; its workchain is not part of the cell. */
  account: Uint8Array
  /** The transaction of the account before it; `lt` is 0 for the first one. */
  previous: TransactionId
  /** Unix seconds. */
  utime: number
  /** Number of messages that it sent: they have the logical times after `lt`. */
  sentCount: number
  /** The message that caused it, if any. */
  message?: ProvenMessage | undefined
  description: TransactionDescription
}

/**
 * Outcome of a transaction. Other than ordinary ones carry no payments, for example ticks of system contracts.
 * `isAborted` is also true for an account without a contract, which keeps the money unless it is returned.
 */
export type TransactionDescription =
  | {
      kind: 'ordinary'
      isAborted: boolean
      /** The contract's code ran to its end, and its actions were made. */
      isExecuted: boolean
      /** The money was returned to the sender, or its return was attempted. */
      hasBouncePhase: boolean
    }
  | { kind: 'other' }

/**
 * Reads a transaction from its cell, with the hash that is proven.
 * @throws {ProofError} for another hash, for withheld parts, and for any other cell.
 */
export function readTransaction(cell: ProofCell, expected: TransactionId): ProvenTransaction {
  // A pruned part would keep the hash, and lose its content.
  demand(cell.levelMask === 0, 'not_covered', 'parts of the transaction are withheld')
  const isExpected = areEqual(hashOf(cell), expected.hash)
  demand(isExpected, 'mismatch', 'the transaction has another hash than the proven one')
  const transaction = parse(cell)
  const { lt } = transaction
  demand(
    lt === expected.lt,
    'mismatch',
    `the transaction has the logical time ${lt}; expected ${expected.lt}`,
  )
  return transaction
}

function parse(cell: ProofCell): ProvenTransaction {
  const slice = new CellSlice(cell)
  slice.tag(0b0111, 4, 'a transaction')
  const account = slice.bytes(32)
  const lt = slice.bigUint(64)
  const previous = { hash: slice.bytes(32), lt: slice.bigUint(64) }
  const utime = slice.uint(32)
  const sentCount = slice.uint(15)
  // The account's status before and after.
  slice.skip(2 + 2)
  const messages = slice.open()
  const received = messages.maybeRef()
  slice.currencies()
  slice.ref()
  const description = readDescription(slice.open())
  slice.end()
  const message = received === undefined ? undefined : readMessage(received)
  return { hash: hashOf(cell), account, lt, previous, utime, sentCount, message, description }
}

function readDescription(slice: CellSlice): TransactionDescription {
  if (slice.uint(4) !== 0) return { kind: 'other' }
  // Whether the credit precedes the storage phase.
  slice.skip(1)
  if (slice.bit()) skipStoragePhase(slice)
  if (slice.bit()) skipCreditPhase(slice)
  const isComputed = readComputePhase(slice)
  const action = slice.maybeRef()
  const isAborted = slice.bit()
  const hasBouncePhase = slice.bit()
  const isExecuted = !isAborted && isComputed && action !== undefined && new CellSlice(action).bit()
  return { kind: 'ordinary', isAborted, isExecuted, hasBouncePhase }
}

/** Collected and due fees, and a change of the account's status: `0`, `10` or `11`. */
function skipStoragePhase(slice: CellSlice): void {
  slice.coins()
  if (slice.bit()) slice.coins()
  if (slice.bit()) slice.skip(1)
}

function skipCreditPhase(slice: CellSlice): void {
  if (slice.bit()) slice.coins()
  slice.currencies()
}

/** Returns whether the code ran and succeeded. */
function readComputePhase(slice: CellSlice): boolean {
  if (!slice.bit()) {
    // The reason of skipping it: two bits, or three for a suspended account.
    if (slice.uint(2) === 0b11) slice.tag(0, 1, 'a reason of a skipped compute phase')
    return false
  }
  const hasSucceeded = slice.bit()
  slice.skip(2)
  slice.coins()
  slice.ref()
  return hasSucceeded
}
