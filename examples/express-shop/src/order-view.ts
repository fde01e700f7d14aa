import type { OrderRepository, OrderStatus } from '@tonplug/core'
import type { Journal, JournalEntry } from './journal.js'
import { formatAmount } from './money.js'
import type { Simulation } from './payment-gateway.js'
import type { Shipment, Shipping } from './shipping.js'
import type { ShopOrder } from './shop-order.js'

/** An order as its page shows it; plain JSON. */
export interface OrderView {
  reference: string
  product: string
  /** For people, as `'2.25 TON'`. */
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

/** Where the parts of a view come from. */
export interface OrderViewSources {
  orders: OrderRepository<ShopOrder>
  journal: Journal
  shipping: Shipping
  simulations: readonly Simulation[]
}

/** Reads an order as it stands now. */
export type ViewOrder = (reference: string) => Promise<OrderView | null>

/** Puts an order together from the shop's stores. */
export function createOrderView(sources: OrderViewSources): ViewOrder {
  const { orders, journal, shipping, simulations } = sources
  return async (reference) => {
    const order = await orders.findByReference(reference)
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
