import { isTonplugError } from '../errors/tonplug-error.js'
import { createJobLink } from '../jobs/job-link.js'
import type { Order } from '../orders/order.js'
import { describeThrown, errorFacts } from '../runtime/error-facts.js'
import { withDeadline } from '../webhook/deadline.js'
import { judgeReconciler, type ReconcilerHealth, type ReconcilerHealthOptions } from './health.js'
import { resolveReconcilerOptions, type ReconcilerOptions } from './options.js'
import { createTally, type ReconcileReport, type Tally } from './report.js'
import { runOnce, type ReconcileProgress } from './run.js'

/** How a reconciler of this process stands. */
export interface ReconcilerStats {
  /** The last run of this process; with several servers another one may have run since. */
  lastRun: ReconcileReport | undefined
  /** What was found by this process, by name. */
  found: ReconcileReport['found']
  /** How old the oldest of the orders is by now that the last run found open, milliseconds. */
  oldestOpenAgeMs: number | undefined
}

/** Finds payments whose webhook never came. */
export interface Reconciler {
  /**
   * Goes through everything that has to be, once. Two at a time do no harm, and cost requests.
   * @returns what it found; `isComplete` is false, with the problem, where API v3, the gateway or a store failed.
   * @throws the signal's reason.
   */
  run(options?: {
    signal?: AbortSignal | undefined
    /** Told after each page of the index. What it throws ends the run. */
    onProgress?: ((progress: ReconcileProgress) => void) | undefined
  }): Promise<ReconcileReport>
  /** Runs `everyMs` from now on, on one of the servers that share `jobs`. */
  start(): void
  stats(): ReconcilerStats
  /**
   * Whether it runs, and what it found, for a monitor. Nothing is asked for it: it tells of this process.
   * @throws {ConfigurationError} for a time that is none.
   */
  health(options?: ReconcilerHealthOptions): Promise<ReconcilerHealth>
  /**
   * Runs no more: requests under way are broken off, and what a store is doing has up to `drainTimeoutMs` to end. Close
   * it ahead of the receiver.
   */
  close(): Promise<void>
}

/** How many transactions are remembered that need no second look. */
const MAX_SEEN = 50_000

/**
 * Looks for payments of open orders whose webhook never came: on the chain, by what their recipients got, and at the
 * gateway. What it finds goes through the receiver: the same rules, the same transition, the same handlers, and
 * besides those of what it found: see {@link Finding}.
 * @throws {ConfigurationError} when an option is missing or cannot work.
 * @example
 * ```ts
 * import { createReconciler, createV3Client } from '@tonplug/core'
 * import type { OrderRepository, WebhookReceiver } from '@tonplug/core'
 *
 * declare const receiver: WebhookReceiver
 * declare const orders: OrderRepository
 *
 * const reconciler = createReconciler({ receiver, orders, v3: createV3Client({ apiKey: 'key' }) })
 * reconciler.start()
 * ```
 */
export function createReconciler<O extends Order = Order>(given: ReconcilerOptions<O>): Reconciler {
  const options = resolveReconcilerOptions(given)
  const { clock, logger, jobs, everyMs, maxRunMs, receiver } = options
  const seen = new Set<string>()
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const found: ReconcileReport['found'] = {}
  let lastRun: ReconcileReport | undefined
  let completeSinceMs: number | undefined

  const report = (tally: Tally, problem: string | undefined): ReconcileReport => {
    const { count: _count, ...facts } = tally
    const durationMs = clock.nowMs() - tally.startedAtMs
    lastRun = { ...facts, durationMs, isComplete: problem === undefined, problem }
    for (const [name, count] of Object.entries(tally.found)) {
      // They are the names of findings.
      const finding = name as keyof typeof found
      found[finding] = (found[finding] ?? 0) + count
    }
    if (lastRun.isComplete && isStarted) completeSinceMs = clock.nowMs()
    if (seen.size > MAX_SEEN) seen.clear()
    return lastRun
  }
  const run = async (
    signal: AbortSignal,
    onProgress: (progress: ReconcileProgress) => void = () => undefined,
  ): Promise<ReconcileReport> => {
    const tally = createTally(clock.nowMs())
    try {
      await runOnce(options, { tally, signal, seen, onProgress })
      return report(tally, undefined)
    } catch (error) {
      if (signal.aborted) {
        report(tally, 'it was broken off')
        throw signal.reason
      }
      logger.warn('a reconciliation did not come to its end; the next one goes on', {
        error: errorFacts(error),
      })
      // What is no error of ours is a mistake in a program.
      if (!isTonplugError(error)) throw error
      return report(tally, describeThrown(error))
    }
  }
  const track = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.then(
      () => undefined,
      () => undefined,
    )
    running.add(ended)
    void ended.then(() => running.delete(ended))
    return work
  }
  /** Never rejects. */
  const runInTime = async (): Promise<void> => {
    if (closing.signal.aborted) return
    const timeUp = new AbortController()
    const cancel = clock.setTimer(() => timeUp.abort(), maxRunMs, { isBackground: true })
    const signal = AbortSignal.any([closing.signal, timeUp.signal])
    try {
      await run(signal)
    } catch (error) {
      const isOver = timeUp.signal.aborted || closing.signal.aborted
      const level = isOver ? 'info' : 'error'
      logger[level]('a reconciliation was broken off; the next one goes on', {
        error: errorFacts(error),
      })
    } finally {
      cancel()
    }
  }
  const onTurn = (): Promise<void> => track(runInTime())
  const link = createJobLink(
    { jobs, clock, logger },
    {
      receiver: `${receiver.name}:reconciler`,
      onWake: onTurn,
      onSweep: onTurn,
      sweepEveryMs: everyMs,
    },
  )
  let isStarted = false
  const close = async (): Promise<void> => {
    closing.abort()
    const left = isStarted ? link.leave() : undefined
    await withDeadline<unknown>(
      { clock, deadlineMs: options.drainTimeoutMs },
      () => Promise.all([left, ...running]),
      () => logger.warn('a reconciliation was still running at the end of the drain'),
    )
  }
  let closed: Promise<void> | undefined

  return {
    async run({ signal, onProgress } = {}) {
      const signals = [closing.signal, ...(signal === undefined ? [] : [signal])]
      const any = AbortSignal.any(signals)
      any.throwIfAborted()
      return track(run(any, onProgress))
    },
    start() {
      if (isStarted || closing.signal.aborted) return
      isStarted = true
      completeSinceMs = clock.nowMs()
      link.join()
    },
    stats() {
      const { oldestOpenMs } = lastRun ?? {}
      const oldestOpenAgeMs = oldestOpenMs === undefined ? undefined : clock.nowMs() - oldestOpenMs
      return { lastRun, found: { ...found }, oldestOpenAgeMs }
    },
    async health(healthOptions = {}) {
      const runsSinceMs = closing.signal.aborted ? undefined : completeSinceMs
      return judgeReconciler({ clock, lastRun, found, completeSinceMs: runsSinceMs }, healthOptions)
    },
    close: () => (closed ??= close()),
  }
}
