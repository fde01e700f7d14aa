import { Inject, Injectable, NotFoundException } from '@nestjs/common'
import type { PipeTransform } from '@nestjs/common'
import { ORDERS } from './orders.module.js'
import type { ShopOrder, ShopOrders } from './shop-order.js'

/** Turns the reference of a route into its order. */
@Injectable()
export class OrderPipe implements PipeTransform<string, Promise<ShopOrder>> {
  constructor(@Inject(ORDERS) private readonly orders: ShopOrders) {}

  /** @throws {NotFoundException} when there is no such order. */
  async transform(reference: string): Promise<ShopOrder> {
    const order = await this.orders.findByReference(reference)
    if (order !== null) return order
    throw new NotFoundException(`There is no order ${JSON.stringify(reference)}`)
  }
}
