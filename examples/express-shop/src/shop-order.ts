import type { PostgresOrder, PostgresOrderRepository } from '@tonplug/postgres'
import type { Currency } from './money.js'

/** The product as it was when bought; plain JSON. */
interface Purchase {
  name: string
  currency: Currency
}

/** An order of tonplug, with the product. */
export type ShopOrder = PostgresOrder<Purchase>

/** The orders of the shop, in its database. */
export type ShopOrders = PostgresOrderRepository<Purchase>
