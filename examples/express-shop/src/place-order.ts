import type { Clock, WebhookReceiver } from '@tonplug/core'
import type { Product } from './catalogue.js'
import type { PaymentGateway } from './payment-gateway.js'
import type { ShopOrder, ShopOrders } from './shop-order.js'

/** What placing an order takes. */
export interface PlaceOrderDependencies {
  gateway: PaymentGateway
  orders: ShopOrders
  receiver: WebhookReceiver<ShopOrder>
  clock: Clock
}

/** Creates the transfer, stores the order and resolves with its reference. */
export type PlaceOrder = (product: Product) => Promise<string>

/** Places orders with a gateway. */
export function createPlaceOrder(dependencies: PlaceOrderDependencies): PlaceOrder {
  const { gateway, orders, receiver, clock } = dependencies
  return async (product) => {
    const { name, rawAmount, currency } = product
    const { asset } = currency
    const transfer = await gateway.createTransfer({ rawAmount, asset, comment: name })
    const { reference, bodyBase64Hash } = transfer
    const createdAt = new Date(clock.nowMs())
    const data = { name, currency }
    await orders.create({ reference, rawAmount, asset, bodyBase64Hash, data, createdAt })
    // The buyer may have paid before the order was stored.
    await receiver.matchReference(reference)
    return reference
  }
}
