import { Logger } from '@nestjs/common'
import type { HandlerContext, PaidTransfer } from '@tonplug/core'
import { OnPaid, WebhookController } from '@tonplug/nestjs'
import { Parcels } from './parcels.js'
import type { ShopOrder } from './payment-stores.js'

/** Receives the webhooks, and sends a parcel for each paid order. */
@WebhookController('webhooks/ton')
export class PaymentsController {
  private readonly logger = new Logger(PaymentsController.name)

  constructor(private readonly parcels: Parcels) {}

  @OnPaid()
  async paid(
    { order: { reference }, source }: PaidTransfer<ShopOrder>,
    { idempotencyKey }: HandlerContext,
  ): Promise<void> {
    if (source === 'chain') this.logger.warn({ message: 'payment without a webhook', reference })
    await this.parcels.send(reference, idempotencyKey)
  }
}
