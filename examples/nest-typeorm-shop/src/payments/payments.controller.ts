import type { HandlerContext, PaidTransfer } from '@tonplug/core'
import { OnTransferPaid, WebhookController } from '@tonplug/nestjs'
import type { ShopOrder } from '../orders/order-repository.js'
import { Parcels } from './parcels.js'

/** Takes the webhooks, and sends what was paid. */
@WebhookController('webhooks/ton')
export class PaymentsController {
  constructor(private readonly parcels: Parcels) {}

  @OnTransferPaid()
  async paid(
    { order }: PaidTransfer<ShopOrder>,
    { idempotencyKey }: HandlerContext,
  ): Promise<void> {
    await this.parcels.send(order.reference, idempotencyKey)
  }
}
