import { createPoller, type Poller } from '../payments/poller.js'
import { errorFacts } from '../shared/error-facts.js'
import type { WatcherContext } from './context.js'
import type { StreamWatch } from './stream-watch.js'

/** Shortest delay before a transaction is retried. */
const RETRY_DELAY_MS = 1000
/** Shortest delay after a run that was not complete, for example because the index is down. */
const FAILED_DELAY_MS = 5000
/** The time between two runs is this part of the age of the newest open order. */
const PART_OF_AGE = 60
/** Difference between the clocks of servers that the lease tolerates. */
const LEASE_MARGIN_MS = 10_000

/**
 * The scheduled runs of a started watcher, and the runs on request: limited to `maxRunMs`, with their errors logged. One of
 * the servers that share a cursor holds its lease and runs. No method rejects.
 */
export class Schedule {
  /** When `start` was called, milliseconds since the Unix epoch. */
  startedAtMs: number | undefined
  readonly #context: WatcherContext
  readonly #stream: StreamWatch
  readonly #poller: Poller
  /** Resolve the requests to run now: all that were made before a run begins wait for its end. */
  readonly #requests: (() => void)[] = []
  #lastRequested: Promise<void> = Promise.resolve()
  #isHolder = false
  /** When another server was last seen to hold the lease, milliseconds since the Unix epoch. */
  #otherHeldAtMs = -Infinity
  #ranAtMs = -Infinity
  #ranThoroughlyAtMs = -Infinity

  constructor(context: WatcherContext, stream: StreamWatch) {
    this.#context = context
    this.#stream = stream
    const { name, clock, instrumentation } = context.payments
    this.#poller = createPoller({ name, clock, instrumentation, takeTurn: () => this.#takeTurn() })
  }

  start(): void {
    this.startedAtMs = this.#context.clock.nowMs()
    this.#poller.start()
  }

  /** Ends the scheduled runs and the lease. */
  async stop(): Promise<void> {
    const { cursor, logger } = this.#context
    if (this.startedAtMs === undefined) return
    await this.#poller.stop()
    try {
      await cursor.release()
    } catch (error) {
      logger.warn('watcher lease not released; it expires', { error: errorFacts(error) })
    }
  }

  /** Begins a run now, or after the running one; without the lease before `start`. Resolves at the end of the run. */
  request(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#requests.push(resolve) > 1) return
      if (this.startedAtMs === undefined) this.#runRequested()
      else this.#poller.wake()
    })
  }

  /** Resolves the requests whose run will not begin. */
  endRequests(): void {
    this.#takeRequests()()
  }

  /** Returns when all was last known to be well, milliseconds since the Unix epoch; `undefined` unless it is started. */
  completeSinceMs(): number | undefined {
    const { runs, closing } = this.#context
    if (this.startedAtMs === undefined || closing.aborted) return undefined
    return Math.max(this.startedAtMs, runs.completeAtMs, this.#otherHeldAtMs)
  }

  /** Called when a run begins. Returns the function to call at its end. */
  #takeRequests(): () => void {
    const requests = this.#requests.splice(0)
    return () => {
      for (const end of requests) end()
    }
  }

  /** Runs without the lease, after the runs requested before. */
  #runRequested(): void {
    this.#lastRequested = this.#lastRequested.then(async () => {
      const end = this.#takeRequests()
      await this.#context.inFlight.track(() => this.#run())
      end()
    })
  }

  async #takeTurn(): Promise<number> {
    if (this.#requests.length === 0 && !(await this.#isDue())) return this.#delayMs()
    const end = this.#takeRequests()
    await this.#runAsHolder()
    end()
    return this.#delayMs()
  }

  /** Runs if this server holds the lease. */
  async #runAsHolder(): Promise<void> {
    const { clock, runs } = this.#context
    this.#isHolder = await this.#acquireLease()
    this.#stream.listen(this.#isHolder ? runs.openOrders.wallets() : new Set())
    if (!this.#isHolder) {
      this.#ranAtMs = clock.nowMs()
      return
    }
    await this.#run()
    this.#stream.listen(runs.openOrders.wallets())
  }

  async #acquireLease(): Promise<boolean> {
    const { clock, cursor, maxEveryMs, maxRunMs, logger } = this.#context
    try {
      const isHolder = await cursor.acquire(maxEveryMs + maxRunMs + LEASE_MARGIN_MS)
      if (isHolder === false) this.#otherHeldAtMs = clock.nowMs()
      return isHolder === true
    } catch (error) {
      logger.warn('watcher cursor not reachable', { error: errorFacts(error) })
      return false
    }
  }

  /** Runs unless the watcher is closed. */
  async #run(): Promise<void> {
    const { clock, logger, maxEveryMs, maxRunMs, runs, closing } = this.#context
    if (closing.aborted) return
    const beganAtMs = clock.nowMs()
    const isThorough = beganAtMs - this.#ranThoroughlyAtMs >= maxEveryMs
    const timeUp = new AbortController()
    const cancel = clock.setTimer(() => timeUp.abort(), maxRunMs, { isBackground: true })
    const signal = AbortSignal.any([closing, timeUp.signal])
    try {
      await runs.run({ signal, isThorough })
    } catch (error) {
      const level = signal.aborted ? 'info' : 'error'
      logger[level]('watcher run aborted; the next one continues', { error: errorFacts(error) })
    } finally {
      cancel()
    }
    // Until a thorough run is complete, the next one is thorough as well.
    if (isThorough && runs.last?.isComplete === true) this.#ranThoroughlyAtMs = beganAtMs
    this.#ranAtMs = clock.nowMs()
  }

  /** Returns whether a run is due. Reads the new orders first if that can make one due. */
  async #isDue(): Promise<boolean> {
    const { clock, runs } = this.#context
    if (this.#isHolder && this.#dueAtMs() > clock.nowMs()) {
      // An unreachable repository is logged by the next run.
      await runs.openOrders.addNew().catch(() => undefined)
      this.#stream.listen(runs.openOrders.wallets())
    }
    return this.#dueAtMs() <= clock.nowMs()
  }

  /** Returns the time until the next turn, milliseconds. */
  #delayMs(): number {
    const { clock, minEveryMs } = this.#context
    const leftMs = Math.max(0, this.#dueAtMs() - clock.nowMs())
    return this.#isHolder ? Math.min(leftMs, minEveryMs) : leftMs
  }

  #dueAtMs(): number {
    const { clock, minEveryMs, maxEveryMs, runs } = this.#context
    if (!this.#isHolder) return this.#ranAtMs + maxEveryMs
    const ageMs = clock.nowMs() - (runs.openOrders.newestMs ?? -Infinity)
    const isComplete = runs.last?.isComplete !== false
    const leastMs = isComplete ? minEveryMs : FAILED_DELAY_MS
    // The stream reports what a look would find.
    const isReported = isComplete && this.#stream.isConnected
    const everyMs = isReported
      ? maxEveryMs
      : Math.min(Math.max(ageMs / PART_OF_AGE, minEveryMs, leastMs), maxEveryMs)
    const retryAtMs = Math.max(runs.nextRetryAtMs ?? Infinity, this.#ranAtMs + RETRY_DELAY_MS)
    return Math.min(this.#ranAtMs + everyMs, retryAtMs)
  }
}
