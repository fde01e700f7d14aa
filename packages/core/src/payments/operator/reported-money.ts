import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { linkReport } from '../engine/link-report.js'
import { isUseOf, transactionClaim } from '../engine/report.js'
import { creditForOrder, decidedCredit } from '../engine/bad-news.js'
import { hashesOf } from '../ledger/credit.js'
import type { StoredCredit } from '../inbox/inbox-credits.js'

/** The reports of one transaction that brought money. */
export interface ReportedMoney {
  /** In canonical format. */
  txHash: string
  /** The transfer as the most reliable source reported it. */
  transfer: TransferData
  reports: readonly Report[]
  /** Claims on the money, as in {@link Inbox.credits.claim}. */
  payments: readonly string[]
}

/** The chain watcher knows most about a transfer, a webhook least. */
const BY_RELIABILITY = ['chain', 'gateway', 'webhook', 'operator'] satisfies Report['source'][]

/**
 * Returns the stored reports of a transaction for a merchant, and reports of money without an order in a wallet of several
 * merchants.
 * @param transactionHash in hex or base64
 * @throws {ConfigurationError} when no report shows that this transaction brought money.
 */
export async function findReportedMoney(
  inbox: CheckedInbox,
  given: { name: string; merchant: string; transactionHash: string },
): Promise<ReportedMoney> {
  const { name, merchant, transactionHash } = given
  const txHash = canonicalTransactionHash(transactionHash)
  const found = txHash === '' ? [] : await reportsOf(inbox, name, txHash)
  const reports = found.filter((report) => report.merchant === merchant || isOfNobody(report))
  const [best, ...others] = reports
    .filter(({ state }) => state !== 'unreadable')
    .map((report) => ({ report, transfer: readStoredTransfer(report.rawBody) }))
    .filter(({ transfer }) => transfer.status === 'success')
    .toSorted((one, other) => placeOf(one.report) - placeOf(other.report))
  if (best !== undefined) {
    const completions = [best, ...others].flatMap(({ report }) => completionOf(report))
    const payments = new Set([...reports.flatMap((report) => report.payments), ...completions])
    const transfer = { ...best.transfer, txHash }
    return { txHash, transfer, reports, payments: [...payments] }
  }
  const problem = `expected a transaction that brought money to this merchant, from operator.list(); received ${JSON.stringify(transactionHash)}`
  throw new ConfigurationError({ option: 'transactionHash', problem })
}

/**
 * Returns the reports that name a transaction. Where none does, those that are about its only credit, and name the credit by another
 * transaction of its trace.
 */
async function reportsOf(inbox: CheckedInbox, name: string, txHash: string): Promise<Report[]> {
  const named = await allReports(inbox.reports, { name, txHashes: [txHash] })
  if (named.length > 0) return named
  const credits = await inbox.credits.find({ hashes: [txHash] })
  const [own, ...more] = credits.filter((credit) => credit.txHash === txHash)
  if (own === undefined || more.length > 0) return []
  const ofTrace = await allReports(inbox.reports, { name, hashes: hashesOf(own) })
  const about: Report[] = []
  for (const report of ofTrace) if (await isAbout(inbox, report, own)) about.push(report)
  return about
}

/** Returns true for a report that has been decided for a credit, or that has completed an order with it. */
async function isAbout(
  inbox: CheckedInbox,
  report: Report,
  { id, uses }: StoredCredit,
): Promise<boolean> {
  const { txHash, rawBody } = report
  const told = decidedCredit(report)
  if (told === id || told === creditForOrder(report, id)) return true
  if (!uses.some((use) => isUseOf(report, use) && use.payment === txHash)) return false
  // Webhooks about several payments may name one transaction.
  const facts = { report, transfer: readStoredTransfer(rawBody), order: null }
  const linked = await linkReport(inbox, facts)
  return linked.kind === 'linked' && linked.credit === id
}

/** Money without an order in a wallet of several merchants belongs to none of them until an operator assigns it. */
function isOfNobody({ merchant, reference, source }: Report): boolean {
  return merchant === '' && reference === '' && source === 'chain'
}

/** The payment of a duplicate has completed its order, which has claimed it by another of its transactions. */
function completionOf({ decision }: Report): string[] {
  if (decision?.kind !== 'duplicate' || decision.completedBy === undefined) return []
  return [transactionClaim(decision.completedBy)]
}

function placeOf({ source }: Report): number {
  return BY_RELIABILITY.indexOf(source)
}
