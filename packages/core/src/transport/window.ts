import { positive } from './check-number.js'

/** How many requests in how long. */
export interface WindowSize {
  capacity: number
  durationMs: number
}

// A second, and a little more: the network delivers requests closer together than they were sent.
const WINDOW_MS = 1010

/**
 * The window that never lets more than `rps` requests into any one second.
 * @throws {ConfigurationError} when `rps` is not above 0.
 */
export function windowSize(rps: number): WindowSize {
  positive('rps', rps)
  return rps < 1
    ? { capacity: 1, durationMs: WINDOW_MS / rps }
    : { capacity: Math.floor(rps), durationMs: WINDOW_MS }
}

/** The last starts within a sliding window. */
export interface Window {
  /** From when on one more may start; long ago, when it may at once. */
  nextStartMs(): number
  recordStart(nowMs: number): void
}

/** A window without starts. @throws {ConfigurationError} when `rps` is not above 0. */
export function createWindow(rps: number): Window {
  const { capacity, durationMs } = windowSize(rps)
  if (capacity === Infinity) return { nextStartMs: () => -Infinity, recordStart: () => undefined }
  // A ring: the next place to write is that of the oldest start.
  const starts: number[] = []
  let next = 0
  return {
    nextStartMs: () => (starts[next] ?? -Infinity) + durationMs,
    recordStart(nowMs) {
      starts[next] = nowMs
      next = (next + 1) % capacity
    },
  }
}
