import { Injectable } from '@nestjs/common'
import type { OrderKey, OrderRepository, Payment, PaymentFailure } from '@tonplug/core'
import { OPEN } from './order.entity'
import type { Order, OrderStatus } from './order.entity'

/** Selects open orders. */
export interface OpenOrdersQuery {
  createdAfter?: Date
  limit?: number
}

/** Stores orders in memory; a real app uses its database. */
@Injectable()
export class OrdersRepository implements OrderRepository<Order> {
  private readonly orders = new Map<string, Order>()

  async insert(order: Order): Promise<void> {
    this.orders.set(order.reference, { ...order })
  }

  async find({ reference }: { reference: string }): Promise<Order | null> {
    const order = this.orders.get(reference)
    return order === undefined ? null : { ...order }
  }

  /** Lists unpaid orders, oldest first. */
  async *listOpen({ createdAfter, limit }: OpenOrdersQuery): AsyncGenerator<Order> {
    const open = [...this.orders.values()].filter(
      ({ status, createdAt }) =>
        OPEN.includes(status) && (createdAfter === undefined || createdAt >= createdAfter),
    )
    for (const order of open.sort((a, b) => +a.createdAt - +b.createdAt).slice(0, limit)) {
      yield { ...order }
    }
  }

  /**
   * Changes an order if its status is one of `from`. Atomic, like
   * `UPDATE … WHERE reference = $1 AND status = ANY($2)` in a database.
   * @returns true if the order was changed.
   */
  async change(
    reference: string,
    from: readonly OrderStatus[],
    changes: Partial<Order>,
  ): Promise<boolean> {
    const order = this.orders.get(reference)
    if (order === undefined || !from.includes(order.status)) return false
    this.orders.set(reference, { ...order, ...changes })
    return true
  }

  async complete({ reference }: OrderKey, payment: Payment) {
    if (await this.change(reference, OPEN, { status: 'completed', payment })) return 'applied'
    const order = await this.find({ reference })
    if (order === null) return 'not-found'
    return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
  }

  /** Atomic, because nothing is awaited between the check and the change. */
  async fail({ reference }: OrderKey, failure: PaymentFailure) {
    const order = this.orders.get(reference)
    if (order === undefined) return 'not-found'
    if (!OPEN.includes(order.status)) return 'conflict'
    if (order.failure?.txHash === failure.txHash) return 'already-applied'
    const status = order.status === 'expired' ? 'expired' : 'failed'
    this.orders.set(reference, { ...order, status, failure })
    return 'applied'
  }
}
