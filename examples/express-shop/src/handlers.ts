import type { Clock, Handlers, Logger, MismatchedTransfer } from '@tonplug/core'
import type { Journal, JournalEntry } from './journal.js'
import { formatAmount } from './money.js'
import type { OrderFeed } from './order-feed.js'
import type { Shipping } from './shipping.js'
import type { ShopOrder } from './shop-order.js'

/** What the handlers act on. */
export interface HandlerDependencies {
  journal: Journal
  shipping: Shipping
  clock: Clock
  feed: OrderFeed
  logger: Logger
}

interface News {
  key: string
  kind: JournalEntry['kind']
  text: string
}

/** What the shop does about each outcome. Every function may run twice, since each effect has a key. */
export function createHandlers(dependencies: HandlerDependencies): Handlers<ShopOrder> {
  const { journal, shipping, clock, feed, logger } = dependencies

  async function tell(reference: string, news: News): Promise<void> {
    await journal.record(reference, { ...news, at: new Date(clock.nowMs()) })
    feed.publish(reference)
  }
  function warn({ reference }: ShopOrder, news: Omit<News, 'kind'>): Promise<void> {
    return tell(reference, { ...news, kind: 'problem' })
  }

  return {
    async onPaid({ order, payment }, { idempotencyKey }) {
      const amount = formatAmount(payment.rawAmount, order.data.currency)
      await tell(order.reference, {
        key: `${idempotencyKey} paid`,
        kind: 'paid',
        text: `Payment of ${amount} received`,
      })
      const { trackingCode } = await shipping.ship(order, idempotencyKey)
      await tell(order.reference, {
        key: `${idempotencyKey} shipped`,
        kind: 'shipped',
        text: `Shipped as ${trackingCode}`,
      })
    },
    onFailed({ order, failure }, { idempotencyKey }) {
      const reason = failure.errorMessage ?? 'no reason was given'
      return warn(order, { key: idempotencyKey, text: `The transfer failed: ${reason}` })
    },
    onMismatched(event, { idempotencyKey }) {
      return warn(event.order, { key: idempotencyKey, text: describeMismatch(event) })
    },
    onExtraPayment({ order, decision }, { idempotencyKey }) {
      const text = `Another payment arrived (transaction ${decision.txHash}); we will send it back.`
      return warn(order, { key: idempotencyKey, text })
    },
    onUnverified({ order }, { idempotencyKey }) {
      const text = 'A payment was announced and is not on the chain. We are looking into it.'
      return warn(order, { key: idempotencyKey, text })
    },
    // Beside `onPaid`: the order is paid and shipped all the same.
    onLostWebhook({ order: { reference } }) {
      logger.warn('A payment was found whose webhook never came', { reference })
    },
    onPaidLate({ order: { reference } }) {
      logger.warn('A payment came after its order had expired or was cancelled', { reference })
    },
  }
}

function describeMismatch({ order, decision }: MismatchedTransfer<ShopOrder>): string {
  const contact = 'Please contact us, we will sort it out.'
  switch (decision.kind) {
    case 'amount_mismatch': {
      const { currency } = order.data
      const isNumber = /^\d{1,80}$/.test(decision.received)
      const received = isNumber
        ? formatAmount(BigInt(decision.received), currency)
        : 'Something else'
      return `${received} arrived instead of ${formatAmount(order.rawAmount, currency)}. ${contact}`
    }
    case 'asset_mismatch':
      return `The payment arrived in another currency than ${order.data.currency.ticker}. ${contact}`
    case 'recipient_mismatch':
    case 'rejected':
      return `A payment arrived that does not fit the order. ${contact}`
  }
}
