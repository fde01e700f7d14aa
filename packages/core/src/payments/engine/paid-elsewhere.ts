import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { CreditUse, NamedOrder, StoredCredit } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import { hashesOf } from '../ledger/credit.js'
import { link } from '../ledger/link.js'
import { readBodyHash } from '../orders/body-hash.js'
import type { DecisionOf } from '../orders/decision.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import { orderId, type Order } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { Logger } from '../../shared/logger.js'
import { AddressError } from '../../shared/address.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { creditsOfPayment, readReported } from './link-report.js'
import { creditsOf, isUseOf } from './report.js'
import { isToldByChain } from './bad-news.js'

/** Reports about credits, of every Payments and merchant, that have no claim on them: their orders do not use them. */
export interface ReportsOfCredits {
  /** They have completed an order. Each credit has one of them: of equal credits, the older report has the first. */
  paid: readonly Report[]
  /** They have completed an order with money that another order has, so that one of the two has none of its own. */
  contested: readonly Report[]
  /** They may complete an order. */
  open: readonly Report[]
}

/**
 * Finds the webhooks that describe credits as the chain does, by their transaction or trace. A webhook names no credit, and the
 * webhook of a merchant claims no money that names no order.
 * @param ids the credits of one payment
 * @param claimant the order whose claim on them is not a use yet
 * @throws {RepositoryError} when the inbox fails.
 */
export async function reportsOfCredits(
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>,
  ids: readonly string[],
  claimant?: NamedOrder,
): Promise<ReportsOfCredits> {
  const own = ids.length === 0 ? [] : await inbox.credits.find({ ids })
  const hashes = [...new Set(own.flatMap(hashesOf))]
  if (hashes.length === 0) return NO_REPORTS
  const reports = await allReports(inbox.reports, { hashes })
  if (!reports.some(isClaimless)) return NO_REPORTS
  const isUse = (use: CreditUse): boolean =>
    use.kind === 'order' && (claimant === undefined || !isUseOf(claimant, use))
  const found = await inbox.credits.find({ hashes })
  const credits = found.map((one) => ({ ...one, uses: one.uses.filter(isUse) }))
  const paid: [report: Report, used: string[]][] = []
  for (const [report, used] of creditsOfPaid(reports, credits)) {
    const linked = await creditsOfPayment(inbox, report, report.txHash)
    if (linked.length === 0) paid.push([report, used])
  }
  return {
    paid: paid.filter(([, used]) => used.some((id) => ids.includes(id))).map(([report]) => report),
    contested: paid
      .filter(([report, used]) => used.length === 0 && describes(report, own))
      .map(([report]) => report),
    open: reports
      .filter((report) => isClaimless(report) && !isDecided(report))
      .filter((report) => describes(report, own)),
  }
}

const NO_REPORTS: ReportsOfCredits = { paid: [], contested: [], open: [] }

/** The stores, and who wants the money: an order, or a refund. */
interface Claimant {
  name: string
  /** Absent for a refund. */
  order?: NamedOrder
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>
  orders: Pick<CheckedRepository<Order>, 'find'>
}

/** A webhook that has completed an order with money that it does not claim, or that may do so. */
export interface Obstacle {
  kind: 'used' | 'undecided'
  report: Report
}

/**
 * Looks for webhooks that use credits without a claim. A claim needs a look before it, and another one after it: a webhook that
 * was stored before the claim is found by the second look, and a later one finds the claim.
 * @param ids the credits of one payment
 * @param concerns false for reports that do not matter
 * @throws {RepositoryError} when a store fails.
 */
export async function findObstacle(
  claimant: Claimant,
  ids: readonly string[],
  concerns: (report: Report) => boolean = () => true,
): Promise<Obstacle | undefined> {
  const { paid, open } = await reportsOfCredits(claimant.inbox, ids, claimant.order)
  const user = paid.find(concerns)
  if (user !== undefined) return { kind: 'used', report: user }
  for (const report of open.filter(concerns)) {
    if (await mayComplete(claimant, report)) return { kind: 'undecided', report }
  }
  return undefined
}

/** The orders of other Payments are not known here. A parked webhook that waits for the chain fits no order. */
async function mayComplete({ name, orders }: Claimant, report: Report): Promise<boolean> {
  const { reference, merchant, state, txHash, decision } = report
  if (report.name !== name) return state === 'undecided'
  if (decision !== undefined && isToldByChain(decision)) return false
  const order = await orders.find({ reference, merchant })
  return order?.payment
    ? order.payment.txHash === txHash
    : order !== null && order.status !== 'cancelled'
}

