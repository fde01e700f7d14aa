import type { Order, OrderKey, OrderStatus, Payment, PaymentFailure } from './order.js'

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

/** Selects orders for {@link OrderRepository.list}. An omitted field matches all. */
export interface OrderListQuery {
  status?: OrderStatus | undefined
  /** Only orders created at or after this moment. */
  createdAfter?: Date | undefined
  /** Only orders created before this moment. */
  createdBefore?: Date | undefined
  /** The page behind this one: `next` of its result. */
  after?: string | undefined
  /** At most this many. */
  limit: number
}

/** One page of orders. */
export interface OrderPage<O extends Order = Order> {
  orders: O[]
  /** The value of `after` for the next page; absent on the last one. */
  next?: string | undefined
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
  /** Returns orders of all merchants, newest first: a page for operators. Orders without a creation time are the oldest ones. */
  list?(query: OrderListQuery): Promise<OrderPage<O>>
  /**
   * Returns orders of all merchants and of any status whose reference begins with `text`, sorted by their references: for
   * operators. Case matters. Also returns orders with a field that the shop has named for searches, for example an e-mail
   * address, which begins with `text` whatever the case is.
   */
  search?(query: { text: string; limit: number }): Promise<O[]>
  /** Rejects when the orders cannot be written, for example because the database role lacks a privilege. */
  checkAccess?(): Promise<void>
}
