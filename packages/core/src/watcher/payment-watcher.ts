import type { Order } from '../orders/order.js'
import { startTimer } from '../shared/clock.js'
import { withDeadline } from '../shared/deadline.js'
import { createInFlight } from '../shared/in-flight.js'
import type { WatcherContext } from './context.js'
import { assessHealth, type WatcherHealth, type WatcherHealthOptions } from './health.js'
import {
  resolveWatcherOptions,
  type PaymentWatcherOptions,
  type ResolvedWatcherOptions,
} from './options.js'
import { Hints } from './hints.js'
import type { WatchProgress } from './run.js'
import { Runs } from './runs.js'
import { Schedule } from './schedule.js'
import { StreamWatch } from './stream-watch.js'
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
   * @param hint a transaction or a message that anyone has reported, even unauthenticated: only its trace is looked up, on any
   *   server. A transaction costs one request. A message costs two, and is looked up again after 1, 2 and 4 seconds while the
   *   index does not have it. Hints that arrive together share requests. An unknown hash has no other effect.
   * @returns when that run or first look-up has ended.
   */
  lookNow(
    hint?:
      | {
          /** Hex, base64 or base64url. */
          transactionHash: string
          messageHash?: undefined
        }
      | {
          /**
           * A message of the payment's trace, for example the `normalizedHash` of the BoC that TON Connect returns. Hex,
           * base64 or base64url.
           */
          messageHash: string
          transactionHash?: undefined
        },
  ): Promise<void>
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
  const { clock } = options
  const closing = new AbortController()
  const { context, hints, schedule } = createParts(options, closing.signal)
  const { runs, inFlight } = context
  let closed: Promise<void> | undefined

  return {
    async run({ signal, onProgress } = {}) {
      const signals = [closing.signal, ...(signal === undefined ? [] : [signal])]
      const any = AbortSignal.any(signals)
      any.throwIfAborted()
      return inFlight.track(() => runs.run({ signal: any, isThorough: true, onProgress }))
    },
    start() {
      if (schedule.startedAtMs !== undefined || closing.signal.aborted) return
      logMissingMethods(options)
      schedule.start()
    },
    lookNow: async (hint) => {
      if (closing.signal.aborted) return
      if (hint === undefined) return schedule.request()
      const { messageHash, transactionHash } = hint
      const given = messageHash === undefined ? { transactionHash } : { messageHash }
      return inFlight.track(() => hints.once(given))
    },
    stats() {
      const { oldestOpenMs } = runs.last ?? {}
      const oldestOpenAgeMs = oldestOpenMs === undefined ? undefined : clock.nowMs() - oldestOpenMs
      return { lastRun: runs.last, decisions: { ...runs.decisions }, oldestOpenAgeMs }
    },
    health: async (limits = {}) => assessHealth(context, schedule.completeSinceMs(), limits),
    close() {
      closing.abort()
      return (closed ??= drain(context, schedule))
    },
  }
}

function createParts(options: ResolvedWatcherOptions, closing: AbortSignal) {
  const lookNow = (): void => void schedule.request()
  const context: WatcherContext = {
    ...options,
    runs: new Runs(options),
    inFlight: createInFlight(),
    closing,
    lookNow,
    lookSoon: createSoon(options, closing, lookNow),
  }
  const hints = new Hints(context)
  const schedule = new Schedule(context, new StreamWatch(context, hints))
  return { context, hints, schedule }
}

async function drain(
  { clock, drainTimeoutMs, logger, inFlight }: WatcherContext,
  schedule: Schedule,
): Promise<void> {
  await withDeadline<unknown>(
    { clock, deadlineMs: drainTimeoutMs },
    () => Promise.all([schedule.stop(), inFlight.drained()]),
    () => logger.warn('watcher run still active at the end of the drain'),
  )
  schedule.endRequests()
}

/** Returns a function that calls `look` once, `minEveryMs` after its first call. */
function createSoon(
  { clock, minEveryMs }: ResolvedWatcherOptions,
  closing: AbortSignal,
  look: () => void,
): () => void {
  let isWaiting = false
  const end = (): void => {
    isWaiting = false
    if (!closing.aborted) look()
  }
  return () => {
    if (isWaiting || closing.aborted) return
    isWaiting = true
    startTimer(clock, minEveryMs, end, { isBackground: true })
  }
}

/** Without these methods, payments for completed, cancelled and unlisted orders are found in part only. */
function logMissingMethods({
  payments: { orders },
  matchBy,
  isCommentReference,
  logger,
}: ResolvedWatcherOptions): void {
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
