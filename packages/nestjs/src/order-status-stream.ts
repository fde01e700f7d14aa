import { ServiceUnavailableException, type MessageEvent } from '@nestjs/common'
import type { OrderKey, Payments } from '@tonplug/core'
import {
  checkOrderStatusStream,
  createStatusStreams,
  type StatusMessages,
  type StatusStreams,
} from '@tonplug/core/bridge'
import { Observable } from 'rxjs'

const MAX_STREAMS = 10_000
const MESSAGES: StatusMessages<MessageEvent> = {
  beat: { type: 'heartbeat', data: '' },
  of(event) {
    // A browser reconnects when a stream has ended. Nothing follows `paid`, so that it shall wait for a day.
    const last = event.status === 'paid' ? { id: 'paid', retry: 86_400_000 } : {}
    return { ...last, data: event }
  },
}

/** The open streams of each Payments. */
const streamsOf = new WeakMap<object, StatusStreams<MessageEvent>>()

/**
 * Returns the payment status of an order for its buyer, as messages of an `@Sse()` route `{"status":"waiting"}`: the current
 * status at once, then each change. See `payments.watchStatus`. The route does not check who asks: use references that cannot be
 * guessed, or a guard. The stream ends after `paid` and when the app shuts down. A message of the type `heartbeat`, every 15
 * seconds, finds clients that have disappeared; `onmessage` of an EventSource does not receive it.
 * @param options.maxStreams largest number of open streams of this Payments. @default 10_000
 * @throws {ConfigurationError} for an invalid option.
 * @throws {ServiceUnavailableException} when there are as many streams; Nest responds with 503.
 * @example
 * ```ts
 * @Sse('orders/:reference/events')
 * events(@Param('reference') reference: string) {
 *   return orderStatusStream(this.payments, reference)
 * }
 * ```
 */
export function orderStatusStream(
  payments: Pick<Payments, 'watchStatus' | 'internals'>,
  key: string | OrderKey,
  options: { maxStreams?: number | undefined } = {},
): Observable<MessageEvent> {
  checkOrderStatusStream(payments, options, ['maxStreams'])
  const { maxStreams = MAX_STREAMS } = options
  const streams = streamsOf.get(payments) ?? createStatusStreams(payments, MESSAGES)
  streamsOf.set(payments, streams)
  if (streams.size >= maxStreams) throw new ServiceUnavailableException()
  return new Observable((subscriber) => {
    const messages = streams.open(key)
    const send = async (): Promise<void> => {
      try {
        for await (const message of messages) subscriber.next(message)
        subscriber.complete()
      } catch (error) {
        subscriber.error(error)
      }
    }
    void send()
    return () => void messages.return()
  })
}
