import { orderId, type OrderKey } from '../orders/order.js'
import type { Clock } from '../shared/clock.js'
import type { Logger } from '../shared/logger.js'
import type { DecisionFeed } from './decision-feed.js'
import type { PaymentsInstrumentation } from './instrumentation.js'
import type { PaymentStatus, StatusSources } from './payment-status.js'
import { createPoller, type Poller } from './poller.js'
import { createSeenPayments, type SeenPayments } from './seen-payments.js'
import { createStatusReads, type StatusReads, type WatchedOrder } from './status-reads.js'

const SCAN_EVERY_MS = 1500
/** Times between two reads of an order, in whole scans, by the time since its last reader joined. */
const READ_EVERY = [
  { untilMs: 2 * 60_000, everyMs: SCAN_EVERY_MS },
  { untilMs: 15 * 60_000, everyMs: 4 * SCAN_EVERY_MS },
]
const READ_RARELY_MS = 10 * SCAN_EVERY_MS
const IDLE_MS = 86_400_000

/** Options of {@link StatusFeed}. */
interface StatusFeedOptions extends StatusSources {
  clock: Clock
  logger: Logger
  instrumentation: PaymentsInstrumentation
}

/** One reader of an order's status. */
interface StatusReader {
  /** `undefined` until the order was read. */
  readonly status: PaymentStatus | undefined
  leave(): void
}

/**
 * The shared reads of watched orders: an order is read after each decision of this process, and in intervals for the
 * decisions of other processes, however many readers it has. One timer serves all orders.
 */
export class StatusFeed {
  isClosed = false
  readonly #clock: Clock
  readonly #subscribe: DecisionFeed['subscribe']
  readonly #watched = new Map<string, WatchedOrder>()
  readonly #seen: SeenPayments
  readonly #reads: StatusReads
  readonly #poller: Poller
  #unsubscribe: (() => void) | undefined

  constructor(options: StatusFeedOptions, subscribe: DecisionFeed['subscribe']) {
    this.#clock = options.clock
    this.#subscribe = subscribe
    this.#seen = createSeenPayments(options.clock)
    this.#reads = createStatusReads({ ...options, isSeen: (key) => this.#seen.has(orderId(key)) })
    this.#poller = startScans(options, this.#watched, this.#reads)
  }

  /** Joins the readers of an order. `listener` is called after a change, and when the feed is closed. */
  join(key: Required<OrderKey>, listener: () => void): StatusReader {
    this.#unsubscribe ??= this.#subscribe(({ decision: { reference }, merchant }) =>
      this.#readNow(this.#watched.get(orderId({ reference, merchant }))),
    )
    const id = orderId(key)
    const order = this.#watched.get(id) ?? createWatchedOrder(key)
    this.#watched.set(id, order)
    order.listeners.add(listener)
    order.joinedMs = this.#clock.nowMs()
    if (isDue(order, order.joinedMs)) this.#readNow(order)
    return {
      get status() {
        return order.status
      },
      leave: () => {
        order.listeners.delete(listener)
        if (order.listeners.size > 0 || this.#watched.get(id) !== order) return
        this.#watched.delete(id)
        this.#reads.delete(order)
      },
    }
  }

  /** Shows a `waiting` order as `seen`, or no longer. */
  setSeen(key: Required<OrderKey>, isSeen: boolean): void {
    const id = orderId(key)
    this.#seen.set(id, isSeen)
    this.#readNow(this.#watched.get(id))
  }

  /** Ends all readers. */
  async close(): Promise<void> {
    this.isClosed = true
    this.#unsubscribe?.()
    for (const { listeners } of this.#watched.values()) for (const listener of listeners) listener()
    this.#reads.close()
    await this.#poller.stop()
  }

  #readNow(order: WatchedOrder | undefined): void {
    if (order === undefined) return
    this.#reads.add(order, this.#clock.nowMs())
    this.#poller.wake()
  }
}

/** Starts to read the watched orders that are due. Outside a request, so that no read runs in the async context of one. */
function startScans(
  options: StatusFeedOptions,
  watched: ReadonlyMap<string, WatchedOrder>,
  reads: StatusReads,
): Poller {
  const { clock } = options
  let nextScanMs = 0
  const takeTurn = async (): Promise<number> => {
    const nowMs = clock.nowMs()
    if (nextScanMs <= nowMs) {
      for (const order of watched.values()) if (isDue(order, nowMs)) reads.add(order, nowMs)
      nextScanMs = nowMs + SCAN_EVERY_MS
    }
    reads.run()
    return watched.size === 0 ? IDLE_MS : nextScanMs - nowMs
  }
  const poller = createPoller({ ...options, takeTurn })
  poller.start()
  return poller
}

function createWatchedOrder(key: Required<OrderKey>): WatchedOrder {
  const times = { joinedMs: -Infinity, requestedMs: -Infinity }
  const state = { status: undefined, isReading: false, isStale: false }
  return { key, listeners: new Set(), ...times, ...state }
}

function isDue({ joinedMs, requestedMs, isReading }: WatchedOrder, nowMs: number): boolean {
  if (isReading) return false
  const age = READ_EVERY.find(({ untilMs }) => nowMs - joinedMs < untilMs)
  // A request between two scans does not delay the next one by a whole scan.
  return nowMs - requestedMs > (age?.everyMs ?? READ_RARELY_MS) - SCAN_EVERY_MS / 2
}
