import { Injectable } from '@nestjs/common'
import type { OrderRepository, Payment, PaymentFailure } from '@tonplug/core'
import type { Order } from './order.entity'
import { OPEN } from './order-status'
import type { OrderStatus } from './order-status'

/** Which open orders to list. */
export interface OpenOrdersQuery {
  createdBefore?: Date
  createdAfter?: Date
}

/** The orders. In memory, in place of a database. */
@Injectable()
export class OrdersRepository implements OrderRepository<Order> {
  private readonly orders = new Map<string, Order>()

  async insert(order: Order): Promise<void> {
    this.orders.set(order.reference, { ...order })
  }

  async findByReference(reference: string): Promise<Order | null> {
    const order = this.orders.get(reference)
    return order === undefined ? null : { ...order }
  }

  /** Orders that wait for their payment, oldest first. */
  async *listOpen({ createdBefore, createdAfter }: OpenOrdersQuery): AsyncGenerator<Order> {
    const oldestFirst = [...this.orders.values()].sort((a, b) => +a.createdAt - +b.createdAt)
    for (const order of oldestFirst) {
      if (createdBefore !== undefined && order.createdAt >= createdBefore) continue
      if (createdAfter !== undefined && order.createdAt < createdAfter) continue
      if (OPEN.includes(order.status)) yield { ...order }
    }
  }

  /**
   * Changes an order if its status is one of `from`, and tells whether it did. One step, as an
   * `UPDATE … WHERE reference = $1 AND status = ANY($2)` is in a database.
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

  async complete(reference: string, payment: Payment) {
    if (await this.change(reference, OPEN, { status: 'completed', payment })) return 'applied'
    const order = await this.findByReference(reference)
    if (order === null) return 'not-found'
    return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
  }

  async recordFailure(reference: string, failure: PaymentFailure) {
    if (await this.change(reference, ['pending'], { status: 'failed', failure })) return 'applied'
    const order = await this.findByReference(reference)
    if (order === null) return 'not-found'
    const isSame = order.status === 'failed' && order.failure?.txHash === failure.txHash
    return isSame ? 'already-applied' : 'conflict'
  }
}
