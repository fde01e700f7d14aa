import type { OrderKey } from '../orders/order.js'
import { onAbort } from '../../shared/abort.js'
import { isSameStatus, type PaymentStatusEvent } from './payment-status.js'
import type { StatusFeed } from './status-feed.js'

/**
 * Returns the statuses of an order: the current one, then each change. A slow reader gets the last status. Ends after
 * `paid`, when the signal is aborted, and when the feed is closed; `return()` ends it at once, too.
 */
export function createStatusStream(
  feed: StatusFeed,
  key: Required<OrderKey>,
  signal: AbortSignal | undefined,
): AsyncIterable<PaymentStatusEvent> {
  return { [Symbol.asyncIterator]: () => iterate(feed, key, signal) }
}

function iterate(
  feed: StatusFeed,
  key: Required<OrderKey>,
  signal: AbortSignal | undefined,
): AsyncIterator<PaymentStatusEvent, undefined> {
  const pending: (() => void)[] = []
  let last: PaymentStatusEvent | undefined
  let isEnded = feed.isClosed || signal?.aborted === true
  const wake = (): void => {
    for (const resume of pending.splice(0)) resume()
  }
  const end = (): void => {
    isEnded = true
    reader?.leave()
    stopListening?.()
    wake()
  }
  const reader = isEnded ? undefined : feed.join(key, () => (feed.isClosed ? end() : wake()))
  const stopListening = isEnded || signal === undefined ? undefined : onAbort(signal, end)

  return {
    async next() {
      while (!isEnded) {
        const event = reader?.event
        if (event !== undefined && !isSameStatus(event, last)) {
          last = event
          if (event.status === 'paid') end()
          return { done: false, value: event }
        }
        await new Promise<void>((resolve) => pending.push(resolve))
      }
      return { done: true, value: undefined }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
}
