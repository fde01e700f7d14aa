import type { Order, Payment, PaymentFailure } from './order.js'

/**
 * What became of a requested transition.
 * - `applied`: this call made it.
 * - `already-applied`: the same `txHash` made it before.
 * - `conflict`: the order is in a state from which the transition is not allowed.
 * - `not-found`: there is no such order.
 */
export type Transition = 'applied' | 'already-applied' | 'conflict' | 'not-found'

/** Which open orders {@link OrderRepository.listOpen} yields. */
export interface OpenOrdersQuery {
  /** Only orders created before this moment. */
  createdBefore?: Date | undefined
  /** Only orders created at or after this moment. */
  createdAfter?: Date | undefined
}

/**
 * The one thing a shop must write: its orders, in its own database. Each transition is a single atomic
 * compare-and-set (one conditional `UPDATE`), since deliveries arrive together and on several servers.
 */
export interface OrderRepository<O extends Order = Order> {
  /**
   * @param context.signedWith the name of the secret that signed the delivery. Where one receiver serves several
   * merchants, answer only orders of that merchant: whoever has a secret can sign any reference.
   */
  findByReference(reference: string, context?: { signedWith: string }): Promise<O | null>
  /**
   * `pending`, `failed` or `expired` → `completed`, keeping `payment`.
   * A completed order answers `already-applied` for the `txHash` that completed it and `conflict` for any other;
   * a cancelled order answers `conflict`.
   */
  complete(reference: string, payment: Payment): Promise<Transition>
  /**
   * `pending` → `failed`, keeping `failure`. An order that failed by the same `txHash` answers `already-applied`;
   * any other order answers `conflict`. A completed order never moves.
   */
  recordFailure(reference: string, failure: PaymentFailure): Promise<Transition>
  /**
   * The order with this `bodyBase64Hash`, whatever its status. With it a reconciler also finds what was paid for orders
   * that are completed or cancelled; without it only what their comments name. The hash comes in standard base64.
   */
  findByBodyHash?(bodyBase64Hash: string): Promise<O | null>
  /** Orders that {@link complete} could still complete, oldest first. */
  listOpen(query: OpenOrdersQuery): AsyncIterable<O>
}
