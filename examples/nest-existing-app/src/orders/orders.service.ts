import { ConflictException, Injectable, NotFoundException } from '@nestjs/common'
import { PRICES } from './create-order.dto'
import type { CreateOrderDto } from './create-order.dto'
import { OPEN } from './order.entity'
import type { Order } from './order.entity'
import { viewOrder } from './order-view'
import type { OrderView } from './order-view'
import { OrdersRepository } from './orders.repository'
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
    const order = { reference, sku, quantity, rawAmount, asset, createdAt: new Date() }
    await this.orders.insert({ ...order, status: 'pending' })
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
    const isChanged = await this.orders.change(reference, OPEN, { status: 'completed' })
    const order = await this.find(reference)
    if (!isChanged) throw new ConflictException(`The order is already ${order.status}`)
    await this.warehouse.pack({ order })
    return this.view(order)
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
