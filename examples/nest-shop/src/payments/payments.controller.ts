import { Logger } from '@nestjs/common'
import type {
  ExtraPayment,
  FailedTransfer,
  FindingEvents,
  HandlerContext,
  MismatchedTransfer,
  PaidTransfer,
  UnverifiedTransfer,
} from '@tonplug/core'
import {
  OnExtraPayment,
  OnLostWebhook,
  OnPaidLate,
  OnTransferFailed,
  OnTransferMismatched,
  OnTransferPaid,
  OnTransferUnverified,
  WebhookController,
} from '@tonplug/nestjs'
import { Journal } from '../orders/journal.js'
import { formatAmount } from '../orders/money.js'
import type { ShopOrder } from '../orders/shop-order.js'
import { describeMismatch } from './describe-mismatch.js'
import { Shipping } from './shipping.js'

/** Takes the webhooks, and does what follows from each. Every method may run twice, since each effect has a key. */
@WebhookController('webhooks/ton')
export class PaymentsController {
  private readonly logger = new Logger(PaymentsController.name)

  constructor(
    private readonly journal: Journal,
    private readonly shipping: Shipping,
  ) {}

  @OnTransferPaid()
  paid({ order, payment }: PaidTransfer<ShopOrder>, { idempotencyKey }: HandlerContext): void {
    const { reference, product } = order
    const amount = formatAmount(payment.rawAmount, product.currency)
    this.journal.record(reference, {
      key: `${idempotencyKey} paid`,
      kind: 'paid',
      text: `Payment of ${amount} received`,
    })
    const { trackingCode } = this.shipping.ship(reference, idempotencyKey)
    this.journal.record(reference, {
      key: `${idempotencyKey} shipped`,
      kind: 'shipped',
      text: `Shipped as ${trackingCode}`,
    })
  }

  @OnTransferFailed()
  failed({ order, failure }: FailedTransfer<ShopOrder>, { idempotencyKey }: HandlerContext): void {
    const reason = failure.errorMessage ?? 'no reason was given'
    this.warn(order, { key: idempotencyKey, text: `The transfer failed: ${reason}` })
  }

  @OnTransferMismatched()
  mismatched(event: MismatchedTransfer<ShopOrder>, { idempotencyKey }: HandlerContext): void {
    this.warn(event.order, { key: idempotencyKey, text: describeMismatch(event) })
  }

  @OnExtraPayment()
  paidTwice(
    { order, decision }: ExtraPayment<ShopOrder>,
    { idempotencyKey }: HandlerContext,
  ): void {
    const text = `Another payment arrived (transaction ${decision.txHash}); we will send it back.`
    this.warn(order, { key: idempotencyKey, text })
  }

  @OnTransferUnverified()
  unverified({ order }: UnverifiedTransfer<ShopOrder>, { idempotencyKey }: HandlerContext): void {
    const text = 'A payment was announced and is not on the chain. We are looking into it.'
    this.warn(order, { key: idempotencyKey, text })
  }

  // Beside the handlers above: the order is paid and shipped all the same.
  @OnLostWebhook()
  lost({ order: { reference } }: FindingEvents<ShopOrder>['onLostWebhook']): void {
    this.logger.warn(`The payment of ${reference} was found; its webhook never came`)
  }

  @OnPaidLate()
  late({ order: { reference } }: FindingEvents<ShopOrder>['onPaidLate']): void {
    this.logger.warn(`The payment of ${reference} came after it had expired or was cancelled`)
  }

  private warn({ reference }: ShopOrder, news: { key: string; text: string }): void {
    this.journal.record(reference, { ...news, kind: 'problem' })
  }
}
