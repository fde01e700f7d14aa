import { errorFacts } from '../shared/error-facts.js'
import { Lease } from './lease.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { Runs } from './runs.js'
import type { StreamWatch } from './stream-watch.js'

/** Shortest delay before a transaction is retried. */
const RETRY_DELAY_MS = 1000
/** Shortest delay after a run that was not complete, for example because the index is down. */
const FAILED_DELAY_MS = 5000
/** The time between two runs is this part of the age of the newest open order. */
const PART_OF_AGE = 60

/** Dependencies of {@link Schedule}. */
interface ScheduleOptions extends Pick<
  ResolvedWatcherOptions,
  'clock' | 'logger' | 'cursor' | 'minEveryMs' | 'maxEveryMs' | 'maxRunMs'
> {
  runs: Runs
  stream: StreamWatch
  /** Aborted when the watcher is closed. */
  closing: AbortSignal
}

/** Background runs: limited to `maxRunMs`, with their errors logged. No method rejects. */
export class Schedule {
  /** When another server was last seen to hold the lease, milliseconds since the Unix epoch. */
  otherHeldAtMs = -Infinity
  readonly #options: ScheduleOptions
  readonly #lease: Lease
  #isHolder: boolean | undefined
  #ranAtMs = -Infinity
  #ranThoroughlyAtMs = -Infinity

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#lease = new Lease(options)
  }

  /** Runs unless the watcher is closed. */
  async run(): Promise<void> {
    const { clock, maxEveryMs, runs, closing } = this.#options
    if (closing.aborted) return
    const beganAtMs = clock.nowMs()
    const isThorough = beganAtMs - this.#ranThoroughlyAtMs >= maxEveryMs
    await runLogged(this.#options, isThorough)
    // Until a thorough run is complete, the next one is thorough as well.
    if (isThorough && runs.last?.isComplete === true) this.#ranThoroughlyAtMs = beganAtMs
    this.#ranAtMs = clock.nowMs()
  }

  /** Runs if this server holds the lease. */
  async runAsHolder(): Promise<void> {
    const { clock, runs, stream } = this.#options
    this.#isHolder = await this.#lease.acquire()
    if (this.#isHolder === false) this.otherHeldAtMs = clock.nowMs()
    stream.listen(this.#isHolder === true ? runs.wallets() : new Set())
    if (this.#isHolder !== true) {
      this.#ranAtMs = clock.nowMs()
      return
    }
    await this.run()
    stream.listen(runs.wallets())
  }

  /** Returns whether a run is due. Reads the new orders first if that can make one due. */
  async isDue(): Promise<boolean> {
    const { clock, runs, stream } = this.#options
    if (this.#isHolder === true && this.#dueAtMs() > clock.nowMs()) {
      // An unreachable repository is logged by the next run.
      await runs.openOrders.addNew().catch(() => undefined)
      stream.listen(runs.wallets())
    }
    return this.#dueAtMs() <= clock.nowMs()
  }

  /** Returns the time until `isDue` must be asked again, milliseconds. */
  delayMs(): number {
    const { clock, minEveryMs } = this.#options
    const leftMs = Math.max(0, this.#dueAtMs() - clock.nowMs())
    return this.#isHolder === true ? Math.min(leftMs, minEveryMs) : leftMs
  }

  #dueAtMs(): number {
    const { clock, minEveryMs, maxEveryMs, runs, stream } = this.#options
    if (this.#isHolder !== true) return this.#ranAtMs + maxEveryMs
    const ageMs = clock.nowMs() - (runs.openOrders.newestMs ?? -Infinity)
    const isComplete = runs.last?.isComplete !== false
    const leastMs = isComplete ? minEveryMs : FAILED_DELAY_MS
    // The stream reports what a look would find.
    const isReported = isComplete && stream.isConnected
    const everyMs = isReported
      ? maxEveryMs
      : Math.min(Math.max(ageMs / PART_OF_AGE, minEveryMs, leastMs), maxEveryMs)
    const retryAtMs = Math.max(runs.nextRetryAtMs ?? Infinity, this.#ranAtMs + RETRY_DELAY_MS)
    return Math.min(this.#ranAtMs + everyMs, retryAtMs)
  }

  releaseLease(): Promise<void> {
    return this.#lease.release()
  }
}

/** Never rejects. */
async function runLogged(
  { clock, logger, maxRunMs, runs, closing }: ScheduleOptions,
  isThorough: boolean,
): Promise<void> {
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
}
