import type { Order, Payment, PaymentFailure } from '../orders/order.js'
import type { Delivery, NewDelivery, StandingDecision, Verdict } from './inbox.js'

/** How a transition and its verdict ended: both were made, or neither. */
export type JoinedTransition =
  | ({ transition: 'applied' | 'already-applied' } & StandingDecision)
  | { transition: 'conflict' | 'not-found' }

/**
 * What an inbox can do at once for orders that live in its own database. Each method takes the place of two calls and
 * means the same as both, in one transaction.
 */
export interface JoinedOrders<O extends Order = Order> {
  /**
   * `findByReference`, then `store`. The delivery's `wasCompletedBefore` follows from the order. Absent where the order
   * can only be read by itself.
   */
  storeAndFind?(
    delivery: Omit<NewDelivery, 'wasCompletedBefore'>,
  ): Promise<{ delivery: Delivery; order: O | null }>
  /** `complete`, then `decide`, unless the order does not allow it. */
  completeAndDecide(
    deliveryId: string,
    move: { reference: string; payment: Payment; verdict: Verdict },
  ): Promise<JoinedTransition>
  /** `recordFailure`, then `decide`, unless the order does not allow it. */
  failAndDecide(
    deliveryId: string,
    move: { reference: string; failure: PaymentFailure; verdict: Verdict },
  ): Promise<JoinedTransition>
}
