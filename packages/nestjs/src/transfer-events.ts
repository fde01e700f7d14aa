import { setImmediate } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import type { BeforeApplicationShutdown, MessageEvent } from '@nestjs/common'
import type { DecisionEvent } from '@tonplug/core'
import { filter, map, Observable, ReplaySubject, takeUntil } from 'rxjs'
import { WEBHOOK_INSTANCES } from './tonplug.tokens.js'
import type { WebhookInstances } from './webhook/webhook-instances.js'

/** Which decisions to watch. */
export interface TransferEventsQuery {
  /** The instance. @default 'default' */
  name?: string | undefined
  /** Those about one order. @default undefined (all) */
  reference?: string | undefined
}

/**
 * Decisions as they are made by this process, for pages and dashboards. What must happen for a payment belongs into
 * a handler instead: nobody repeats an event that was missed. Streams end when the app shuts down.
 * @example
 * ```ts
 * @Sse('orders/:reference/events')
 * events(@Param('reference') reference: string) {
 *   return this.transferEvents.messages({ reference })
 * }
 * ```
 */
@Injectable()
export class TransferEvents implements BeforeApplicationShutdown {
  private readonly shutdown = new ReplaySubject<void>(1)

  constructor(@Inject(WEBHOOK_INSTANCES) private readonly instances: WebhookInstances) {}

  /**
   * Decisions with their transfers, from the subscription on.
   * @throws {ConfigurationError} when there is no such instance.
   */
  decisions({ name, reference }: TransferEventsQuery = {}): Observable<DecisionEvent> {
    const { receiver } = this.instances.get(name)
    const all = new Observable<DecisionEvent>((subscriber) =>
      receiver.subscribe((event) => subscriber.next(event)),
    )
    return all.pipe(
      filter(({ transfer }) => reference === undefined || transfer.reference === reference),
      takeUntil(this.shutdown),
    )
  }

  /**
   * The same as messages of an `@Sse()` route: `type` is the decision's kind, `id` the delivery, `data` the decision
   * without the transfer, whose addresses and comments are not for everybody.
   * @throws {ConfigurationError} when there is no such instance.
   */
  messages(query: TransferEventsQuery = {}): Observable<MessageEvent> {
    return this.decisions(query).pipe(
      map(({ decision, deliveryId }) => ({ id: deliveryId, type: decision.kind, data: decision })),
    )
  }

  /** Ends the streams after the receivers have drained; open ones would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.next()
    // The server closes next, at once for connections whose answers have ended.
    await setImmediate()
  }
}
