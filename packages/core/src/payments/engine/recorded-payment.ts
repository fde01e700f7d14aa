import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { NamedOrder } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import { toPayment, type Order, type Payment } from '../orders/order.js'
import { readStoredTransfer } from '../orders/payload.js'

/**
 * Returns a completed order with its payment: that of the repository, otherwise that of the report that completed it. A
 * completed order without either was settled in another way.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function withRecordedPayment<O extends Order>(
  inbox: Pick<CheckedInbox, 'reports'>,
  key: NamedOrder,
  order: O | null,
): Promise<O | null> {
  if (order?.status !== 'completed' || order.payment) return order
  const payment = await recordedPayment(inbox, key)
  return payment === undefined ? order : { ...order, payment }
}

/**
 * Returns the payment of the report that completed an order.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function recordedPayment(
  inbox: Pick<CheckedInbox, 'reports'>,
  { name, merchant, reference }: NamedOrder,
): Promise<Payment | undefined> {
  const query = { name, merchant, reference, decision: 'paid', limit: 1 } as const
  const [report] = await inbox.reports.list(query)
  return report && paymentOf(report)
}

/** Returns the payment of a report that completed its order. */
export function paymentOf({ rawBody, txHash, decision, source }: Report): Payment {
  const transfer = readStoredTransfer(rawBody)
  const paid = decision?.kind === 'paid' ? decision : undefined
  const received = { ...transfer, rawAmount: paid?.received ?? transfer.rawAmount }
  return toPayment(received, txHash, {
    isLate: paid?.isLate ?? false,
    source: paid?.source ?? source,
    offer: paid?.offer,
    surplus: paid?.surplus,
    acceptedAmounts: paid?.acceptedAmounts,
  })
}
