import { orderId, type OrderKey } from '../orders/order.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import type { Clock } from '../../shared/clock.js'
import { createLogLimit, type Logger, type LogLimit } from '../../shared/logger.js'
import { withDeadline } from '../../shared/timers.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { DecisionFeed } from './decision-feed.js'
import type { PaymentsInstrumentation } from './instrumentation.js'
import {
  isSameStatus,
  readPaymentStatus,
  type PaymentStatusEvent,
  type StatusSources,
} from './payment-status.js'
import { createPoller, type Poller } from './poller.js'
import type { CheckedUntil } from './watchers.js'

const SCAN_EVERY_MS = 1500
/** Times between two reads of an order, in whole scans, by the time since its last reader joined. */
const READ_EVERY = [
  { untilMs: 2 * 60_000, everyMs: SCAN_EVERY_MS },
  { untilMs: 15 * 60_000, everyMs: 4 * SCAN_EVERY_MS },
]
const READ_RARELY_MS = 10 * SCAN_EVERY_MS
const IDLE_MS = 86_400_000
/** Concurrent reads, so that many readers do not exhaust a connection pool. Reads then take turns. */
const CONCURRENCY = 4
const READ_DEADLINE_MS = 10_000
/** After this time without a report, a payment that was seen is not expected any more. */
const SEEN_MS = 120_000
const MAX_SEEN = 10_000
/** A cursor that does not answer must not hold back the status. */
const CHECKED_DEADLINE_MS = 2000
/** Time between two values of `checkedUntil`. Each is an event of every waiting order. */
const CHECKED_EVERY_MS = 15_000

/** Options of {@link StatusFeed}. */
interface StatusFeedOptions extends StatusSources {
  clock: Clock
  logger: Logger
  instrumentation: PaymentsInstrumentation
  checkedUntil: CheckedUntil
}

/** One reader of an order's status. */
interface StatusReader {
  /** `undefined` until the order was read. */
  readonly event: PaymentStatusEvent | undefined
  leave(): void
}

/** An order with readers. */
interface WatchedOrder {
  key: Required<OrderKey>
  /** `undefined` until the first read. */
  event: PaymentStatusEvent | undefined
  listeners: Set<() => void>
  /** When the last reader joined. */
  joinedMs: number
  /** When its last read was requested. */
  requestedMs: number
  isReading: boolean
  /** It has changed since the running read began. */
  isStale: boolean
}

/**
 * The shared reads of watched orders: an order is read after each decision of this process, and in intervals for the
 * decisions of other processes, however many readers it has. One timer serves all orders.
 */
export class StatusFeed {
  isClosed = false
  readonly #options: StatusFeedOptions
  readonly #subscribe: DecisionFeed['subscribe']
  readonly #watched = new Map<string, WatchedOrder>()
  /** Orders to read, each once. */
  readonly #queue = new Set<WatchedOrder>()
  /** Ends of the times for which orders are `detected`, because a push source has seen payments before they are final. */
  readonly #seenUntilMs = new BoundedMap<string, number>(MAX_SEEN)
  readonly #poller: Poller
  readonly #logLimit: LogLimit
  #checked: { atMs: number; until: ReturnType<CheckedUntil> } | undefined
  #readers = 0
  #nextScanMs = 0
  #unsubscribe: (() => void) | undefined

  constructor(options: StatusFeedOptions, subscribe: DecisionFeed['subscribe']) {
    this.#options = options
    this.#subscribe = subscribe
    this.#logLimit = createLogLimit(options.clock)
    // It reads outside a request, so that no read runs in the async context of one.
    this.#poller = createPoller({ ...options, takeTurn: async () => this.#takeTurn() })
    this.#poller.start()
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
    order.joinedMs = this.#options.clock.nowMs()
    if (isDue(order, order.joinedMs)) this.#readNow(order)
    return {
      get event() {
        return order.event
      },
      leave: () => {
        order.listeners.delete(listener)
        if (order.listeners.size > 0 || this.#watched.get(id) !== order) return
        this.#watched.delete(id)
        this.#queue.delete(order)
      },
    }
  }

  /** Shows a `waiting` order as `detected`, or no longer. */
  setDetected(key: Required<OrderKey>, isDetected: boolean): void {
    const id = orderId(key)
    if (isDetected) this.#seenUntilMs.set(id, this.#options.clock.nowMs() + SEEN_MS)
    else this.#seenUntilMs.delete(id)
    this.#readNow(this.#watched.get(id))
  }

  /** Ends all readers. */
  async close(): Promise<void> {
    this.isClosed = true
    this.#unsubscribe?.()
    for (const { listeners } of this.#watched.values()) for (const listener of listeners) listener()
    this.#queue.clear()
    await this.#poller.stop()
  }

  #readNow(order: WatchedOrder | undefined): void {
    if (order === undefined) return
    this.#request(order, this.#options.clock.nowMs())
    this.#poller.wake()
  }

  #request(order: WatchedOrder, nowMs: number): void {
    order.requestedMs = nowMs
    this.#queue.add(order)
  }

