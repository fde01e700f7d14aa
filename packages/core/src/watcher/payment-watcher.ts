import type { Order } from '../orders/order.js'
import { createPoller } from '../payments/poller.js'
import { withDeadline } from '../shared/deadline.js'
import { createInFlight } from '../shared/in-flight.js'
import { assessHealth, type WatcherHealth, type WatcherHealthOptions } from './health.js'
import {
  resolveWatcherOptions,
  type PaymentWatcherOptions,
  type ResolvedWatcherOptions,
} from './options.js'
import type { WatchProgress } from './run-once.js'
import { createRunRequests } from './run-requests.js'
import { createRuns } from './runs.js'
import { createSchedule } from './schedule.js'
import type { WatchReport } from './watch-report.js'

/** Finds payments on the chain and reports them to Payments. */
export interface PaymentWatcher {
  /**
   * Runs once, without the lease of the cursor. Two concurrent runs cost requests and are otherwise harmless.
   * @returns the result; `isComplete` is false, with the problem, when API v3, the gateway or a store failed.
   * @throws the signal's reason.
   */
  run(options?: {
    signal?: AbortSignal | undefined
    /** Called after each page of the index. An error that it throws ends the run. */
    onProgress?: ((progress: WatchProgress) => void) | undefined
  }): Promise<WatchReport>
  /**
   * Runs every `minEveryMs` to `maxEveryMs`, the more often the newer the newest open order is, on one of the servers that
   * share the cursor.
   */
  start(): void
  /**
   * Begins a run now, or after the running one, for example because a payment is known to have arrived. After `start` it
   * runs only on the server that holds the lease. Never rejects; errors are logged.
   * @returns when that run has ended.
   */
  lookNow(): Promise<void>
  /** Returns the counters of this process. */
  stats(): {
    /** The last run of this process; on several servers another one may have run since. */
    lastRun: WatchReport | undefined
    /** Decisions about the transfers that this process found. */
    decisions: WatchReport['decisions']
    /** Age of the oldest order that was open in the last run, milliseconds. */
    oldestOpenAgeMs: number | undefined
  }
  /**
   * Returns the state of this process, for a monitor. It makes no requests.
   * @throws {ConfigurationError} for an invalid time.
   */
  health(options?: WatcherHealthOptions): Promise<WatcherHealth>
  /**
   * Ends the runs and the lease: aborts requests, and waits up to `drainTimeoutMs` for a running store. Close the watcher
   * before Payments.
   */
  close(): Promise<void>
}

/**
 * Creates a watcher: a door that reads from the chain what the merchant's wallets received, and optionally asks the
 * gateway. Payments applies the same rules to its reports as to webhooks.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { createPayments, createPaymentWatcher, memoryOrderRepository } from '@tonplug/core'
 * import { createV3Client } from '@tonplug/core/toncenter'
 *
 * const payments = createPayments({
 *   orders: memoryOrderRepository(),
 *   wallets: [process.env.SHOP_WALLET ?? ''],
 *   onPaid: ({ order }) => console.log(`${order.reference} is paid`),
 * })
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 * const watcher = createPaymentWatcher({ payments, v3 })
 * watcher.start()
 * ```
 */
export function createPaymentWatcher<O extends Order = Order>(
  given: PaymentWatcherOptions<O>,
): PaymentWatcher {
  const options = resolveWatcherOptions(given)
  const { clock, payments } = options
  const closing = new AbortController()
  const inFlight = createInFlight()
  const runs = createRuns(options)
  const schedule = createSchedule(options, runs, closing.signal)
  let startedAtMs: number | undefined

  const requests = createRunRequests(() => {
    if (startedAtMs === undefined) void runRequested()
    else poller.wake()
  })
  const poller = createPoller({
    name: payments.name,
    clock,
    instrumentation: payments.instrumentation,
    takeTurn: async () => {
      if (!requests.isWaiting && !(await schedule.isDue())) return schedule.delayMs()
      const end = requests.begin()
      await schedule.runAsHolder()
      end()
      return schedule.delayMs()
    },
  })
  let lastRequested: Promise<void> = Promise.resolve()
  /** Runs without the lease, after the runs requested before. */
  const runRequested = (): Promise<void> => {
    lastRequested = lastRequested.then(async () => {
      const end = requests.begin()
      await inFlight.track(() => schedule.run())
      end()
    })
    return lastRequested
  }
  const close = async (): Promise<void> => {
    closing.abort()
    const stop = async (): Promise<void> => {
      if (startedAtMs === undefined) return
      await poller.stop()
      await schedule.releaseLease()
    }
    await withDeadline<unknown>(
      { clock, deadlineMs: options.drainTimeoutMs },
      () => Promise.all([stop(), inFlight.drained()]),
      () => options.logger.warn('watcher run still active at the end of the drain'),
    )
    requests.begin()()
  }
  let closed: Promise<void> | undefined

  return {
    async run({ signal, onProgress } = {}) {
      const signals = [closing.signal, ...(signal === undefined ? [] : [signal])]
      const any = AbortSignal.any(signals)
      any.throwIfAborted()
      const request = { signal: any, isThorough: true, ...(onProgress && { onProgress }) }
      return inFlight.track(() => runs.run(request))
    },
    start() {
      if (startedAtMs !== undefined || closing.signal.aborted) return
      startedAtMs = clock.nowMs()
      logMissingMethods(options)
      poller.start()
    },
    lookNow: async () => {
      if (!closing.signal.aborted) await requests.request()
    },
    stats() {
      const { oldestOpenMs } = runs.last ?? {}
      const oldestOpenAgeMs = oldestOpenMs === undefined ? undefined : clock.nowMs() - oldestOpenMs
      return { lastRun: runs.last, decisions: { ...runs.decisions }, oldestOpenAgeMs }
    },
    async health(healthOptions = {}) {
      const { last: lastRun, decisions, completeAtMs } = runs
      const completeSinceMs =
        startedAtMs === undefined || closing.signal.aborted
          ? undefined
          : Math.max(startedAtMs, completeAtMs, schedule.otherHeldAtMs)
      return assessHealth({ clock, lastRun, decisions, completeSinceMs }, healthOptions)
    },
    close: () => (closed ??= close()),
  }
}

/** Without these methods, payments for completed, cancelled and unlisted orders are found in part only. */
function logMissingMethods<O extends Order>({
  payments: { orders },
  matchBy,
  isCommentReference,
  logger,
}: ResolvedWatcherOptions<O>): void {
  if (matchBy.includes('body') && orders.findByBodyHashes === undefined) {
    logger.warn(
      'orders.findByBodyHashes is missing; payments are not matched with completed or cancelled orders by body hash',
    )
  }
  if (matchBy.includes('comment') && isCommentReference && orders.findByReferences === undefined) {
    logger.warn(
      'orders.findByReferences is missing; comments are matched with completed or cancelled orders in part only',
    )
  }
}
