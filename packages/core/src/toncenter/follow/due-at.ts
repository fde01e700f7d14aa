/** Shortest delay before a row is retried. */
const RETRY_DELAY_MS = 1000
/** Shortest delay after a pass that was not complete, for example because the index is down. */
const FAILED_DELAY_MS = 5000
/** The time between two passes is this part of the age of the newest open order. */
const PART_OF_AGE = 60

/** The limits of the time between two passes. */
export interface FollowInterval {
  minIntervalMs: number
  maxIntervalMs: number
}

/** The facts that decide when the next pass is due. Times are milliseconds since the Unix epoch. */
export interface FollowState {
  /** When the newest order that waits for a payment was created; `undefined` without one. */
  newestOrderMs: number | undefined
  /** False after a pass that failed. */
  isComplete: boolean
  /** True while a stream reports what a pass would find. */
  isStreaming: boolean
  /** When a row is to be read again. */
  retryAtMs: number | undefined
}

/**
 * Returns when the next pass is due, milliseconds since the Unix epoch: soon for a new order, later for an old one.
 * @param times the time now, and the end of the last pass
 */
export function dueAtMs(
  { minIntervalMs, maxIntervalMs }: FollowInterval,
  { newestOrderMs = -Infinity, isComplete, isStreaming, retryAtMs = Infinity }: FollowState,
  { nowMs, ranAtMs }: { nowMs: number; ranAtMs: number },
): number {
  const leastMs = Math.max(minIntervalMs, isComplete ? 0 : FAILED_DELAY_MS)
  const byAgeMs = Math.min(Math.max((nowMs - newestOrderMs) / PART_OF_AGE, leastMs), maxIntervalMs)
  const intervalMs = isComplete && isStreaming ? maxIntervalMs : byAgeMs
  return Math.min(ranAtMs + intervalMs, Math.max(retryAtMs, ranAtMs + RETRY_DELAY_MS))
}
