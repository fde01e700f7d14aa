import { parseTrace } from '../../toncenter/chain/parse-trace.js'
import type { NewCredit } from '../inbox/inbox-credits.js'
import { isTransfer, payerMessage, type Credit, type RouteMessage } from '../ledger/credit.js'
import {
  amountKey,
  type OpenOrders,
  type OrderHint,
  type WatchedKey,
  type WatchedOrder,
} from './open-orders.js'
import { arrivalsOf, creditsOf, type Arrival } from './proof/credits-of.js'
import { isTooOld } from '../orders/order-age.js'
import type { DescribedTrace } from './proof/trace-routes.js'
import { whyUnsettled, type IndexedTrace } from './proof/verify-payment.js'
import { hintOf, proveArrivals } from './prove-arrivals.js'
import type { Run } from './run-state.js'
import { isNotable, type UnnamedCredit } from './unnamed-credits.js'

/** A credit, the order that it names, and the message that names it. */
export interface Match extends WatchedKey {
  credit: Credit
  message: RouteMessage
  /** The payment is older than the order, and nothing binds it to the order: the rules reject it and name the order. */
  isTooOld: boolean
}

/** The payments that a trace holds. */
export interface TraceMatches {
  matches: Match[]
  /** All of them, with the only order that each names by its messages. */
  credits: NewCredit[]
  /** Credits that pay no order, and the orders that each fits alike. */
  unnamed: UnnamedCredit[]
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
  const description = parseTrace(trace, { metadata })
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
    credits: [],
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
    const { orders, message, isTooOld: isOld, isNamed, closed = [] } = findOrders(credit, run)
    const [order, ...more] = orders
    const others = order === undefined ? [] : paidElsewhere(credit, { order, message }, run)
    const fitting = [...more, ...others]
    const isOnly = isNamed && order !== undefined && fitting.length === 0
    const named = isOnly ? { ...keyOf(order), name: run.payments.name } : undefined
    found.credits.push({ ...credit, order: named })
    if (isOld && !run.isClockKnown) {
      found.isUnsettled = true
      continue
    }
    if (order !== undefined && fitting.length === 0) {
      found.matches.push({ ...keyOf(order), credit, message, isTooOld: isOld })
      continue
    }
    const several = order === undefined ? [] : [order, ...fitting]
    if (several.length > 0) found.ambiguous.push(several.map(keyOf))
    if (isNotable(credit, run, several.length > 0 ? several : closed))
      found.unnamed.push({ credit, orders: several })
  }
  // The credit that an order names as its payment is submitted before equal ones.
  const isPayable = ({ credit, message }: Match): boolean =>
    run.named.isPayable(hintOf(message), credit)
  found.matches.sort((one, other) => Number(isPayable(one)) - Number(isPayable(other)))
  // A payment that is too old may pay its order when the clocks are corrected.
  const paying = found.matches.filter((match) => !match.isTooOld)
  const paid = new Map(paying.map(({ credit }) => [credit.txHash, credit.account]))
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

/** The orders that a credit fits, and the message that names them. */
interface FittingOrders {
  orders: readonly WatchedOrder[]
  message: RouteMessage
  isTooOld: boolean
  /** False for orders that only the amount assigns. */
  isNamed: boolean
  /** Closed orders that it names, and that are younger than the payment. */
  closed?: readonly WatchedOrder[]
}

/**
 * Returns the orders that a credit names. The message closest to the money decides: anyone can make a contract pay by a
 * message. In it, the body decides before the comment. The amount decides last. If all are younger than the payment, those
 * that are open are returned as such.
 */
function findOrders(credit: Credit, run: Run): FittingOrders {
  const isOld = (order: WatchedOrder): boolean => isTooOld(order, credit, run.clockAheadMs)
  const named: WatchedOrder[] = []
  let younger: FittingOrders | undefined
  for (const message of credit.route.toReversed()) {
    for (const candidates of run.named.find(hintOf(message))) {
      const paid = candidates.filter(({ recipients }) => recipients.includes(credit.wallet))
      const orders = paid.filter((order) => !isOld(order))
      if (orders.length > 0) return { orders, message, isTooOld: false, isNamed: true }
      const open = paid.filter((order) => order.isOpen)
      if (open.length > 0) younger ??= { orders: open, message, isTooOld: true, isNamed: true }
      named.push(...candidates)
    }
  }
  const orders = ordersByAmount(credit, run.orders, named).filter((order) => !isOld(order))
  if (orders.length === 0 && younger !== undefined) return younger
  const closed = named.filter(({ recipients }) => recipients.includes(credit.wallet))
  return { orders, message: payerMessage(credit), isTooOld: false, isNamed: false, closed }
}

/** Returns the orders of an amount, except orders of merchants whose order the credit names otherwise. */
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
