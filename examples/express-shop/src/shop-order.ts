import type { PostgresOrder, PostgresOrderRepository } from '@tonplug/postgres'
import type { Currency } from './money.js'

/** What was bought, as it was on that day; plain JSON. */
interface Purchase {
  name: string
  currency: Currency
}

/** What tonplug needs of an order, and what was bought. */
export type ShopOrder = PostgresOrder<Purchase>

/** The orders of the shop, in its database. */
export type ShopOrders = PostgresOrderRepository<Purchase>
