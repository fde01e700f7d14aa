import { ServiceUnavailableException, type MessageEvent } from '@nestjs/common'
import { ConfigurationError, type OrderKey, type Payments } from '@tonplug/core'
import { Observable } from 'rxjs'

/** Shorter than the idle timeouts of common proxies. */
const BEAT_MS = 15_000
const MAX_STREAMS = 10_000
/** A browser reconnects when a stream has ended. Nothing follows `paid`, so that it shall wait for a day. */
const LAST_MESSAGE: MessageEvent = { id: 'paid', retry: 86_400_000, data: { status: 'paid' } }

/** The open streams of each Payments. */
const streamsOf = new WeakMap<object, Set<unknown>>()

/**
 * Returns the payment status of an order for its buyer, as messages of an `@Sse()` route `{"status":"waiting"}`: the current
 * status at once, then each change. See `payments.events`. The route does not check who asks: use references that cannot be
 * guessed, or a guard. The stream ends after `paid` and when the app shuts down. A message of the type `heartbeat`, every 15
 * seconds, finds clients that have disappeared; `onmessage` of an EventSource does not receive it.
 * @param options.maxStreams largest number of open streams of this Payments. @default 10_000
 * @throws {ServiceUnavailableException} when there are as many streams; Nest responds with 503.
 * @example
 * ```ts
 * @Sse('orders/:reference/events')
 * events(@Param('reference') reference: string) {
 *   return orderEvents(this.payments, reference)
 * }
 * ```
 */
export function orderEvents(
  payments: Pick<Payments, 'events' | 'clock'>,
  key: string | OrderKey,
  { maxStreams = MAX_STREAMS }: { maxStreams?: number | undefined } = {},
): Observable<MessageEvent> {
  if (!(maxStreams > 0)) {
    throw new ConfigurationError({ option: 'maxStreams', problem: 'must be a number above zero' })
  }
  const streams = streamsOf.get(payments) ?? new Set()
  streamsOf.set(payments, streams)
  if (streams.size >= maxStreams) throw new ServiceUnavailableException()
  return new Observable((subscriber) => {
    streams.add(subscriber)
    const left = new AbortController()
    let cancelTimer = (): void => undefined
    const beatLater = (): void => {
      const beat = (): void => {
        beatLater()
        subscriber.next({ type: 'heartbeat', data: '' })
      }
      cancelTimer = payments.clock.setTimer(beat, BEAT_MS, { isBackground: true })
    }
    const send = async (): Promise<void> => {
      try {
        for await (const { status } of payments.events(key, { signal: left.signal })) {
          subscriber.next(status === 'paid' ? LAST_MESSAGE : { data: { status } })
        }
        subscriber.complete()
      } catch (error) {
        subscriber.error(error)
      }
    }
    beatLater()
    void send()
    return () => {
      streams.delete(subscriber)
      cancelTimer()
      left.abort()
    }
  })
}
