import { describeTrace } from '../chain/describe-trace.js'
import { isTransfer, payerMessage, type Credit, type RouteMessage } from '../ledger/credit.js'
import {
  amountKey,
  type OpenOrders,
  type OrderHint,
  type WatchedKey,
  type WatchedOrder,
} from './open-orders.js'
import { arrivalsOf, creditsOf, type Arrival } from './proof/credits-of.js'
import { isOlder } from './proof/order-age.js'
import type { DescribedTrace } from './proof/trace-routes.js'
import { whyUnsettled, type IndexedTrace } from './proof/verify-payment.js'
import { hintOf, proveArrivals } from './prove-arrivals.js'
import type { Run } from './run.js'
import { isNotable } from './unnamed-credits.js'

/** A credit, the order that it names, and the message that names it. */
export interface Match extends WatchedKey {
  credit: Credit
  message: RouteMessage
}

/** The payments that a trace holds. */
export interface TraceMatches {
  matches: Match[]
  /** Credits that pay no order. */
  unnamed: Credit[]
  /** The trace is not final or not complete: look again later. */
  isUnsettled: boolean
  /** The matches hold all that the wallets have received, so no other order can be paid by this trace. */
  isPaidWhole: boolean
  /** Orders that one payment fits alike. */
  ambiguous: WatchedKey[][]
}

/** A trace with what arrived at the scanned wallets. */
export interface CandidateTrace extends DescribedTrace {
  arrivals: readonly Arrival[]
}

/**
 * Describes a trace for {@link matchTrace}.
 * @param wallets the scanned wallets, canonical
 */
export function describeCandidate(
  { trace, metadata }: IndexedTrace,
  wallets: ReadonlySet<string>,
): CandidateTrace {
  const description = describeTrace(trace, { metadata })
  return { trace, description, arrivals: arrivalsOf({ trace, description }, wallets) }
}

/** Returns the fields of messages that can name the orders of a trace. */
export function hintsOf({ arrivals }: CandidateTrace): OrderHint[] {
  return [...new Set(arrivals.flatMap(({ route }) => route))].map(hintOf)
}

/**
 * Finds the orders that the credits of a trace name; the hints of its messages must have been loaded. A payment that is older
 * than the order is only found by the body of its message.
 */
export async function matchTrace(candidate: CandidateTrace, run: Run): Promise<TraceMatches> {
  const found: TraceMatches = {
    matches: [],
    unnamed: [],
    isUnsettled: whyUnsettled(candidate) !== undefined,
    isPaidWhole: false,
    ambiguous: [],
  }
  if (found.isUnsettled) return found
  const { arrivals } = candidate
  const { jettonWallets, isUnsettled } = await proveArrivals(arrivals, run)
  found.isUnsettled = isUnsettled
  for (const credit of creditsOf(arrivals, jettonWallets)) {
    const { orders, message } = findOrders(credit, run)
    const [order, ...more] = orders
    const others = order === undefined ? [] : paidElsewhere(credit, { order, message }, run)
    const fitting = [...more, ...others]
    if (order !== undefined && fitting.length === 0) {
      found.matches.push({ ...keyOf(order), credit, message })
      continue
    }
    if (order !== undefined) found.ambiguous.push([order, ...fitting].map(keyOf))
    if (isNotable(credit, run)) found.unnamed.push(credit)
  }
  const paid = new Map(found.matches.map(({ credit }) => [credit.txHash, credit.account]))
  const accounts = new Set(paid.values())
  found.isPaidWhole =
    paid.size > 0 &&
    arrivals.every(({ txHash, notifier = '' }) => paid.has(txHash) || accounts.has(notifier))
  return found
}

/** Returns the orders of other merchants that the payment has completed. Claims cover one merchant only. */
function paidElsewhere(
  credit: Credit,
  { order: { merchant }, message }: { order: WatchedOrder; message: RouteMessage },
  { named }: Run,
): WatchedOrder[] {
  return named
    .completedBy(hintOf(message), credit)
    .filter((order) => order.merchant !== merchant && order.recipients.includes(credit.wallet))
}

function keyOf({ reference, merchant }: WatchedKey): WatchedKey {
  return { reference, merchant }
}

/**
 * Returns the orders that a credit names. The message closest to the money decides: anyone can make a contract pay by a
 * message. In it, the body decides before the comment. The amount decides last.
 */
function findOrders(
  credit: Credit,
  run: Run,
): { orders: readonly WatchedOrder[]; message: RouteMessage } {
  const named: WatchedOrder[] = []
  for (const message of credit.route.toReversed()) {
    for (const candidates of run.named.find(hintOf(message))) {
      const orders = candidates.filter((order) => mayPay(credit, order))
      if (orders.length > 0) return { orders, message }
      named.push(...candidates)
    }
  }
  const orders = ordersByAmount(credit, run.orders, named).filter((order) => mayPay(credit, order))
  return { orders, message: payerMessage(credit) }
}

/** Returns the orders of an amount, except those of merchants whose order the credit names otherwise. */
function ordersByAmount(
  credit: Credit,
  { byAmount }: OpenOrders,
  named: readonly WatchedOrder[],
): readonly WatchedOrder[] {
  if (byAmount.size === 0 || !isTransfer(credit)) return []
  const { wallet: recipient, asset, rawAmount } = credit
  const orders = byAmount.get(amountKey({ recipient, asset, rawAmount })) ?? []
  const merchants = new Set(named.map(({ merchant }) => merchant))
  return orders.filter(({ merchant }) => !merchants.has(merchant))
}

/** Returns whether a payment is recent enough for its order, or has the body that binds it to the order. */
function mayPay({ wallet, route, utime }: Credit, order: WatchedOrder): boolean {
  if (!order.recipients.includes(wallet)) return false
  const isBound =
    order.bodyHash !== undefined && route.some(({ bodyHash }) => bodyHash === order.bodyHash)
  return isBound || !isOlder({ utime, createdMs: order.createdMs })
}
