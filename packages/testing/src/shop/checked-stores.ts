import type {
  DecisionRecord,
  Inbox,
  JoinedOrders,
  JoinedTransition,
  OrderKey,
  OrderRepository,
  Payment,
  PaymentFailure,
  Transition,
} from '@tonplug/core'
import { placeOf } from './events.js'
import type { Oracle } from './oracle.js'
import { bindMethods } from './ports.js'

/** Lets the oracle see each order before and after its transitions. */
export function checkTransitions(
  orders: OrderRepository,
  oracle: Oracle,
  shop: string,
): OrderRepository {
  const checked =
    <Change>(apply: (key: OrderKey, change: Change) => Promise<Transition>) =>
    async (key: OrderKey, change: Change): Promise<Transition> => {
      const before = await orders.find(key)
      const transition = await apply(key, change)
      oracle.changed(
        placeOf({ shop, merchant: key.merchant }, key.reference),
        before,
        await orders.find(key),
      )
      return transition
    }
  return Object.assign(bindMethods(orders), {
    complete: checked((key, payment: Payment) => orders.complete(key, payment)),
    fail: checked((key, failure: PaymentFailure) => orders.fail(key, failure)),
  })
}

/** Lets the oracle see what {@link checkTransitions} and {@link checkDecisions} show, for steps that are taken together. */
export function checkJoined(
  joined: JoinedOrders | undefined,
  { repository, oracle, shop }: { repository: OrderRepository; oracle: Oracle; shop: string },
): JoinedOrders | undefined {
  if (joined === undefined) return undefined
  const checked =
    <Move extends { key: Required<OrderKey> }>(
      take: (reportId: string, move: Move) => Promise<JoinedTransition>,
    ) =>
    async (reportId: string, move: Move): Promise<JoinedTransition> => {
      const { merchant, reference } = move.key
      const before = await repository.find(move.key)
      oracle.decided(reportId)
      const transition = await take(reportId, move)
      oracle.changed(
        placeOf({ shop, merchant }, reference),
        before,
        await repository.find(move.key),
      )
      return transition
    }
  return Object.assign(bindMethods(joined), {
    completeAndDecide: checked<Parameters<JoinedOrders['completeAndDecide']>[1]>((id, move) =>
      joined.completeAndDecide(id, move),
    ),
    failAndDecide: checked<Parameters<JoinedOrders['failAndDecide']>[1]>((id, move) =>
      joined.failAndDecide(id, move),
    ),
  })
}

/** Lets the oracle count the decisions about each report. */
export function checkDecisions(inbox: Inbox, oracle: Oracle): Inbox {
  const reports = Object.assign(bindMethods(inbox.reports), {
    decide: (id: string, record: DecisionRecord) => {
      oracle.decided(id)
      return inbox.reports.decide(id, record)
    },
  })
  return Object.assign(bindMethods(inbox), { reports })
}
