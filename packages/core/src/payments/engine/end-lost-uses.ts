import { hashesOf, ownTransactions, payerMessage } from '../ledger/credit.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { acceptedFor } from './accepted-money.js'
import type { Decidable } from './apply-rules.js'
import type { Stores } from './engine-parts.js'
import { isUseOf, transactionClaim } from './report.js'

/**
 * Ends the uses of an extra payment by its order. Where the orders are in another store, a payment is claimed before it completes
 * its order, and another payment may complete it in between: this payment keeps the order then, and is linked to its credit.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function endLostUses<O extends Order>(
  { inbox, joined }: Pick<Stores<O>, 'inbox' | 'joined'>,
  decision: Decision,
  { report, order }: Decidable<O>,
): Promise<void> {
  if (joined !== undefined || decision.kind !== 'extra_payment') return
  const { name, merchant, reference, txHash } = report
  const { completedBy } = decision
  if (completedBy === undefined || completedBy === txHash) return
  const key = { name, merchant, reference }
  const credits = await inbox.credits.listOf(key)
  const linkedTo = (payment: string) =>
    credits.filter(({ uses }) => uses.some((use) => isUseOf(key, use) && use.payment === payment))
  const paid = linkedTo(completedBy)
  // Other parts of a sum may be parts of the payment.
  const lost = linkedTo(txHash).filter((credit) => hashesOf(credit).includes(txHash))
  if (paid.length === 0 || lost.length === 0) return
  // The uses of accepted payments keep their own hashes.
  const isAccepted = order?.payment?.acceptedAmounts !== undefined
  if (isAccepted || (await acceptedFor(inbox, report)).length > 0) return
  const kept = new Set([completedBy, ...paid.flatMap(hashesOf)])
  for (const credit of lost) {
    const own = [txHash, ...ownTransactions(credit, payerMessage(credit))]
    const payments = own.filter((hash) => !kept.has(hash)).map(transactionClaim)
    await inbox.credits.release({ ...key, credit: credit.id, payment: txHash, payments })
  }
}
