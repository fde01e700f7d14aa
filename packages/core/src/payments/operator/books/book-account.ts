import { unlessNotFound } from '../../../toncenter/chain/find-trace.js'
import { parseTrace } from '../../../toncenter/chain/parse-trace.js'
import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'
import type { CheckedInbox } from '../../inbox/checked-inbox.js'
import type { StoredCredit } from '../../inbox/inbox-credits.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import type { OperatorReader } from '../context.js'
import type { AccountBalance, BookedTo } from './balance-result.js'
import {
  addAlarm,
  addMovement,
  closeBooking,
  findHold,
  isBookedToEnd,
  missingTransaction,
  openBooking,
  type Booking,
} from './booking.js'
import { readChainState } from './chain-state.js'
import { jettonMovement } from './jetton-movement.js'
import { createCreditReader, type BookedAccount, type CreditReader } from './ledger-credits.js'
import { namedRefund, type NamedRefund } from '../../ledger/named-refund.js'
import type { Movement } from './movement.js'
import { nativeMovement } from './native-movement.js'

/** Transactions in one response: the limit of the index. */
const PAGE_SIZE = 1000
/** Credits of the last seconds may be later than the last transaction that was read. */
const GRACE_SECONDS = 60

/** A wallet, and the sources of its books. */
export interface Books {
  wallet: string
  inbox: CheckedInbox
  v3: OperatorReader
  /** Time of the newest block before anything was read, Unix seconds. */
  head: number
}

/** A refund, and the transaction that has sent it. */
interface SentRefund extends NamedRefund {
  sentIn: string
}

/** The credits of an account that are compared with its transactions. */
interface Matching {
  reader: CreditReader
  /** Credits of the current second whose transaction was not booked yet. */
  waiting: StoredCredit[]
}

/**
 * Books an account along its own chain of transactions, page by page, and compares the result with the ledger.
 * @param from the last transaction that an earlier call has booked
 */
export async function bookAccount(
  books: Books,
  account: BookedAccount,
  from: BookedTo | undefined,
): Promise<AccountBalance> {
  const { inbox, wallet } = books
  const booking = openBooking(account, await readChainState(books.v3, account), from)
  const reader = createCreditReader(inbox, { ...account, wallet, from: from?.utime ?? 0 })
  const matching = { reader, waiting: [] }
  await bookChain(books, booking, matching)
  if (booking.hold === undefined) await findMissing(books, booking, matching)
  return closeBooking(booking)
}

async function bookChain(books: Books, booking: Booking, matching: Matching): Promise<void> {
  const { account, from, state } = booking
  const { last } = state
  if (last !== undefined && last.lt > (from?.lt ?? 0n)) {
    const start = from && { start_lt: from.lt + 1n }
    const bounds = { account: [account], ...start, end_lt: last.lt, sort: 'asc' } as const
    const pages = books.v3.transactions.paginate(bounds, { pageSize: PAGE_SIZE }).pages()
    for await (const rows of pages) {
      await bookPage(books, booking, { rows, matching })
      if (booking.hold !== undefined) return
    }
  }
  if (!isBookedToEnd(booking)) booking.hold = missingTransaction(booking.bookedTo)
}

async function bookPage(
  books: Books,
  booking: Booking,
  { rows, matching }: { rows: readonly Transaction[]; matching: Matching },
): Promise<void> {
  const read = booking.asset === NATIVE_ASSET ? nativeMovement : jettonMovement
  const refunds: SentRefund[] = []
  for (const row of rows) {
    booking.hold = findHold(booking, row)
    if (booking.hold !== undefined) break
    const movement = read(row)
    addMovement(booking, row, movement)
    await matchCredits(booking, matching, { row, movement })
    const sentIn = canonicalTransactionHash(row.hash)
    refunds.push(...movement.refunds.map((refund) => ({ ...refund, sentIn })))
  }
  await addRefunds(books, booking, refunds)
}

