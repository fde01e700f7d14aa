import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import { addsUp, type Amounts } from '../orders/amounts.js'
import type { DecisionOf } from '../orders/decision.js'
import { isAfterLock, offerIn } from '../orders/offers.js'
import type { AssetAmount, Order, OrderKey } from '../orders/order.js'
import { isOrderKey } from '../orders/order-key.js'
import type { Clock } from '../../shared/clock.js'
import { parseBaseUnits } from '../../shared/units.js'
import { missingPart, partsOf, sumsOf } from './add-up.js'
import { DECISIONS } from './decision-table.js'
import { withoutRefunded } from './proposed-refunds.js'
import { receivedSoFar } from './received-so-far.js'
import { withRecordedPayment } from './recorded-payment.js'

/**
 * Status of an order's payment as its buyer may see it.
 * - `waiting`: no payment has arrived, or a transfer has failed. An unknown order is `waiting`, too.
 * - `detected`: a payment was reported and is being verified.
 * - `partially_paid`: less than the expected amount has arrived.
 * - `needs_shop`: money has arrived that does not fit the order, or after it was cancelled. The shop was notified, and decides.
 * - `expired`: the order has expired or was cancelled, and no money has arrived. A late payment still becomes `detected`, and
 *   `paid` if the order was not cancelled.
 * - `paid`: the order is completed.
 */
export type PaymentStatus =
  'waiting' | 'detected' | 'partially_paid' | 'needs_shop' | 'expired' | 'paid'

/** The status of an order's payment, and its amounts. Plain data that survives JSON. */
export interface PaymentStatusEvent {
  status: PaymentStatus
  /** Money that did not complete the order and was not refunded. */
  received?: readonly AssetAmount[] | undefined
  /**
   * The amount that completes a partially paid order. Present with `amounts: { partial: 'add-up' }`, until the end of an offer
   * with a rate.
   */
  missing?: AssetAmount | undefined
  /** Base units that arrived beyond the price of a paid order, in decimal digits. */
  surplus?: string | undefined
  /**
   * With `waiting` and `expired`: the chain time up to which the wallets are scanned without a gap, Unix seconds, every 15
   * seconds. A payment that was valid until an earlier time can no longer arrive. Absent without a watcher in this process.
   */
  checkedUntil?: number | undefined
}

/** The stores that a status is read from. */
export interface StatusSources {
  name: string
  orders: Pick<CheckedRepository<Order>, 'find'>
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>
  amounts: Amounts<never> | undefined
  clock: Pick<Clock, 'nowMs'>
}

/** Among these the newest report with a status of its own decides. */
const NEWEST_REPORTS = 20

/** Reads the status of an order's payment. @throws {RepositoryError} when a store fails. */
export async function readPaymentStatus(
  sources: StatusSources,
  key: Required<OrderKey>,
): Promise<PaymentStatusEvent> {
  const { name, orders, inbox } = sources
  const { reference, merchant = '' } = key
  const query = { name, merchant, reference }
  // The reference may be from a URL.
  if (!isOrderKey(key)) return { status: 'waiting' }
  const order = await withRecordedPayment(inbox, query, await orders.find(key))
  if (order === null) return { status: 'waiting' }
  if (order.status === 'completed') return paid(order)
  const isOver = order.status === 'expired' || order.status === 'cancelled'
  const reports = await inbox.reports.list({ ...query, limit: NEWEST_REPORTS })
  const counted = await withoutRefunded(inbox, reports)
  const newest = counted.find((report) => isShown(report, isOver))
  if (newest === undefined) return { status: isOver ? 'expired' : 'waiting' }
  if (newest.state !== 'decided') return { status: 'detected' }
  return held(order, newest, await amountsOf(sources, order))
}

interface Amounted {
  /** Base units by canonical asset. */
  totals: ReadonlyMap<string, bigint>
  missing?: AssetAmount | undefined
}

async function amountsOf(sources: StatusSources, order: Order): Promise<Amounted> {
  if (!addsUp(sources.amounts)) return { totals: await receivedSoFar(sources, order) }
  const parts = await partsOf(sources, order)
  const rest = missingPart(order, parts)
  // After the end of the offer the rest completes no order by itself.
  const isOver = rest !== undefined && isAfterLock(rest.offer, sources.clock.nowMs())
  const missing = isOver ? undefined : rest
  return { totals: sumsOf(parts), missing: missing && toAmount(missing.asset, missing.rawAmount) }
}

/** Returns the status of an order with money that has not completed it. */
function held(order: Order, newest: Report, { totals, missing }: Amounted): PaymentStatusEvent {
  const received = [...totals].map(([asset, sum]) => toAmount(asset, sum))
  const isPartial = order.status !== 'cancelled' && isPartOf(newest) && isLessOfEach(order, totals)
  const status = isPartial ? 'partially_paid' : 'needs_shop'
  return {
    status,
    ...(received.length > 0 && { received }),
    ...(isPartial && missing && { missing }),
  }
}

function toAmount(asset: string, rawAmount: bigint): AssetAmount {
  return { asset, rawAmount: `${rawAmount}` }
}

/** Returns true for equal statuses with equal amounts. */
export function isSameStatus(one: PaymentStatusEvent, other?: PaymentStatusEvent): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function paid({ payment }: Order): PaymentStatusEvent {
  const surplus = payment?.surplus
  return { status: 'paid', ...(surplus !== undefined && { surplus }) }
}

/** Returns true for a report of money. An order that is over stays so without it. */
function isShown({ state, decision }: Report, isOver: boolean): boolean {
  if (state !== 'decided' || decision === undefined) return true
  if (decision.kind === 'unverified' && isOver) return false
  return DECISIONS[decision.kind].status !== undefined
}

/** Returns true when less than the price of each offer has arrived in its asset. */
function isLessOfEach(order: Order, totals: ReadonlyMap<string, bigint>): boolean {
  return [...totals].every(([asset, sum]) => sum < (offerIn(order, asset)?.rawAmount ?? 0n))
}

/** Returns true when the newest payment is less than the price. */
function isPartOf({ decision }: Report): boolean {
  return decision?.kind === 'amount_mismatch' && isLess(decision)
}

function isLess(decision: DecisionOf<'amount_mismatch'>): boolean {
  const received = parseBaseUnits(decision.received)
  const isSameAsset = decision.asset === undefined && decision.isLate !== true
  return isSameAsset && received !== undefined && received < BigInt(decision.expected)
}
