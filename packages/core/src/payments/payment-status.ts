import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import type { DecisionOf } from '../orders/decision.js'
import type { Order, OrderKey } from '../orders/order.js'
import { isOrderKey } from '../orders/order-key.js'
import { parseBaseUnits } from '../shared/units.js'

/**
 * Status of an order's payment as its buyer may see it.
 * - `waiting`: no payment has arrived, or a transfer has failed. An unknown order is `waiting`, too.
 * - `seen`: a payment was reported and the order is not paid. It is being verified, or it does not fit and the shop decides.
 * - `underpaid`: less than the expected amount has arrived.
 * - `expired`: the order has expired or was cancelled. A late payment still becomes `seen` and `paid`.
 * - `paid`: the order is completed.
 */
export type PaymentStatus = 'waiting' | 'seen' | 'underpaid' | 'expired' | 'paid'

/** The stores that a status is read from. */
export interface StatusSources {
  name: string
  orders: Pick<CheckedRepository<Order>, 'find'>
  inbox: Pick<CheckedInbox, 'listReports'>
}

/** Among these the newest report with a status of its own decides. */
const NEWEST_REPORTS = 20

/** Reads the status of an order's payment. @throws {RepositoryError} when a store fails. */
export async function readPaymentStatus(
  { name, orders, inbox }: StatusSources,
  key: Required<OrderKey>,
): Promise<PaymentStatus> {
  // The reference may be from a URL.
  if (!isOrderKey(key)) return 'waiting'
  const order = await orders.find(key)
  if (order === null) return 'waiting'
  if (order.status === 'completed') return 'paid'
  if (order.status === 'cancelled') return 'expired'
  const isExpired = order.status === 'expired'
  const reports = await inbox.listReports({ name, ...key, limit: NEWEST_REPORTS })
  for (const report of reports) {
    const status = isExpired && report.state === 'decided' ? undefined : statusOf(report)
    if (status !== undefined) return status
  }
  return isExpired ? 'expired' : 'waiting'
}

/** Returns `undefined` for a report of no payment. */
function statusOf({ state, decision }: Report): PaymentStatus | undefined {
  if (state !== 'decided') return 'seen'
  switch (decision?.kind) {
    case 'failed':
    case 'duplicate':
      return undefined
    case 'amount_mismatch':
      return isUnderpaid(decision) ? 'underpaid' : 'seen'
    default:
      return 'seen'
  }
}

function isUnderpaid(decision: DecisionOf<'amount_mismatch'>): boolean {
  const received = parseBaseUnits(decision.received)
  const isSameAsset = decision.asset === undefined
  return isSameAsset && received !== undefined && received < BigInt(decision.expected)
}
