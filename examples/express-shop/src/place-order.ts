import type { Clock, Payments } from '@tonplug/core'
import type { Product } from './catalog.js'
import type { PaymentGateway } from './payment-gateway.js'
import type { ShopOrder, ShopOrders } from './shop-order.js'

/** Dependencies of placing an order. */
export interface PlaceOrderDependencies {
  gateway: PaymentGateway
  orders: ShopOrders
  payments: Payments<ShopOrder>
  clock: Clock
}

/** Creates the transfer, stores the order and returns its reference. */
export type PlaceOrder = (product: Product) => Promise<string>

/** Creates the function that places orders. */
export function createPlaceOrder(dependencies: PlaceOrderDependencies): PlaceOrder {
  const { gateway, orders, payments, clock } = dependencies
  return async (product) => {
    const { name, rawAmount, currency } = product
    const { asset } = currency
    const transfer = await gateway.createTransfer({ rawAmount, asset, comment: name })
    const { reference, bodyBase64Hash } = transfer
    const createdAt = new Date(clock.nowMs())
    const data = { name, currency }
    await orders.create({ reference, rawAmount, asset, bodyBase64Hash, data, createdAt })
    // The buyer may have paid before the order was stored.
    await payments.matchReference(reference)
    return reference
  }
}
