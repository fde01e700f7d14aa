import type { Order } from '@tonplug/core'
import type { Product } from './catalogue.js'

/** What tonplug needs of an order, and what was bought. */
export interface ShopOrder extends Order {
  product: Product
  createdAt: Date
}
