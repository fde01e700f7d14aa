import type { Order } from '../orders/order.js'
import { errorFacts } from '../shared/error-facts.js'
import { createLease } from './lease.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { Runs } from './runs.js'

/** Shortest delay between two runs. */
const SHORTEST_DELAY_MS = 1000

/** Background runs: limited to `maxRunMs`, with their errors logged. */
export interface Schedule {
  /** Runs unless the watcher is closed. Never rejects. */
  run(): Promise<void>
  /** Runs if this server holds the lease. Never rejects. @returns the delay until the next turn, milliseconds. */
  takeTurn(): Promise<number>
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
  const { clock, logger, everyMs, maxRunMs } = options
  const lease = createLease(options)
  let lookedUpAtMs = -Infinity
  let otherHeldAtMs = -Infinity

  const run = async (): Promise<void> => {
    if (closing.aborted) return
    const looksUpOrders = clock.nowMs() - lookedUpAtMs >= everyMs
    if (looksUpOrders) lookedUpAtMs = clock.nowMs()
    const timeUp = new AbortController()
    const cancel = clock.setTimer(() => timeUp.abort(), maxRunMs, { isBackground: true })
    const signal = AbortSignal.any([closing, timeUp.signal])
    try {
      await runs.run({ signal, looksUpOrders })
    } catch (error) {
      const level = signal.aborted ? 'info' : 'error'
      logger[level]('watcher run aborted; the next one continues', { error: errorFacts(error) })
    } finally {
      cancel()
    }
  }

  return {
    run,
    async takeTurn() {
      const isHolder = await lease.acquire()
      if (isHolder === false) otherHeldAtMs = clock.nowMs()
      if (isHolder !== true) return everyMs
      await run()
      const retryInMs = (runs.nextRetryAtMs ?? Infinity) - clock.nowMs()
      return Math.min(everyMs, Math.max(retryInMs, SHORTEST_DELAY_MS))
    },
    releaseLease: () => lease.release(),
    get otherHeldAtMs() {
      return otherHeldAtMs
    },
  }
}
