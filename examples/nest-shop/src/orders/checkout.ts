import { Inject, Injectable } from '@nestjs/common'
import type { WebhookReceiver } from '@tonplug/core'
import { InjectReceiver } from '@tonplug/nestjs'
import { PaymentGateway } from '../payments/payment-gateway.js'
import type { Product } from './catalogue.js'
import { ORDERS } from './orders.module.js'
import type { ShopOrder, ShopOrders } from './shop-order.js'

/** Places orders. */
@Injectable()
export class Checkout {
  constructor(
    @Inject(ORDERS) private readonly orders: ShopOrders,
    @InjectReceiver() private readonly receiver: WebhookReceiver,
    private readonly gateway: PaymentGateway,
  ) {}

  /** Creates the transfer, and stores the order under its reference. */
  async placeOrder(product: Product): Promise<ShopOrder> {
    const { rawAmount, currency, name } = product
    const { asset } = currency
    const transfer = await this.gateway.createTransfer({ rawAmount, asset, comment: name })
    const { reference } = transfer
    const price = { rawAmount, asset, product }
    const order: ShopOrder = { ...transfer, ...price, status: 'pending', createdAt: new Date() }
    this.orders.add(order)
    // The buyer may have paid before the order was stored.
    await this.receiver.matchReference(reference)
    return (await this.orders.findByReference(reference)) ?? order
  }
}
