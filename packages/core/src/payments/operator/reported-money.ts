import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { REPORTS_OF_TRANSACTION } from '../engine/paid-elsewhere.js'
import { transactionClaim } from '../engine/report.js'

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
  const query = { name, txHashes: [txHash], limit: REPORTS_OF_TRANSACTION }
  const found = txHash === '' ? [] : await inbox.reports.list(query)
  const reports = found.filter((report) => report.merchant === merchant || isOfNobody(report))
  const [best, ...others] = reports
    .filter(({ state }) => state !== 'unreadable')
    .map((report) => ({ report, transfer: readStoredTransfer(report.rawBody) }))
    .filter(({ transfer }) => transfer.status === 'success')
    .toSorted((one, other) => placeOf(one.report) - placeOf(other.report))
  if (best !== undefined) {
    const completions = [best, ...others].flatMap(({ report }) => completionOf(report))
    const payments = new Set([...reports.flatMap((report) => report.payments), ...completions])
    return { txHash, transfer: best.transfer, reports, payments: [...payments] }
  }
  const problem = `expected a transaction that brought money to this merchant, from operator.list(); received ${JSON.stringify(transactionHash)}`
  throw new ConfigurationError({ option: 'transactionHash', problem })
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
