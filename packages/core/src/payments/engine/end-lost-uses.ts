import { hashesOf, ownTransactions, payerMessage } from '../ledger/credit.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { acceptedFor, isAcceptedPayment } from './accepted-money.js'
import type { ReportedFacts } from './apply-rules.js'
import type { Stores } from './engine-parts.js'
import { isUseOf, transactionClaim } from './report.js'

/**
 * Ends the uses of an extra payment by its order. Where the orders are in another store, a payment is claimed before it completes
 * its order, and another payment may complete it in between: this payment keeps the order then, and is linked to its credit. Money
 * that an operator has accepted for the order keeps its use.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function endLostUses<O extends Order>(
  { inbox, joined }: Pick<Stores<O>, 'inbox' | 'joined'>,
  decision: Decision,
  { report, transfer }: ReportedFacts,
): Promise<void> {
  if (joined !== undefined || decision.kind !== 'extra_payment') return
  const { name, merchant, reference, txHash } = report
  const { completedBy } = decision
  if (completedBy === undefined || completedBy === txHash) return
  const order = { name, merchant, reference }
  const credits = await inbox.credits.listOf(order)
  const linkedTo = (payment: string) =>
    credits.filter(({ uses }) => uses.some((use) => isUseOf(order, use) && use.payment === payment))
  const paid = linkedTo(completedBy)
  if (paid.length === 0) return
  const accepted = await acceptedFor(inbox, report)
  if (isAcceptedPayment(accepted, { transfer, txHash, source: report.source })) return
  const kept = new Set([completedBy, ...paid.flatMap(hashesOf)])
  for (const credit of linkedTo(txHash)) {
    const own = [txHash, ...ownTransactions(credit, payerMessage(credit))]
    const payments = own.filter((hash) => !kept.has(hash)).map(transactionClaim)
    await inbox.credits.release({ ...order, credit: credit.id, payment: txHash, payments })
  }
}
