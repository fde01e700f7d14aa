import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { StoredCredit } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import { hashesOf } from '../ledger/credit.js'
import { link } from '../ledger/link.js'
import { readBodyHash } from '../orders/body-hash.js'
import type { DecisionOf } from '../orders/decision.js'
import { RepositoryError } from '../orders/errors.js'
import { orderId, type Order } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { AddressError } from '../../shared/address.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { readReported } from './link-report.js'
import { creditedTransactions, creditsOf } from './report.js'

/** More reports than the sources make of one transaction: one each for each order that it names. */
export const REPORTS_OF_TRANSACTION = 100

/** The money of a report. */
interface ReportedClaims {
  name: string
  claims: readonly string[]
  /** The reference of the order that the credit itself names: a webhook for another order does not concern it. */
  reference?: string | undefined
}

/**
 * Returns true when another Payments of the database has completed an order by a report about the same credit. A webhook
 * names a transaction and no credit, so its order has no claim on it.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function isPaidElsewhere(
  inbox: CheckedInbox,
  given: ReportedClaims,
): Promise<boolean> {
  return (await reportsElsewhere(inbox, given, { decision: 'paid' })).length > 0
}

/**
 * Returns true when the webhook of another merchant has completed an order with money that names no order, and describes that
 * money as the chain does. It has no claim on the credit, so that it takes none from the order that a credit names.
 * @param claims on the credit
 * @throws {RepositoryError} when the inbox fails.
 */
export async function isPaidByOtherMerchant(
  inbox: CheckedInbox,
  { name, merchant }: { name: string; merchant: string },
  claims: readonly string[],
): Promise<boolean> {
  const ids = creditsOf({ payments: claims })
  const stored = await inbox.credits.find({ ids })
  if (stored.length === 0 || stored.some((credit) => credit.order !== undefined)) return false
  const hashes = [...new Set(stored.flatMap(hashesOf))]
  const query = { name, txHashes: hashes, decision: 'paid', limit: REPORTS_OF_TRANSACTION } as const
  const paid = (await inbox.reports.list(query)).filter(
    (report) => report.merchant !== merchant && creditsOf(report).length === 0,
  )
  if (paid.length === 0) return false
  const credits = await inbox.credits.find({ hashes })
  return creditsOfReports(paid, credits).some((id) => ids.includes(id))
}

/** Returns the unused credits that reports describe, each for one report: of equal ones, the older report has the first. */
function creditsOfReports(reports: readonly Report[], credits: readonly StoredCredit[]): string[] {
  const used = new Set(credits.filter(({ uses }) => uses.length > 0).map(({ id }) => id))
  const named = new Map(
    credits.flatMap(({ id, order }) =>
      order === undefined ? [] : [[id, orderId(order)] as const],
    ),
  )
  return reports.toReversed().flatMap((report) => {
    const transfer = readStoredTransfer(report.rawBody)
    const reported = undefinedOn(AddressError, () =>
      readReported({ report, transfer, order: null }),
    )
    const result = reported && link(reported, credits, { isWhole: true, used, named })
    const linked = result?.kind === 'linked' ? result.credits.map(({ credit }) => credit.id) : []
    for (const id of linked) used.add(id)
    return linked
  })
}

/**
 * Rejects while another Payments has an undecided report about the same credit: its order may be completed already, and the
 * decision be all that is missing.
 * @param report waits for reports that were stored before this one, so that no two wait for each other
 * @throws {RepositoryError} while one is undecided, and when the inbox fails.
 */
export async function waitForElsewhere(
  inbox: CheckedInbox,
  given: ReportedClaims,
  report?: Pick<Report, 'id' | 'receivedAtMs'>,
): Promise<void> {
  const undecided = await reportsElsewhere(inbox, given, { state: 'undecided' })
  // A report that names its credits claims them before it completes an order.
  const unclaimed = undecided.filter((other) => creditsOf(other).length === 0)
  const earlier = unclaimed.find((other) => report === undefined || isEarlier(other, report))
  if (earlier === undefined) return
  const problem = `the Payments ${JSON.stringify(earlier.name)} has an undecided report about the same payment, which is decided first`
  throw new RepositoryError({ operation: 'inbox.reports.list', problem })
}

/** Returns the reports of other Payments about the transactions of a credit. */
async function reportsElsewhere(
  inbox: CheckedInbox,
  { name, claims, reference }: ReportedClaims,
  kind: { decision: 'paid' } | { state: 'undecided' },
): Promise<Report[]> {
  const txHashes = creditedTransactions(claims)
  if (txHashes.length === 0) return []
  const query = { txHashes, reference, ...kind, limit: REPORTS_OF_TRANSACTION }
  return (await inbox.reports.list(query)).filter((report) => report.name !== name)
}

/** Returns true for one of two reports, whichever process asks. */
function isEarlier(one: Report, other: Pick<Report, 'id' | 'receivedAtMs'>): boolean {
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
