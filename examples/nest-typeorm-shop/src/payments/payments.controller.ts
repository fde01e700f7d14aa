import { Logger } from '@nestjs/common'
import type { FindingEvents, HandlerContext, PaidTransfer } from '@tonplug/core'
import { OnLostWebhook, OnTransferPaid, WebhookController } from '@tonplug/nestjs'
import type { ShopOrder } from '../orders/order-repository.js'
import { Parcels } from './parcels.js'

/** Takes the webhooks, and sends what was paid. */
@WebhookController('webhooks/ton')
export class PaymentsController {
  private readonly logger = new Logger(PaymentsController.name)

  constructor(private readonly parcels: Parcels) {}

  @OnTransferPaid()
  async paid(
    { order }: PaidTransfer<ShopOrder>,
    { idempotencyKey }: HandlerContext,
  ): Promise<void> {
    await this.parcels.send(order.reference, idempotencyKey)
  }

  // Beside `paid`.
  @OnLostWebhook()
  lost({ order: { reference } }: FindingEvents<ShopOrder>['onLostWebhook']): void {
    this.logger.warn(`The payment of ${reference} was found; its webhook never came`)
  }
}
