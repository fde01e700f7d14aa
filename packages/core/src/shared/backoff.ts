/** Bounds of an exponential backoff. */
export interface Backoff {
  /** The delay after the first failure. */
  minDelayMs: number
  maxDelayMs: number
}

/** Keeps the power finite, so that a delay of 0 stays 0. */
const MOST_DOUBLINGS = 32

/**
 * Returns the delay before the next attempt: doubled after each failure, up to `maxDelayMs`.
 * @param failures failures in a row, at least 1
 */
export function backoffDelay({ minDelayMs, maxDelayMs }: Backoff, failures: number): number {
  return Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(failures - 1, MOST_DOUBLINGS))
}
