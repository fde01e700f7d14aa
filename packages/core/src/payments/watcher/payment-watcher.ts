import type { Order } from '../orders/order.js'
import { checkedInbox } from '../inbox/checked-inbox.js'
import { createPoller } from '../engine/poller.js'
import { startTimer } from '../../shared/clock.js'
import { withDeadline } from '../../shared/timers.js'
import { FollowLoop } from '../../toncenter/follow/follow-loop.js'
import { checkedUntil } from './checked-until.js'
import { assessHealth, type WatcherHealth, type WatcherHealthOptions } from './health.js'
import { createMemory } from './memory.js'
import {
  resolveWatcherOptions,
  type PaymentWatcherOptions,
  type ResolvedWatcherOptions,
} from './options.js'
import {
  HINTED,
  JETTON_RETRY_MS,
  ReportedTransactions,
  STREAMED,
  type WatcherContext,
} from './reported-transactions.js'
import { createLateRefunds } from './release-refunds.js'
import { lookUpTransactions, runOnce } from './run-once.js'
import type { WatchProgress } from './run-state.js'
import { StreamWatch } from './stream-watch.js'
import type { WatchReport } from './watch-report.js'

/** Longest time that `close` waits for a running store. */
const DRAIN_MS = 5000

/** Finds payments on the chain and reports them to Payments. */
export interface PaymentWatcher {
  /**
   * Runs once, without the lease of the cursor. Two concurrent runs cost requests and are otherwise harmless.
   * @returns the result; `isComplete` is false, with the problem, when API v3, the gateway or a store failed.
   * @throws the signal's reason.
   */
  run(options?: {
    signal?: AbortSignal | undefined
    /** Leaves out open orders that are older, and what was received before. @default 2_592_000_000 (30 days) */
    maxOrderAgeMs?: number | undefined
    /** Open orders that are looked up individually, at API v3 and at the gateway. @default 2 */
    lookups?: number | undefined
    /** Called after each page of the index. An error that it throws ends the run. */
    onProgress?: ((progress: WatchProgress) => void) | undefined
  }): Promise<WatchReport>
  /**
   * Runs every `minIntervalMs` to `maxIntervalMs`, the more often the newer the newest open order is, on one of the servers that
   * share the cursor.
   */
  start(): void
  /**
   * Begins a run now, or after the running one, for example because a payment is known to have arrived. After `start` it
   * runs only on the server that holds the lease. Never rejects; errors are logged.
   * @param hint a transaction or a message that anyone has reported, even unauthenticated: only its trace is looked up, on any
   *   server. Ten seconds have 25 look-ups, of up to 50 hints each and up to two requests; further hints wait. A message that
   *   the index does not have is looked up again after 3 and 10 seconds. An invalid hash, and a message that was reported in the
   *   last minute, cost nothing. An unknown hash has no other effect.
   * @returns when that run or first look-up has ended.
   */
  checkNow(
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
   * Ends the runs and the lease: aborts requests, and waits up to five seconds for a running store. Close the watcher
   * before Payments.
   */
  close(): Promise<void>
}

/**
 * Creates a watcher: a source that reads from the chain what the merchant's wallets received, and optionally asks the
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
  const { memory, loop, hints } = createParts(options, closing.signal)
  const endWatch = options.payments.internals.addWatcher({
    checkedUntil: () => checkedUntil(options, memory),
    lookUp(transactionHash, jetton) {
      if (jetton === undefined) {
        void loop.inFlight.track(() => hints.once({ transactionHash }))
        return
      }
      memory.reportedJettons.set(jetton, true)
      hints.add({ transactionHash }, JETTON_RETRY_MS)
    },
    claimLateRefunds: createLateRefunds({
      ...options,
      inbox: checkedInbox(options.payments.internals.inbox),
      request: { signal: closing.signal },
    }),
  })
  let closed: Promise<void> | undefined

  return {
    async run({ signal, ...run } = {}) {
      const signals = [closing.signal, ...(signal === undefined ? [] : [signal])]
      const any = AbortSignal.any(signals)
      any.throwIfAborted()
      const thorough = { ...run, signal: any, isThorough: true }
      return loop.inFlight.track(() => runOnce(options, memory, thorough))
    },
    start() {
      if (loop.startedAtMs !== undefined || closing.signal.aborted) return
      logMissingMethods(options)
      loop.start()
    },
    checkNow: async (hint) => {
      if (closing.signal.aborted) return
      if (hint === undefined) return loop.request()
      const { messageHash, transactionHash } = hint
      const one = messageHash === undefined ? { transactionHash } : { messageHash }
      return loop.inFlight.track(() => hints.once(one))
    },
    stats() {
      const { last: lastRun, decisions } = memory
      const { oldestOpenMs } = lastRun ?? {}
      const oldestOpenAgeMs = oldestOpenMs === undefined ? undefined : clock.nowMs() - oldestOpenMs
      return { lastRun, decisions: { ...decisions }, oldestOpenAgeMs }
    },
    health: async (limits = {}) => {
      const completeSinceMs = loop.completeSinceMs(memory.completeAtMs)
      return assessHealth({ clock, memory, completeSinceMs }, limits)
    },
    close() {
      closing.abort()
      endWatch()
      return (closed ??= drain(options, loop))
    },
  }
}

function createParts(options: ResolvedWatcherOptions, closing: AbortSignal) {
  const { clock, logger, cursor: store, minIntervalMs, maxIntervalMs } = options
  const memory = createMemory(options)
  const { openOrders } = memory
  const checkNow = (): void => void loop.request()
  const lookSoon = createSoon(options, closing, checkNow)
  const lookUp = (hashes: readonly string[]): Promise<string[]> =>
    lookUpTransactions(options, memory, { hashes, signal: closing })
  const context: WatcherContext = { ...options, memory, closing, checkNow, lookSoon, lookUp }
  const hints = new ReportedTransactions(context, HINTED)
  const stream = new StreamWatch(context, new ReportedTransactions(context, STREAMED))
  const { name } = options.payments
  const { instrumentation } = options.payments.internals
  const loop: FollowLoop = new FollowLoop({
    store,
    clock,
    logger,
    closing,
    minIntervalMs,
    maxIntervalMs,
    repeat: (takeTurn) => createPoller({ name, clock, instrumentation, takeTurn }),
    async pass(signal) {
      const beganAtMs = clock.nowMs()
      // Until a thorough run is complete, the next one is thorough as well.
      const isThorough = beganAtMs - memory.lookedBackAtMs >= maxIntervalMs
      const { isComplete } = await runOnce(options, memory, { signal, isThorough })
      if (isThorough && isComplete) memory.lookedBackAtMs = beganAtMs
    },
    // An unreachable repository is logged by the next run.
    refresh: () => openOrders.addNew().catch(() => undefined),
    state: () => ({
      newestOrderMs: openOrders.newestMs,
      isComplete: memory.last?.isComplete !== false,
      isStreaming: stream.isConnected,
      retryAtMs: memory.nextRetryAtMs,
    }),
    onTurn: (isHeld) => stream.listen(isHeld ? openOrders.wallets() : new Set()),
  })
  return { memory, loop, hints }
}

async function drain({ clock, logger }: ResolvedWatcherOptions, loop: FollowLoop): Promise<void> {
  await withDeadline<unknown>(
    { clock, deadlineMs: DRAIN_MS },
    () => loop.stop(),
    () => logger.warn('watcher run still active at the end of the drain'),
  )
  loop.endRequests()
}

/** Returns a function that calls `look` once, `minIntervalMs` after its first call. */
function createSoon(
  { clock, minIntervalMs }: ResolvedWatcherOptions,
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
    startTimer(clock, minIntervalMs, end, { isBackground: true })
  }
}

/** Without these methods, payments for completed, cancelled and unlisted orders are found in part only. */
function logMissingMethods({
  payments,
  matchBy,
  isCommentReference,
  logger,
}: ResolvedWatcherOptions): void {
  const { orders } = payments.internals
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
