import { Module } from '@nestjs/common'
import { memoryOrderRepository } from '@tonplug/core'
import type { ShopOrder, ShopOrders } from './shop-order.js'

/** The injection token of {@link ShopOrders}. */
export const ORDERS = Symbol('orders')

/** The orders alone, so that both the shop and tonplug's module can import them. */
@Module({
  providers: [
    { provide: ORDERS, useFactory: (): ShopOrders => memoryOrderRepository<ShopOrder>() },
  ],
  exports: [ORDERS],
})
export class OrdersModule {}
