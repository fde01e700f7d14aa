import { acceptedFor } from './accepted-money.js'
import { HELD_KINDS } from './decision-table.js'
import { endOtherUses } from './end-lost-uses.js'
import { linkReport, namedHashes, readReported } from './link-report.js'
import { logContested } from './paid-elsewhere.js'
import { paymentOf } from './recorded-payment.js'
import { creditsOf, isUseOf, usedAmountOf } from './report.js'
import { allReports } from '../inbox/all-reports.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { Inbox } from '../inbox/inbox.js'
import {
  CREDIT_CLAIM,
  type NamedOrder,
  type NewCredit,
  type StoredCredit,
} from '../inbox/inbox-credits.js'
import { hashesOf, type Credit } from '../ledger/credit.js'
import { link, type ReportedPayment } from '../ledger/link.js'
import { readBodyHash } from '../orders/body-hash.js'
import { orderId } from '../orders/order.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import type { Logger } from '../../shared/logger.js'
import { AddressError } from '../../shared/address.js'
import { undefinedOn } from '../../shared/undefined-on.js'

/** Times that something else may take the credits that an assignment was linked to. */
const MAX_LINKS = 5

/** Credits of one trace, and its transactions. */
interface AssignableCredits {
  credits: readonly NewCredit[]
  transactions: readonly string[]
  /** Absent where orders that one payment has completed are logged otherwise. */
  logger?: Logger | undefined
}

type Stores = Pick<Inbox, 'reports' | 'credits'>

/**
 * Links stored credits to the orders that an operator has assigned their money to, by the report of a webhook that came before
 * them; and credits that name no order to the orders that webhooks have paid, or that an operator has accepted the money of
 * webhooks for. Each report, of any name of Payments, uses the credit that it describes.
 * @param trace credits of one trace, and its transactions: a webhook may name any of them
 * @returns the orders of these reports, by the ids of the credits that they use.
 */
export async function linkAssigned(
  inbox: Stores,
  { credits, transactions, logger }: AssignableCredits,
): Promise<ReadonlyMap<string, NamedOrder>> {
  const assigned = new Map<string, NamedOrder>()
  if (credits.length === 0) return assigned
  const named = transactions.map(canonicalTransactionHash)
  const hashes = [...new Set([...credits.flatMap(hashesOf), ...named])].toSorted()
  const unnamed = new Set(credits.filter(({ order }) => order === undefined).map(({ id }) => id))
  const paid = await allReports(inbox.reports, { hashes, decision: 'paid' })
  const own = new Set(credits.map(({ txHash }) => txHash))
  // A report that names a transaction of several credits takes one that no other report names.
  const isExact = ({ txHash }: Report): number => Number(own.has(txHash))
  for (const report of paid.toSorted((one, other) => isExact(other) - isExact(one))) {
    const { name, merchant, reference, source } = report
    const order = { name, merchant, reference }
    if (source === 'chain' || (source !== 'operator' && unnamed.size === 0)) continue
    const ids =
      source === 'operator'
        ? await linkAssignment(inbox, report, order)
        : await linkPaid(inbox, report, unnamed)
    for (const id of ids) assigned.set(id, order)
  }
  if (unnamed.size === 0) return assigned
  const isSeveral = paid.filter((report) => creditsOf(report).length === 0).length > 1
  if (isSeveral && logger !== undefined) await logContested(inbox, [...unnamed], logger)
  const kinds = ['duplicate', ...HELD_KINDS] as const
  for (const report of await allReports(inbox.reports, { hashes, decision: kinds })) {
    const { name, merchant, reference } = report
    if (!(await isAcceptedUnseen(inbox, report))) continue
    const ids = await linkAccepted(inbox, report, unnamed)
    for (const id of ids) assigned.set(id, { name, merchant, reference })
  }
  return assigned
}

/** Returns true for a webhook whose money an operator has accepted before the chain had shown it. */
async function isAcceptedUnseen(inbox: Stores, report: Report): Promise<boolean> {
  const { source, reference, txHash } = report
  if (reference === '' || !(source === 'webhook' || source === 'gateway')) return false
  const accepted = await acceptedFor(inbox, report)
  const own = accepted.find((one) => one.txHash === txHash && one.source === source)
  if (own === undefined) return false
  // The reports of one accepted payment have one trace.
  return !accepted.some((one) => one.source === 'chain' && one.traceId === own.traceId)
}

