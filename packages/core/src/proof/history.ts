import { areEqual } from '../shared/bytes.js'
import type { ProofCell } from './cell.js'
import { demand } from './proof-error.js'
import { proveHistory } from './transaction-chain.js'
import type { ProvenTransaction, TransactionId } from './transaction.js'

/** Reads a page of an account's transactions, newest first, that begins with the named one. */
type PageReader = (first: TransactionId) => Promise<readonly ProofCell[]>

/** Pages of one look. */
const MAX_PAGES = 64
/** Transactions in memory for each account. */
const MAX_KEPT = 4096

/** A part of a history without gaps, newest first. */
interface Segment {
  transactions: ProvenTransaction[]
  /** The transaction below; absent at the end. */
  next: TransactionId | undefined
}

/** The proven transactions of an account, from its newest one down. */
export interface History {
  /** Returns the transaction with a logical time; `null` if the account has none, `undefined` if nothing is proven about it. */
  at(lt: bigint): ProvenTransaction | null | undefined
  /**
   * Reads pages from the account's last transaction down to the last proven one, and below that down to a logical time. Each
   * page is kept: the next call continues a history that is too long for one.
   * @param last the last transaction, proven by the account's state
   * @throws {ProofError} when a page is wrong, or the history is too long.
   */
  extend(last: TransactionId, downTo: bigint, read: PageReader): Promise<void>
}

/** Creates an empty history. @param account the 256 bits of its address */
export function createHistory(account: Uint8Array): History {
  let proven: Segment | undefined
  /** Newer transactions that do not reach the proven ones yet. */
  let upper: Segment | undefined
  return {
    at(lt) {
      const known = [...(upper?.transactions ?? []), ...(proven?.transactions ?? [])]
      const found = known.find((one) => one.lt === lt)
      const newest = proven?.transactions[0]
      if (found !== undefined || newest === undefined || lt > newest.lt) return found
      return (proven?.next?.lt ?? 0n) < lt ? null : undefined
    },
    async extend(last, downTo, read) {
      const pages = createPages(account, read)
      const newest = proven?.transactions[0]
      if (proven === undefined || newest === undefined) proven = { transactions: [], next: last }
      else if (isAbove(last, newest)) {
        upper ??= { transactions: [], next: last }
        while (upper.next !== undefined && upper.transactions.length < MAX_KEPT) {
          await pages.readInto(upper, newest)
        }
        const reachesProven = upper.next === undefined
        // More new transactions than are kept: the state alone proves them.
        proven = reachesProven ? join(upper, proven) : upper
        upper = undefined
      }
      while (proven.next !== undefined && proven.next.lt >= downTo) await pages.readInto(proven)
      const [dropped] = proven.transactions.splice(MAX_KEPT)
      if (dropped !== undefined) proven.next = { hash: dropped.hash, lt: dropped.lt }
    },
  }
}

function join(upper: Segment, { transactions, next }: Segment): Segment {
  return { transactions: [...upper.transactions, ...transactions], next }
}

/** @throws {ProofError} when the proven transaction is not part of the account's history. */
function isAbove(last: TransactionId, newest: TransactionId): boolean {
  const isLost = last.lt < newest.lt || (last.lt === newest.lt && !areEqual(last.hash, newest.hash))
  demand(!isLost, 'mismatch', 'the account does not have a transaction proven before')
  return last.lt > newest.lt
}

function createPages(account: Uint8Array, read: PageReader) {
  let count = 0
  return {
    /** Reads a page. Its transactions below the end are proven already. */
    async readInto(segment: Segment, knownDownTo?: TransactionId): Promise<void> {
      demand(count++ < MAX_PAGES, 'not_covered', 'the history is long; the next look continues')
      const cells = await read(segment.next as TransactionId)
      for (const cell of cells) {
        const newest = segment.next
        if (newest === undefined) return
        const page = proveHistory({ account, newest, knownDownTo }, [cell])
        segment.transactions.push(...page.transactions)
        segment.next = page.next
      }
    },
  }
}
