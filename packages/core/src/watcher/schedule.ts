import { createPoller, type Poller } from '../payments/poller.js'
import { errorFacts } from '../shared/error-facts.js'
import type { WatcherContext } from './context.js'
import { Lease, STANDBY_EVERY_MS } from './lease.js'
import type { StreamWatch } from './stream-watch.js'

/** Shortest delay before a transaction is retried. */
const RETRY_DELAY_MS = 1000
/** Shortest delay after a run that was not complete, for example because the index is down. */
const FAILED_DELAY_MS = 5000
/** The time between two runs is this part of the age of the newest open order. */
const PART_OF_AGE = 60

/**
 * The scheduled runs of a started watcher, and the runs on request: limited to `maxRunMs`, with their errors logged. One of
 * the servers that share a cursor holds its lease and runs. No method rejects.
 */
export class Schedule {
  /** When `start` was called, milliseconds since the Unix epoch. */
  startedAtMs: number | undefined
  readonly #context: WatcherContext
  readonly #stream: StreamWatch
  readonly #lease: Lease
  readonly #poller: Poller
  /** Resolve the requests to run now: all that were made before a run begins wait for its end. */
  readonly #requests: (() => void)[] = []
  #lastRequested: Promise<void> = Promise.resolve()
  #ranAtMs = -Infinity
  #ranThoroughlyAtMs = -Infinity

  constructor(context: WatcherContext, stream: StreamWatch) {
    this.#context = context
    this.#stream = stream
    this.#lease = new Lease(context, () => stream.listen(new Set()))
    const { name, clock, instrumentation } = context.payments
    this.#poller = createPoller({ name, clock, instrumentation, takeTurn: () => this.#takeTurn() })
  }

  start(): void {
    this.startedAtMs = this.#context.clock.nowMs()
    this.#lease.start()
    this.#poller.start()
  }

  /** Ends the scheduled runs and the lease. */
  async stop(): Promise<void> {
    if (this.startedAtMs === undefined) return
    await this.#poller.stop()
    await this.#lease.release()
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
    return Math.max(this.startedAtMs, runs.completeAtMs, this.#lease.otherHeldAtMs)
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
    await this.#lease.acquire()
    this.#listen()
    if (!this.#lease.isHeld) {
      this.#ranAtMs = this.#context.clock.nowMs()
      return
    }
    await this.#run(this.#lease.signal)
    this.#listen()
  }

  /** Listens to the stream for the wallets of all open orders while this server holds the lease. */
  #listen(): void {
    const { openOrders } = this.#context.runs
    this.#stream.listen(this.#lease.isHeld ? openOrders.wallets() : new Set())
  }

  /** Runs unless the watcher is closed. @param lost ends the run */
  async #run(lost?: AbortSignal): Promise<void> {
    const { clock, logger, maxEveryMs, maxRunMs, runs, closing } = this.#context
    if (closing.aborted) return
    const beganAtMs = clock.nowMs()
    const isThorough = beganAtMs - this.#ranThoroughlyAtMs >= maxEveryMs
    const timeUp = new AbortController()
    const cancel = clock.setTimer(() => timeUp.abort(), maxRunMs, { isBackground: true })
    const signals = [closing, timeUp.signal, ...(lost === undefined ? [] : [lost])]
    const signal = AbortSignal.any(signals)
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
    if (this.#lease.isHeld && this.#dueAtMs() > clock.nowMs()) {
      // An unreachable repository is logged by the next run.
      await runs.openOrders.addNew().catch(() => undefined)
      this.#listen()
    }
    return this.#dueAtMs() <= clock.nowMs()
  }

  /** Returns the time until the next turn, milliseconds. */
  #delayMs(): number {
    const { clock, minEveryMs } = this.#context
    const leftMs = Math.max(0, this.#dueAtMs() - clock.nowMs())
    return this.#lease.isHeld ? Math.min(leftMs, minEveryMs) : leftMs
  }

  #dueAtMs(): number {
    const { clock, minEveryMs, maxEveryMs, runs } = this.#context
    if (!this.#lease.isHeld) return this.#ranAtMs + Math.min(maxEveryMs, STANDBY_EVERY_MS)
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