/** Adds the credits of a transaction, and finds transactions of earlier seconds without credits. */
async function matchCredits(
  booking: Booking,
  matching: Matching,
  { row, movement }: { row: Transaction; movement: Movement },
): Promise<void> {
  const txHash = canonicalTransactionHash(row.hash)
  for (;;) {
    const next = await matching.reader.next(row.now)
    if (next === undefined) break
    matching.waiting.push(next)
  }
  const own = matching.waiting.filter((credit) => credit.txHash === txHash)
  const others = matching.waiting.filter((credit) => credit.txHash !== txHash)
  matching.waiting = others.filter(({ utime }) => utime >= row.now)
  for (const credit of others) if (credit.utime < row.now) reportMissing(booking, credit)
  if (own.length === 0) return
  const credited = own.reduce((sum, { rawAmount }) => sum + rawAmount, 0n)
  booking.sums.credits += credited
  if (credited === movement.received) return
  const detail = `the ledger has credits of ${credited}, the transaction brought ${movement.received}`
  addAlarm(booking, { kind: 'credit_differs', txHash, detail })
}

/** Finds credits that no transaction up to the end of the account has brought. */
async function findMissing(
  { head }: Books,
  booking: Booking,
  { reader, waiting }: Matching,
): Promise<void> {
  const until = head - GRACE_SECONDS
  for (const credit of waiting) if (credit.utime <= until) reportMissing(booking, credit)
  for (;;) {
    const credit = await reader.next(until)
    if (credit === undefined) return
    reportMissing(booking, credit)
  }
}

function reportMissing(booking: Booking, { id, txHash, rawAmount, utime }: StoredCredit): void {
  if (utime <= booking.comparedAfter) return
  const detail = `the chain does not have the transaction of credit ${id} of ${rawAmount}`
  addAlarm(booking, { kind: 'credit_missing', txHash, detail })
}

/** Adds the transfers that return a credit of the ledger for which a refund was proposed. */
async function addRefunds(
  { inbox: { credits }, v3 }: Books,
  booking: Booking,
  refunds: readonly SentRefund[],
): Promise<void> {
  if (refunds.length === 0) return
  const { account, asset } = booking
  const hashes = [...new Set(refunds.map(({ txHash }) => txHash))]
  const found = (await credits.find({ hashes })).filter(
    (credit) => credit.account === account && credit.asset === asset,
  )
  for (const { txHash, rawAmount, sentIn } of refunds) {
    const credit = found.find((one) => one.txHash === txHash)
    if (credit === undefined) continue
    const first = booking.sentRefunds.get(txHash)
    const isFirst = first === undefined || (await isReturned(v3, { txHash, sentIn: first }))
    if (isFirst) {
      booking.sentRefunds.set(txHash, sentIn)
    } else {
      const detail = `the money of credit ${credit.id} was returned twice: by ${first} and by ${sentIn}`
      addAlarm(booking, { kind: 'second_refund', txHash: sentIn, detail })
    }
    if (credit.uses.some(({ kind }) => kind === 'refund')) booking.sums.refunds += rawAmount
    else if (credit.releasedRefunds !== undefined) {
      const detail = `credit ${credit.id} was returned after the claim of its refund was released`
      addAlarm(booking, { kind: 'late_refund', txHash, detail })
    }
  }
}

/** Returns true when the refund that a transaction has sent did not arrive, and came back. */
async function isReturned(
  v3: OperatorReader,
  { txHash, sentIn }: Pick<SentRefund, 'txHash' | 'sentIn'>,
): Promise<boolean> {
  const query = { tx_hash: [sentIn], include_actions: true, limit: 1 }
  const { traces: [trace] = [], metadata } = (await unlessNotFound(v3.traces(query))) ?? {}
  if (trace === undefined) return false
  const { transfers } = parseTrace(trace, { metadata })
  const sent = transfers.filter(({ comment }) => namedRefund(comment, 0n)[0]?.txHash === txHash)
  return (
    sent.length > 0 && sent.every(({ outcome }) => outcome === 'bounced' || outcome === 'failed')
  )
}
