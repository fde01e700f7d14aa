import type { Clock, Handlers, Logger, MismatchedTransfer } from '@tonplug/core'
import type { Journal, JournalEntry } from './journal.js'
import { formatAmount } from './money.js'
import type { OrderFeed } from './order-feed.js'
import type { Shipping } from './shipping.js'
import type { ShopOrder } from './shop-order.js'

/** Dependencies of the handlers. */
export interface HandlerDependencies {
  journal: Journal
  shipping: Shipping
  clock: Clock
  feed: OrderFeed
  logger: Logger
}

interface Entry {
  key: string
  kind: JournalEntry['kind']
  text: string
}

/** Creates the handlers. Each may run more than once, because each of its effects has a key. */
export function createHandlers(dependencies: HandlerDependencies): Handlers<ShopOrder> {
  const { journal, shipping, clock, feed, logger } = dependencies

  async function record(reference: string, entry: Entry): Promise<void> {
    await journal.record(reference, { ...entry, at: new Date(clock.nowMs()) })
    feed.publish(reference)
  }
  function recordProblem({ reference }: ShopOrder, entry: Omit<Entry, 'kind'>): Promise<void> {
    return record(reference, { ...entry, kind: 'problem' })
  }

  return {
    async onPaid({ order, payment, source, late }, { idempotencyKey }) {
      const { reference } = order
      if (source !== 'webhook') logger.warn('payment without a webhook', { reference, source })
      if (late) logger.warn('payment of an expired order', { reference })
      const amount = formatAmount(payment.rawAmount, order.data.currency)
      await record(reference, {
        key: `${idempotencyKey} paid`,
        kind: 'paid',
        text: `Payment of ${amount} received`,
      })
      const { trackingCode } = await shipping.ship(order, idempotencyKey)
      await record(reference, {
        key: `${idempotencyKey} shipped`,
        kind: 'shipped',
        text: `Shipped as ${trackingCode}`,
      })
    },
    onFailed({ order, failure }, { idempotencyKey }) {
      const reason = failure.errorMessage ?? 'no reason given'
      return recordProblem(order, { key: idempotencyKey, text: `The transfer failed: ${reason}` })
    },
    onMismatch(event, { idempotencyKey }) {
      return recordProblem(event.order, { key: idempotencyKey, text: describeMismatch(event) })
    },
    onExtraPayment({ order, decision }, { idempotencyKey }) {
      const text = `Another payment arrived (transaction ${decision.txHash}); we will return it.`
      return recordProblem(order, { key: idempotencyKey, text })
    },
    onUnverified({ order }, { idempotencyKey }) {
      const text = 'A payment was reported but is not on the chain. We are investigating.'
      return recordProblem(order, { key: idempotencyKey, text })
    },
  }
}

function describeMismatch({ order, reason, transfer }: MismatchedTransfer<ShopOrder>): string {
  const contact = 'Please contact us.'
  const { currency } = order.data
  switch (reason) {
    case 'underpaid':
    case 'overpaid': {
      const isNumber = /^\d{1,80}$/.test(transfer.rawAmount)
      const received = isNumber
        ? formatAmount(BigInt(transfer.rawAmount), currency)
        : 'An invalid amount'
      return `${received} arrived instead of ${formatAmount(order.rawAmount, currency)}. ${contact}`
    }
    case 'asset':
      return `The payment arrived in another currency than ${currency.ticker}. ${contact}`
    case 'wallet':
    case 'rule':
      return `A payment arrived that does not match the order. ${contact}`
  }
}
