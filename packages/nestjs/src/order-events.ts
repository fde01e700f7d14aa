import type { MessageEvent } from '@nestjs/common'
import type { OrderKey, Payments } from '@tonplug/core'
import { Observable } from 'rxjs'

/** Shorter than the idle timeouts of common proxies. */
const BEAT_MS = 15_000
/** A browser reconnects when a stream has ended. Nothing follows `paid`, so that it shall wait for a day. */
const LAST_MESSAGE: MessageEvent = { id: 'paid', retry: 86_400_000, data: { status: 'paid' } }

/**
 * Returns the payment status of an order for its buyer, as messages of an `@Sse()` route `{"status":"waiting"}`: the current
 * status at once, then each change. See `payments.events`. The route does not check who asks: use references that cannot be
 * guessed, or a guard. The stream ends after `paid` and when the app shuts down. A message of the type `heartbeat`, every 15
 * seconds, finds clients that have disappeared; `onmessage` of an EventSource does not receive it.
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
): Observable<MessageEvent> {
  return new Observable((subscriber) => {
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
      cancelTimer()
      left.abort()
    }
  })
}