  /** Begins the reads that are due. @returns the delay until the next scan, milliseconds. */
  #takeTurn(): number {
    const nowMs = this.#options.clock.nowMs()
    if (this.#nextScanMs <= nowMs) {
      for (const order of this.#watched.values())
        if (isDue(order, nowMs)) this.#request(order, nowMs)
      this.#nextScanMs = nowMs + SCAN_EVERY_MS
    }
    while (this.#readers < CONCURRENCY && this.#queue.size > 0) void this.#readQueued()
    return this.#watched.size === 0 ? IDLE_MS : this.#nextScanMs - nowMs
  }

  /** Also reads orders that are queued while it runs. */
  async #readQueued(): Promise<void> {
    this.#readers++
    for (const order of this.#queue) {
      this.#queue.delete(order)
      order.isStale = order.isReading
      if (order.isReading) continue
      order.isReading = true
      await this.#read(order)
      order.isReading = false
      if (order.isStale && order.listeners.size > 0 && !this.isClosed) this.#queue.add(order)
    }
    this.#readers--
  }

  /** Never rejects. */
  async #read(order: WatchedOrder): Promise<void> {
    const { clock, name, logger } = this.#options
    try {
      const read = await withDeadline(
        { clock, deadlineMs: READ_DEADLINE_MS, isBackground: true },
        () => this.#readStatus(order.key),
        () => {
          throw new RangeError(`The stores have not responded within ${READ_DEADLINE_MS} ms`)
        },
      )
      if (isSameStatus(read, order.event)) return
      order.event = read
      for (const listener of order.listeners) listener()
    } catch (error) {
      const leftOut = this.isClosed ? undefined : this.#logLimit('')
      if (leftOut === undefined) return
      const facts = { payments: name, error: errorFacts(error), leftOut }
      logger.warn('order status not readable; trying again', facts)
    }
  }

  async #readStatus(key: Required<OrderKey>): Promise<PaymentStatusEvent> {
    // Before the status: a payment up to that time is part of it.
    const checkedUntil = await this.#readChecked()
    const read = await readPaymentStatus(this.#options, key)
    if (read.status !== 'waiting' && read.status !== 'expired') return read
    const { clock } = this.#options
    const isDetected = (this.#seenUntilMs.get(orderId(key)) ?? -Infinity) > clock.nowMs()
    if (isDetected && read.status === 'waiting') return { status: 'detected' }
    return { ...read, ...(checkedUntil !== undefined && { checkedUntil }) }
  }

  #readChecked(): ReturnType<CheckedUntil> {
    const { clock, checkedUntil } = this.#options
    const nowMs = clock.nowMs()
    if (this.#checked === undefined || nowMs - this.#checked.atMs >= CHECKED_EVERY_MS) {
      const deadline = { clock, deadlineMs: CHECKED_DEADLINE_MS, isBackground: true }
      const until = withDeadline(deadline, checkedUntil, () => undefined)
      this.#checked = { atMs: nowMs, until }
    }
    return this.#checked.until
  }
}

function createWatchedOrder(key: Required<OrderKey>): WatchedOrder {
  const times = { joinedMs: -Infinity, requestedMs: -Infinity }
  const state = { event: undefined, isReading: false, isStale: false }
  return { key, listeners: new Set(), ...times, ...state }
}

function isDue({ joinedMs, requestedMs, isReading }: WatchedOrder, nowMs: number): boolean {
  if (isReading) return false
  const age = READ_EVERY.find(({ untilMs }) => nowMs - joinedMs < untilMs)
  // A request between two scans does not delay the next one by a whole scan.
  return nowMs - requestedMs > (age?.everyMs ?? READ_RARELY_MS) - SCAN_EVERY_MS / 2
}
