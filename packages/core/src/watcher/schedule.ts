import type { Order } from '../orders/order.js'
import { errorFacts } from '../shared/error-facts.js'
import { createLease } from './lease.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { Runs } from './runs.js'

/** Shortest delay before a transaction is retried. */
const RETRY_DELAY_MS = 1000
/** Shortest delay after a run that was not complete, for example because the index is down. */
const FAILED_DELAY_MS = 5000
/** The time between two runs is this part of the age of the newest open order. */
const PART_OF_AGE = 60

/** Background runs: limited to `maxRunMs`, with their errors logged. No method rejects. */
export interface Schedule {
  /** Runs unless the watcher is closed. */
  run(): Promise<void>
  /** Runs if this server holds the lease. */
  runAsHolder(): Promise<void>
  /** Returns whether a run is due. Reads the new orders first if that can make one due. */
  isDue(): Promise<boolean>
  /** Returns the time until `isDue` must be asked again, milliseconds. */
  delayMs(): number
  releaseLease(): Promise<void>
  /** When another server was last seen to hold the lease, milliseconds since the Unix epoch. */
  readonly otherHeldAtMs: number
}

/** @param closing aborted when the watcher is closed */
export function createSchedule<O extends Order>(
  options: ResolvedWatcherOptions<O>,
  runs: Runs,
  closing: AbortSignal,
): Schedule {
  const { clock, minEveryMs, maxEveryMs } = options
  const lease = createLease(options)
  let ranAtMs = -Infinity
  let ranThoroughlyAtMs = -Infinity
  let isHolder: boolean | undefined
  let otherHeldAtMs = -Infinity

  const dueAtMs = (): number => {
    if (isHolder !== true) return ranAtMs + maxEveryMs
    const ageMs = clock.nowMs() - (runs.openOrders.newestMs ?? -Infinity)
    const leastMs = runs.last?.isComplete === false ? FAILED_DELAY_MS : minEveryMs
    const everyMs = Math.min(Math.max(ageMs / PART_OF_AGE, minEveryMs, leastMs), maxEveryMs)
    const retryAtMs = Math.max(runs.nextRetryAtMs ?? Infinity, ranAtMs + RETRY_DELAY_MS)
    return Math.min(ranAtMs + everyMs, retryAtMs)
  }
  const run = async (): Promise<void> => {
    if (closing.aborted) return
    const beganAtMs = clock.nowMs()
    const isThorough = beganAtMs - ranThoroughlyAtMs >= maxEveryMs
    await runLogged(options, { runs, closing, isThorough })
    // Until a thorough run is complete, the next one is thorough as well.
    if (isThorough && runs.last?.isComplete === true) ranThoroughlyAtMs = beganAtMs
    ranAtMs = clock.nowMs()
  }

  return {
    run,
    async runAsHolder() {
      isHolder = await lease.acquire()
      if (isHolder === false) otherHeldAtMs = clock.nowMs()
      if (isHolder === true) await run()
      else ranAtMs = clock.nowMs()
    },
    async isDue() {
      if (isHolder === true && dueAtMs() > clock.nowMs()) {
        // An unreachable repository is logged by the next run.
        await runs.openOrders.addNew().catch(() => undefined)
      }
      return dueAtMs() <= clock.nowMs()
    },
    delayMs() {
      const leftMs = Math.max(0, dueAtMs() - clock.nowMs())
      return isHolder === true ? Math.min(leftMs, minEveryMs) : leftMs
    },
    releaseLease: () => lease.release(),
    get otherHeldAtMs() {
      return otherHeldAtMs
    },
  }
}

/** Never rejects. */
async function runLogged<O extends Order>(
  { clock, logger, maxRunMs }: ResolvedWatcherOptions<O>,
  { runs, closing, isThorough }: { runs: Runs; closing: AbortSignal; isThorough: boolean },
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
