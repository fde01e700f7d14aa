import type { Clock } from '../runtime/clock.js'
import { positive } from '../transport/check-number.js'
import { checkOptionNames } from '../transport/option-names.js'
import type { ReconcileReport } from './report.js'

/** How strictly a reconciler is looked at. */
export interface ReconcilerHealthOptions {
  /**
   * Down when the oldest open order is older: leave the time for which your checkout waits for payers.
   * @default undefined (however old)
   */
  maxOpenAgeMs?: number | undefined
  /**
   * Down when no run of this process has come to its end for longer, since its start if none has. With several servers
   * each run is made by one of them.
   * @default undefined (however long)
   */
  maxIncompleteMs?: number | undefined
}

const NAMES: Record<keyof ReconcilerHealthOptions, true> = {
  maxOpenAgeMs: true,
  maxIncompleteMs: true,
}

/** Whether a reconciler runs, and what it found. */
export type ReconcilerHealth = {
  status: 'up' | 'down'
  /** How long ago the last run of this process began. This and what follows of it is absent before the first. */
  lastRunAgeMs?: number
  /** Whether it came to its end. */
  isComplete?: boolean
  /** Why it did not. */
  problem?: string
  openOrders?: number
  /** Absent too when there is none, or orders do not say when they were created. */
  oldestOpenAgeMs?: number
  /** See {@link ReconcileReport}. */
  ambiguous?: number
  unwatched?: number
  /** What this process has found in all its runs, by name. */
  found: ReconcileReport['found']
  /** Why it is down. */
  message?: string
}

/** What is looked at. */
export interface ReconcilerFacts {
  clock: Clock
  lastRun: ReconcileReport | undefined
  found: ReconcileReport['found']
  /** When a run last came to its end, or `start` was called; `undefined` when it does not run. */
  completeSinceMs: number | undefined
}

/** @throws {ConfigurationError} for a time that is none, and for an option that does not exist. */
export function judgeReconciler(
  { clock, lastRun, found, completeSinceMs }: ReconcilerFacts,
  options: ReconcilerHealthOptions,
): ReconcilerHealth {
  checkOptionNames(options, Object.keys(NAMES))
  const { maxOpenAgeMs = Infinity, maxIncompleteMs = Infinity } = options
  positive('maxOpenAgeMs', maxOpenAgeMs)
  positive('maxIncompleteMs', maxIncompleteMs)
  const nowMs = clock.nowMs()
  const run: Partial<ReconcilerHealth> = lastRun === undefined ? {} : describeRun(lastRun, nowMs)
  const message =
    completeSinceMs === undefined
      ? 'the reconciler has not been started, or was closed'
      : (tooLong('the oldest open order is', run.oldestOpenAgeMs ?? 0, maxOpenAgeMs) ??
        tooLong('the last complete run is', nowMs - completeSinceMs, maxIncompleteMs))
  return {
    status: message === undefined ? 'up' : 'down',
    ...run,
    found: { ...found },
    ...(message !== undefined && { message }),
  }
}

function describeRun(
  { startedAtMs, isComplete, problem, openOrders, oldestOpenMs, ...counts }: ReconcileReport,
  nowMs: number,
) {
  const { ambiguous, unwatched } = counts
  return {
    lastRunAgeMs: nowMs - startedAtMs,
    isComplete,
    ...(problem !== undefined && { problem }),
    openOrders,
    ...(oldestOpenMs !== undefined && { oldestOpenAgeMs: nowMs - oldestOpenMs }),
    ambiguous,
    unwatched,
  }
}

function tooLong(what: string, ageMs: number, maxMs: number): string | undefined {
  return ageMs > maxMs ? `${what} ${ageMs} ms old, more than ${maxMs} ms` : undefined
}