/**
 * Logs the orders that webhooks have completed with money that another order has. Another merchant's webhook blocks none, so
 * two can name one payment that names no order.
 */
export async function logContested(
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>,
  ids: readonly string[],
  logger: Logger,
): Promise<void> {
  try {
    for (const { merchant, reference, txHash } of (await reportsOfCredits(inbox, ids)).contested) {
      const facts = { merchant, reference, txHash, credits: ids }
      logger.error('order completed with money of another order; check both', facts)
    }
  } catch (error) {
    logger.warn('orders of a payment not compared', { error: errorFacts(error) })
  }
}

/** Returns true for a report of this money, whatever uses it. */
function describes(report: Report, credits: readonly StoredCredit[]): boolean {
  return linkedTo(report, credits, new Set()).length > 0
}

/** A report that names credits claims them before it completes an order. */
function isClaimless(report: Report): boolean {
  return report.state !== 'unreadable' && creditsOf(report).length === 0
}

function isDecided({ state, decision }: Report): boolean {
  return state === 'decided' || decision?.kind === 'paid'
}

/**
 * Returns the credits that reports have paid their orders with, and that these orders do not use: of equal credits, one that was
 * not reported as an extra payment of the order.
 */
function creditsOfPaid(
  reports: readonly Report[],
  credits: readonly StoredCredit[],
): Map<Report, string[]> {
  const isLinked = (report: Report): boolean =>
    credits.some(({ uses }) => uses.some((use) => isUseOf(report, use)))
  const used = new Set(credits.filter(({ uses }) => uses.length > 0).map(({ id }) => id))
  const extras = reports.filter(({ decision }) => decision?.kind === 'extra_payment')
  const found = new Map<Report, string[]>()
  for (const report of reports.toReversed()) {
    if (report.decision?.kind !== 'paid' || !isClaimless(report) || isLinked(report)) continue
    const ofOrder = extras.filter((one) => isOfOrder(one, report))
    const isExtra = ({ txHash }: StoredCredit) => ofOrder.some((one) => one.txHash === txHash)
    const sorted = credits.toSorted((one, other) => Number(isExtra(one)) - Number(isExtra(other)))
    const linked = linkedTo(report, sorted, used)
    for (const id of linked) used.add(id)
    found.set(report, linked)
  }
  return found
}

function isOfOrder(report: Report, { name, merchant, reference }: Report): boolean {
  return report.name === name && report.merchant === merchant && report.reference === reference
}

/** Returns the ids of the credits that a report describes. */
function linkedTo(
  report: Report,
  credits: readonly StoredCredit[],
  used: ReadonlySet<string>,
): string[] {
  const transfer = readStoredTransfer(report.rawBody)
  const reported = undefinedOn(AddressError, () => readReported({ report, transfer, order: null }))
  if (reported === undefined) return []
  const named = new Map(
    credits.flatMap(({ id, order }) =>
      order === undefined || isNamedAlike(order, report) ? [] : [[id, orderId(order)] as const],
    ),
  )
  const result = link(reported, credits, { isWhole: true, used, named })
  return result.kind === 'linked' ? result.credits.map(({ credit }) => credit.id) : []
}

/** Another Payments may have an order of the same reference, and the reference names both. */
function isNamedAlike({ name, reference }: NonNullable<StoredCredit['order']>, report: Report) {
  return name !== report.name && reference === report.reference
}

/** Returns true for one of two reports, whichever process asks. */
export function isEarlier(one: Report, other: Pick<Report, 'id' | 'receivedAtMs'>): boolean {
  if (one.receivedAtMs !== other.receivedAtMs) return one.receivedAtMs < other.receivedAtMs
  return one.id < other.id
}

/** Returns true for a transfer with the comment or the body of an order. */
export function namesOrder(transfer: TransferData, order: Order): boolean {
  const { commentToRecipient, bodyBase64Hash } = transfer
  if (commentToRecipient === order.reference) return true
  const bodyHash = readBodyHash(order.bodyBase64Hash)
  return bodyHash !== undefined && bodyHash === readBodyHash(bodyBase64Hash)
}

/** Returns the decision about a payment whose credit was used for another order, or for a refund. */
export function reused(
  { reference, txHash }: Pick<Report, 'reference' | 'txHash'>,
  isLate?: boolean,
): DecisionOf<'unverified'> {
  const detail = 'the payment has paid another order'
  return { kind: 'unverified', reference, txHash, reason: 'reused', detail, isLate }
}
