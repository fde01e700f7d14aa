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
  newest: TransactionId
  transactions: ProvenTransaction[]
  /** The transaction below; absent at the end. */
  next: TransactionId | undefined
}

/** The proven transactions of an account, from its newest one down. */
export interface History {
  /** The newest proven transaction; absent at first. */
  readonly newest: TransactionId | undefined
  /** Returns the transaction with a logical time; `null` if the account has none, `undefined` if nothing is proven about it. */
  at(lt: bigint): ProvenTransaction | null | undefined
  /**
   * Reads pages: from the account's last transaction down to the newest proven one, if a wanted time is above it, and below
   * that down to the wanted times. Each page is kept: the next call continues a history that is too long for one.
   * @param last the last transaction, proven by the account's state
   * @throws {ProofError} when a page is wrong, or the history is too long.
   */
  extend(last: TransactionId, wanted: readonly bigint[], read: PageReader): Promise<void>
}

/**
 * Creates a history.
 * @param account the 256 bits of its address
 * @param known a transaction that was proven before, for example by another process: the history continues there
 */
export function createHistory(account: Uint8Array, known?: TransactionId): History {
  let proven = known && startAt(known)
  /** Newer transactions that do not reach the proven ones yet. */
  let upper: Segment | undefined
  return {
    get newest() {
      return proven?.newest
    },
    at(lt) {
      const isSame = (one: ProvenTransaction): boolean => one.lt === lt
      const found = upper?.transactions.find(isSame) ?? proven?.transactions.find(isSame)
      if (found !== undefined || proven === undefined || lt > proven.newest.lt) return found
      return (proven.next?.lt ?? 0n) < lt ? null : undefined
    },
    async extend(last, wanted, read) {
      proven ??= startAt(last)
      const { newest } = proven
      const isLost = last.lt === newest.lt ? !areEqual(last.hash, newest.hash) : last.lt < newest.lt
      demand(!isLost, 'mismatch', 'the account does not have a transaction proven before')
      const readInto = createPages(account, read)
      if (last.lt > newest.lt && wanted.some((lt) => lt > newest.lt)) {
        upper ??= startAt(last)
        while (upper.next !== undefined && upper.transactions.length < MAX_KEPT) {
          await readInto(upper, newest)
        }
        if (upper.next === undefined) {
          upper.transactions.push(...proven.transactions)
          upper.next = proven.next
        }
        // Otherwise there are more new transactions than are kept: the state alone proves them.
        proven = upper
        upper = undefined
      }
      const isWanted = ({ lt }: TransactionId): boolean => wanted.some((one) => one <= lt)
      while (proven.next !== undefined && isWanted(proven.next)) await readInto(proven)
      const [dropped] = proven.transactions.splice(MAX_KEPT)
      if (dropped !== undefined) proven.next = { hash: dropped.hash, lt: dropped.lt }
    },
  }
}

function startAt(newest: TransactionId): Segment {
  return { newest, transactions: [], next: newest }
}

/** Returns a reader of a page into a segment. Transactions below the end are proven already. */
function createPages(account: Uint8Array, read: PageReader) {
  let count = 0
  return async (segment: Segment, knownDownTo?: TransactionId): Promise<void> => {
    demand(count++ < MAX_PAGES, 'not_covered', 'the history is long; the next look continues')
    const cells = await read(segment.next as TransactionId)
    for (const cell of cells) {
      const newest = segment.next
      if (newest === undefined) return
      const page = proveHistory({ account, newest, knownDownTo }, [cell])
      segment.transactions.push(...page.transactions)
      segment.next = page.next
    }
  }
}
