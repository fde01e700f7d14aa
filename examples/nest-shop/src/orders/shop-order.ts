import type { MemoryOrderRepository, Order } from '@tonplug/core'
import type { Product } from './catalogue.js'

/** What tonplug needs of an order, and what was bought. */
export interface ShopOrder extends Order {
  product: Product
}

/** The shop's orders; in your app, a repository over your database. */
export type ShopOrders = MemoryOrderRepository<ShopOrder>
