import type { OrderKey } from '../orders/order.js'
import type { Clock } from '../shared/clock.js'
import { withDeadline } from '../shared/deadline.js'
import { errorFacts } from '../shared/error-facts.js'
import { createLogLimit } from '../shared/log-limit.js'
import type { Logger } from '../shared/logger.js'
import { readPaymentStatus, type PaymentStatus, type StatusSources } from './payment-status.js'

/** Concurrent reads, so that many readers do not exhaust a connection pool. Reads then take turns. */
const CONCURRENCY = 4
const READ_DEADLINE_MS = 10_000

/** An order with readers. */
export interface WatchedOrder {
  key: Required<OrderKey>
  /** `undefined` until the first read. */
  status: PaymentStatus | undefined
  listeners: Set<() => void>
  /** When the last reader joined. */
  joinedMs: number
  /** When its last read was requested. */
  requestedMs: number
  isReading: boolean
  /** It has changed since the running read began. */
  isStale: boolean
}

/** Options of {@link createStatusReads}. */
export interface StatusReadsOptions extends StatusSources {
  clock: Clock
  logger: Logger
  /** Returns true for an order whose payment was seen before it is final. */
  isSeen: (key: Required<OrderKey>) => boolean
}

/** A queue of orders to read; each order is in it once. */
export interface StatusReads {
  add(order: WatchedOrder, nowMs: number): void
  delete(order: WatchedOrder): void
  /** Begins the reads that are due. Calls the listeners of each order whose status has changed. */
  run(): void
  close(): void
}

/** Creates a queue from which a few readers take. */
export function createStatusReads(options: StatusReadsOptions): StatusReads {
  const queue = new Set<WatchedOrder>()
  const update = createUpdate(options)
  let readers = 0
  let isClosed = false

  const read = async (order: WatchedOrder): Promise<void> => {
    order.isStale = order.isReading
    if (order.isReading) return
    order.isReading = true
    await update(order, () => isClosed)
    order.isReading = false
    if (order.isStale && order.listeners.size > 0 && !isClosed) queue.add(order)
  }
  const runReader = async (): Promise<void> => {
    readers++
    // Also takes orders that are added while it runs.
    for (const order of queue) {
      queue.delete(order)
      await read(order)
    }
    readers--
  }
  return {
    add(order, nowMs) {
      order.requestedMs = nowMs
      queue.add(order)
    },
    delete: (order) => void queue.delete(order),
    run() {
      while (readers < CONCURRENCY && queue.size > 0) void runReader()
    },
    close() {
      isClosed = true
      queue.clear()
    },
  }
}

function createUpdate(options: StatusReadsOptions) {
  const { clock, logger, name, isSeen } = options
  const logLimit = createLogLimit(clock)
  return async (order: WatchedOrder, isClosed: () => boolean): Promise<void> => {
    try {
      const read = await readInTime(options, order.key)
      const status = read === 'waiting' && isSeen(order.key) ? 'seen' : read
      if (status === order.status) return
      order.status = status
      for (const listener of order.listeners) listener()
    } catch (error) {
      const leftOut = isClosed() ? undefined : logLimit('')
      if (leftOut === undefined) return
      const facts = { payments: name, error: errorFacts(error), leftOut }
      logger.warn('order status not readable; trying again', facts)
    }
  }
}

function readInTime(options: StatusReadsOptions, key: Required<OrderKey>): Promise<PaymentStatus> {
  return withDeadline(
    { clock: options.clock, deadlineMs: READ_DEADLINE_MS, isBackground: true },
    () => readPaymentStatus(options, key),
    () => {
      throw new RangeError(`The stores have not responded within ${READ_DEADLINE_MS} ms`)
    },
  )
}
