import type { OrderRepository, OrderStatus } from '@tonplug/core'
import type { Journal, JournalEntry } from './journal.js'
import { formatAmount } from './money.js'
import type { Simulation } from './payment-gateway.js'
import type { Shipment, Shipping } from './shipping.js'
import type { ShopOrder } from './shop-order.js'

/** An order as shown on its page; plain JSON. */
export interface OrderView {
  reference: string
  product: string
  /** Formatted, for example `'2.25 TON'`. */
  amount: string
  /** In base units. */
  rawAmount: string
  asset: string
  status: OrderStatus
  /** The transaction that paid the order. */
  txHash: string | null
  journal: readonly JournalEntry[]
  shipments: readonly Shipment[]
  /** Empty unless the shop runs with a development gateway. */
  simulations: readonly Simulation[]
}

/** Dependencies of a view. */
export interface OrderViewSources {
  orders: OrderRepository<ShopOrder>
  journal: Journal
  shipping: Shipping
  simulations: readonly Simulation[]
}

/** Returns the current view of an order. */
export type ViewOrder = (reference: string) => Promise<OrderView | null>

/** Creates a view of orders from the shop's stores. */
export function createOrderView(sources: OrderViewSources): ViewOrder {
  const { orders, journal, shipping, simulations } = sources
  return async (reference) => {
    const order = await orders.find({ reference })
    if (order === null) return null
    return {
      reference,
      product: order.data.name,
      amount: formatAmount(order.rawAmount, order.data.currency),
      rawAmount: order.rawAmount.toString(),
      asset: order.asset,
      status: order.status,
      txHash: order.payment?.txHash ?? null,
      journal: await journal.list(reference),
      shipments: await shipping.listByReference(reference),
      simulations,
    }
  }
}
