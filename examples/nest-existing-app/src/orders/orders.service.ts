import { ConflictException, Injectable, NotFoundException } from '@nestjs/common'
import type { CreateOrderDto } from './create-order.dto'
import type { Order } from './order.entity'
import { OPEN } from './order-status'
import type { OrderStatus } from './order-status'
import { viewOrder } from './order-view'
import type { OrderView } from './order-view'
import { OrdersRepository } from './orders.repository'
import { PRICES } from './prices'
import { TransfersService } from './transfers.service'
import { WarehouseService } from './warehouse.service'

/** The back office's operations on orders. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly transfers: TransfersService,
    private readonly warehouse: WarehouseService,
  ) {}

  async create({ sku, quantity }: CreateOrderDto): Promise<OrderView> {
    const rawAmount = (PRICES[sku] ?? 0n) * BigInt(quantity)
    const asset = 'TON'
    const { reference } = await this.transfers.create({ rawAmount, asset })
    const createdAt = new Date()
    await this.orders.insert({
      reference,
      sku,
      quantity,
      rawAmount,
      asset,
      status: 'pending',
      createdAt,
    })
    return this.show(reference)
  }

  async show(reference: string): Promise<OrderView> {
    return this.view(await this.find(reference))
  }

  async listOpen(): Promise<OrderView[]> {
    const views: OrderView[] = []
    for await (const order of this.orders.listOpen({})) views.push(this.view(order))
    return views
  }

  /** Completes an order whose payment an employee found in an explorer. */
  async confirm(reference: string): Promise<OrderView> {
    const order = await this.move(reference, OPEN, 'completed')
    await this.warehouse.pack({ order })
    return this.view(order)
  }

  async cancel(reference: string): Promise<OrderView> {
    return this.view(await this.move(reference, OPEN, 'cancelled'))
  }

  private async move(
    reference: string,
    from: readonly OrderStatus[],
    status: OrderStatus,
  ): Promise<Order> {
    const isChanged = await this.orders.change(reference, from, { status })
    const order = await this.find(reference)
    if (isChanged) return order
    throw new ConflictException(`The order is ${order.status} and cannot become ${status}`)
  }

  private async find(reference: string): Promise<Order> {
    const order = await this.orders.find({ reference })
    if (order !== null) return order
    throw new NotFoundException('There is no such order')
  }

  private view(order: Order): OrderView {
    return viewOrder(order, this.warehouse.findParcel(order.reference))
  }
}
