import { z } from 'zod'
import { CLOCK_TOLERANCE_MS } from '../orders/order-age.js'
import { parseOptions, positive, type OptionSchemas } from '../../shared/options.js'
import type { Clock } from '../../shared/clock.js'
import type { WatcherMemory } from './memory.js'
import type { WatchReport } from './watch-report.js'
import { lazy } from '../../shared/lazy.js'

/** Limits of a watcher's health. */
export interface WatcherHealthOptions {
  /**
   * `down` when the oldest open order is older. Choose a longer time than your checkout waits for payers.
   * @default undefined (any age)
   */
  maxOpenAgeMs?: number | undefined
  /**
   * `down` when the last complete run of this process, or its start, is older. A process that leaves the runs to another
   * server, which holds the lease, is not `down`.
   * @default undefined (any age)
   */
  maxIncompleteMs?: number | undefined
}

const SCHEMA = lazy(() =>
  z.strictObject({
    maxOpenAgeMs: positive.default(Infinity),
    maxIncompleteMs: positive.default(Infinity),
  } satisfies OptionSchemas<WatcherHealthOptions>),
)

/** The health of a watcher, and its counters. */
export type WatcherHealth = {
  /** `degraded`: payments are found, but a clock is wrong, so some may count as older than their order. */
  status: 'up' | 'degraded' | 'down'
  /** Age of the last run of this process. This and the other facts of a run are absent before the first one. */
  lastRunAgeMs?: number
  /** False when the last run failed or its time was over. */
  isComplete?: boolean
  /** Age of the last complete run of this process; absent before the first one. */
  lastCompleteAgeMs?: number
  /** Why the last run is not complete. */
  problem?: string
  openOrders?: number
  /** Absent also without open orders, and for orders without a creation time. */
  oldestOpenAgeMs?: number
  /** Age of the newest block up to which everything is known; absent before a run was complete. */
  cursorLagMs?: number
  /** Time by which the clock is ahead of the chain; negative when it is behind. Absent for a difference of seconds. */
  clockAheadMs?: number
  /** See {@link WatchReport}. */
  ambiguous?: number
  unwatched?: number
  /** Decisions about the transfers that this process found in all its runs. */
  decisions: WatchReport['decisions']
  /** Why the status is `degraded` or `down`. */
  message?: string
}

/** The state of a watcher. */
export interface WatcherState {
  clock: Clock
  memory: WatcherMemory
  /** When a run was last complete, or `start` was called; `undefined` when the watcher is not running. */
  completeSinceMs: number | undefined
}

/** @throws {ConfigurationError} for an invalid time or an unknown option. */
export function assessHealth(
  { clock, memory, completeSinceMs }: WatcherState,
  options: WatcherHealthOptions,
): WatcherHealth {
  const { maxOpenAgeMs, maxIncompleteMs } = parseOptions(SCHEMA(), options)
  const nowMs = clock.nowMs()
  const run: Partial<WatcherHealth> = memory.last ? describeRun(memory, memory.last, nowMs) : {}
  const message =
    completeSinceMs === undefined
      ? 'the watcher has not been started, or was closed'
      : (memory.refusal ??
        tooLong('the oldest open order is', run.oldestOpenAgeMs ?? 0, maxOpenAgeMs) ??
        tooLong('the last complete run is', nowMs - completeSinceMs, maxIncompleteMs))
  const clockAheadMs = memory.chainClock.differenceMs
  const wrongClock = whyDegraded(clockAheadMs, (memory.openOrders.newestMs ?? -Infinity) - nowMs)
  const facts = {
    ...run,
    ...(clockAheadMs !== undefined && { clockAheadMs }),
    decisions: { ...memory.decisions },
  }
  if (message !== undefined) return { status: 'down', ...facts, message }
  if (wrongClock !== undefined) return { status: 'degraded', ...facts, message: wrongClock }
  return { status: 'up', ...facts }
}

/** @param futureMs time by which the newest open order is in the future */
function whyDegraded(clockAheadMs: number | undefined, futureMs: number): string | undefined {
  if (clockAheadMs !== undefined) {
    const direction = clockAheadMs > 0 ? 'ahead of' : 'behind'
    return `the clock of this process is ${Math.abs(clockAheadMs)} ms ${direction} the newest block; synchronize it, unless the index is behind`
  }
  if (futureMs <= CLOCK_TOLERANCE_MS) return undefined
  return `the newest open order was created ${futureMs} ms in the future; correct the clock or the time zone of the database`
}

function describeRun(
  { completeAtMs }: WatcherMemory,
  { startedAtMs, isComplete, problem, openOrders, oldestOpenMs, ...counts }: WatchReport,
  nowMs: number,
) {
  const { ambiguous, unwatched, scannedTo } = counts
  return {
    lastRunAgeMs: nowMs - startedAtMs,
    isComplete,
    ...(completeAtMs > 0 && { lastCompleteAgeMs: nowMs - completeAtMs }),
    ...(problem !== undefined && { problem }),
    openOrders,
    ...(oldestOpenMs !== undefined && { oldestOpenAgeMs: nowMs - oldestOpenMs }),
    ...(scannedTo !== undefined && { cursorLagMs: Math.max(0, nowMs - scannedTo * 1000) }),
    ambiguous,
    unwatched,
  }
}

function tooLong(what: string, ageMs: number, maxMs: number): string | undefined {
  return ageMs > maxMs ? `${what} ${ageMs} ms old, more than ${maxMs} ms` : undefined
}
