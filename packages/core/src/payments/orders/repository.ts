import type { Order, OrderKey, Payment, PaymentFailure } from './order.js'

/**
 * Result of a requested transition.
 * - `applied`: this call made it.
 * - `already-applied`: the same `txHash` made it before.
 * - `conflict`: the order's state does not allow it.
 * - `not-found`: there is no such order.
 */
export type Transition = 'applied' | 'already-applied' | 'conflict' | 'not-found'

/** Selects open orders for {@link OrderRepository.listOpen}. */
export interface OpenOrdersQuery {
  /** Only orders created at or after this moment. */
  createdAfter?: Date | undefined
  /** At most this many. */
  limit: number
}

/**
 * The shop's orders, in its own database. Each transition is one atomic compare-and-set (one conditional `UPDATE`), since
 * reports arrive concurrently and on several servers. Every key carries `merchant`, which is `''` unless one Payments
 * serves several merchants; a repository for several must match both fields.
 */
export interface OrderRepository<O extends Order = Order> {
  /** The `name` of the Payments whose orders these are. If present, `createPayments` requires the same name. */
  readonly name?: string | undefined
  find(key: OrderKey): Promise<O | null>
  /**
   * `pending`, `failed` or `expired` → `completed`; stores `payment`.
   * Returns `already-applied` for a completed order with the same `txHash` and `conflict` for any other; `conflict` for a
   * cancelled order.
   */
  complete(key: OrderKey, payment: Payment): Promise<Transition>
  /**
   * Stores `failure` on an open order and moves `pending` → `failed`; `expired` stays `expired`.
   * Returns `already-applied` when the stored failure has the same `txHash`; `conflict` for a completed or cancelled order.
   */
  fail(key: OrderKey, failure: PaymentFailure): Promise<Transition>
  /** Returns orders that {@link complete} could still complete, of all merchants, oldest first. */
  listOpen(query: OpenOrdersQuery): AsyncIterable<O>
  /**
   * Returns the orders with one of these body hashes (standard base64), of any status and merchant. At most 1000 hashes a
   * call. With it the watcher also finds payments for orders that are completed or cancelled.
   */
  findByBodyHashes?(hashes: readonly string[]): Promise<O[]>
  /** Returns the orders with one of these references, of any status and merchant. At most 1000 references a call. */
  findByReferences?(references: readonly string[]): Promise<O[]>
  /** Rejects when the orders cannot be written, for example because the database role lacks a privilege. */
  checkAccess?(): Promise<void>
}