/** Returns the credits without an order that are an accepted payment, after they have been claimed for the order. */
async function linkAccepted(
  { credits }: Stores,
  report: Report,
  unnamed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { name, merchant, reference, txHash } = report
  const order = { name, merchant, reference }
  const transfer = readStoredTransfer(report.rawBody)
  const facts = { report, transfer, order: null, isAccepted: true }
  const ofOrder = (await credits.listOf(order)).filter(({ uses }) =>
    uses.some((use) => isUseOf(order, use)),
  )
  const used = ofOrder.filter(({ uses }) =>
    uses.some((use) => isUseOf(order, use) && (use.payment ?? txHash) === txHash),
  )
  // Money that the chain had shown has the hash of the order's payment, which may be this one.
  const hashes = namedHashes(facts)
  const linked = used.filter((credit) => hashesOf(credit).some((hash) => hashes.includes(hash)))
  if (linked.length > 0) return linked.map(({ id }) => id)
  const found = await linkReport({ credits }, facts)
  const payments = found.kind === 'linked' ? found.claims : []
  const ids = creditsOf({ payments })
  if (ids.length === 0 || !ids.every((id) => unnamed.has(id))) return []
  // Two webhooks may name one payment by different transactions: it keeps the first link.
  const isLinked = used.length > 0 || ofOrder.some(({ id }) => ids.includes(id))
  const payment = isLinked ? undefined : txHash
  return (await credits.claim({ ...order, payments, payment })) ? ids : []
}

/** Returns the credits without an order that a webhook is linked to, after they have been claimed for the order that it has paid. */
async function linkPaid(
  inbox: Stores,
  report: Report,
  unnamed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const transfer = readStoredTransfer(report.rawBody)
  const linked = await linkReport(inbox, { report, transfer, order: null })
  const claims = linked.kind === 'linked' ? linked.claims : []
  const ids = creditsOf({ payments: claims })
  if (ids.length === 0 || !ids.every((id) => unnamed.has(id))) return []
  const { name, merchant, reference, txHash: payment } = report
  const usedAmount = usedAmountOf(paymentOf(report))
  const claim = { name, merchant, reference, payments: claims, payment, usedAmount }
  if (!(await inbox.credits.claim(claim))) return []
  await endOtherUses(inbox, report)
  return ids
}

/** Returns the credits that an assignment uses, after it has claimed them unless it had. */
async function linkAssignment(
  inbox: Stores,
  report: Report,
  order: NamedOrder,
): Promise<readonly string[]> {
  const { credits } = inbox
  const named = creditsOf(report)
  if (named.length > 0) return named
  const { txHash: payment } = report
  const known = await credits.listOf(order)
  const linked = known.filter(({ uses }) =>
    uses.some((use) => isUseOf(order, use) && (use.payment ?? payment) === payment),
  )
  if (linked.length > 0) return linked.map(({ id }) => id)
  const transfer = readStoredTransfer(report.rawBody)
  const reported = undefinedOn(AddressError, () => readReported({ report, transfer, order: null }))
  if (reported === undefined) return []
  const usedAmount = usedAmountOf(paymentOf(report))
  const hashes = namedHashes({ report, transfer, order: null })
  for (let count = 0; count < MAX_LINKS; count++) {
    const found = await credits.find({ hashes })
    const ids = findAssigned({ report, transfer, reported }, found)
    const payments = ids.map((id) => `${CREDIT_CLAIM}${id}`)
    if (ids.length === 0) return []
    if (!(await credits.claim({ ...order, payments, payment, usedAmount }))) continue
    await endOtherUses(inbox, report)
    return ids
  }
  return []
}

interface Assignment {
  report: Report
  transfer: TransferData
  reported: ReportedPayment
}

/**
 * Returns the credits that an assignment is about. Those with the reported sender and body are preferred; the operator knows
 * whether a report with another one is about this payment.
 */
function findAssigned(assignment: Assignment, credits: readonly StoredCredit[]): string[] {
  const { reported } = assignment
  const ofAnySender = { ...reported, sender: undefined }
  for (const one of [reported, ofAnySender, { ...ofAnySender, bodyHash: undefined }]) {
    const found = findReported({ ...assignment, reported: one }, credits)
    if (found.length > 0) return found
  }
  return []
}

/** Returns the credits that a report describes: those with its comment before others. */
function findReported(assignment: Assignment, credits: readonly StoredCredit[]): string[] {
  const { reported, transfer } = assignment
  const others = credits.flatMap((credit) =>
    credit.order === undefined || isDescribed(assignment, credit)
      ? []
      : [[credit.id, orderId(credit.order)] as const],
  )
  const used = new Set(credits.filter(({ uses }) => uses.length > 0).map(({ id }) => id))
  const ordered = credits.toSorted(
    (one, other) => Number(hasComment(other, transfer)) - Number(hasComment(one, transfer)),
  )
  const result = link(reported, ordered, { isWhole: true, used, named: new Map(others) })
  return result.kind === 'linked' ? result.credits.map(({ credit }) => credit.id) : []
}

/**
 * Returns true for a credit that the assigned report describes, although it names another order. A credit that names an order of
 * another merchant is not taken from it.
 */
function isDescribed({ report, transfer }: Assignment, credit: StoredCredit): boolean {
  if (credit.order?.merchant !== report.merchant) return false
  const hasBody = readBodyHash(transfer.bodyBase64Hash) !== undefined
  const isExact = hasBody || credit.txHash === report.txHash
  return isExact || hasComment(credit, transfer)
}

function hasComment({ route }: Credit, { commentToRecipient = '' }: TransferData): boolean {
  return commentToRecipient !== '' && route.some(({ comment }) => comment === commentToRecipient)
}
