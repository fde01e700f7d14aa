import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox.js'
import type { DecisionOf } from '../orders/decision.js'
import { creditedTransactions } from './report.js'

/** More reports than the sources make of one transaction: one each for each order that it names. */
export const REPORTS_OF_TRANSACTION = 100

/**
 * Returns true when another Payments of the database has completed an order by a report about the same credit. A webhook
 * names a transaction and no credit, so its order has no claim on it.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function isPaidElsewhere(
  inbox: CheckedInbox,
  { name, claims }: { name: string; claims: readonly string[] },
): Promise<boolean> {
  const txHashes = creditedTransactions(claims)
  if (txHashes.length === 0) return false
  const query = { txHashes, decision: 'paid', limit: REPORTS_OF_TRANSACTION } as const
  const paid = await inbox.listReports(query)
  return paid.some((report) => report.name !== name)
}

/** Returns the decision about a payment whose credit was used for another order, or for a refund. */
export function reused(
  { reference, txHash }: Pick<Report, 'reference' | 'txHash'>,
  late?: boolean,
): DecisionOf<'unverified'> {
  const detail = 'the payment has paid another order'
  return { kind: 'unverified', reference, txHash, reason: 'reused', detail, late }
}
