import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import { readBodyHash } from '../orders/body-hash.js'
import type { DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { creditedTransactions } from './report.js'

/** More reports than the sources make of one transaction: one each for each order that it names. */
export const REPORTS_OF_TRANSACTION = 100

/**
 * Returns true when another Payments of the database has completed an order by a report about the same credit. A webhook
 * names a transaction and no credit, so its order has no claim on it.
 * @param given.reference of the order that the credit itself names: a webhook for another order does not concern it
 * @throws {RepositoryError} when the inbox fails.
 */
export async function isPaidElsewhere(
  inbox: CheckedInbox,
  given: { name: string; claims: readonly string[]; reference?: string | undefined },
): Promise<boolean> {
  const { name, claims, reference } = given
  const txHashes = creditedTransactions(claims)
  if (txHashes.length === 0) return false
  const query = { txHashes, reference, decision: 'paid', limit: REPORTS_OF_TRANSACTION } as const
  const paid = await inbox.reports.list(query)
  return paid.some((report) => report.name !== name)
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
