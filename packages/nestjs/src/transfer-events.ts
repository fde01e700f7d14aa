import { setImmediate } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import type { BeforeApplicationShutdown, MessageEvent } from '@nestjs/common'
import type { DecisionEvent } from '@tonplug/core'
import { filter, map, Observable, ReplaySubject, takeUntil } from 'rxjs'
import { INSTANCES } from './tonplug.tokens.js'
import type { TonplugInstances } from './instances.js'

/** Selects decisions. */
export interface TransferEventsQuery {
  /** The instance. @default 'default' */
  name?: string | undefined
  /** Only those about orders with this reference. @default undefined (all) */
  reference?: string | undefined
  /** Only those of this merchant. @default undefined (all) */
  merchant?: string | undefined
}

/**
 * Streams the decisions of this process, for pages and dashboards. Handle payments in a handler instead: a missed event
 * is not repeated. Streams end when the app shuts down.
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

  constructor(@Inject(INSTANCES) private readonly instances: TonplugInstances) {}

  /**
   * Emits decisions with their transfers, from the subscription on.
   * @throws {ConfigurationError} for an unknown instance.
   */
  decisions({ name, reference, merchant }: TransferEventsQuery = {}): Observable<DecisionEvent> {
    const { payments } = this.instances.get(name)
    const all = new Observable<DecisionEvent>((subscriber) =>
      payments.subscribe((event) => subscriber.next(event)),
    )
    return all.pipe(
      filter((event) => reference === undefined || event.transfer.reference === reference),
      filter((event) => merchant === undefined || event.merchant === merchant),
      takeUntil(this.shutdown),
    )
  }

  /**
   * Emits the same as messages of an `@Sse()` route: `type` is the decision's kind, `id` the report, `data` the decision
   * without the transfer, whose addresses and comments may be private.
   * @throws {ConfigurationError} for an unknown instance.
   */
  messages(query: TransferEventsQuery = {}): Observable<MessageEvent> {
    return this.decisions(query).pipe(
      map(({ decision, reportId }) => ({ id: reportId, type: decision.kind, data: decision })),
    )
  }

  /** Ends the streams after payments have drained; open streams would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.next()
    // The server closes next; it closes connections at once whose responses have ended.
    await setImmediate()
  }
}
