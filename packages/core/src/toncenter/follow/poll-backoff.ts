import { backoffDelay, sleep } from '../../shared/timers.js'
import type { Clock } from '../../shared/clock.js'
import { isTonplugError, isTransient, type TonplugError } from '../../shared/tonplug-error.js'
import type { Waker } from './waker.js'

const MAX_DELAY_MS = 60_000

interface PollBackoffOptions {
  clock: Clock
  pollMs: number
  signal: AbortSignal
  onError: ((error: TonplugError) => void) | undefined
  /** Shortens the wait after a successful poll when an event arrives. */
  waker?: Waker | undefined
  /** Returns true for additional transient errors. */
  isTransientHere?: (error: TonplugError) => boolean
}

/** Creates delays between polls, doubled after each consecutive failure. */
export function createPollBackoff(options: PollBackoffOptions) {
  const { clock, pollMs, signal, onError } = options
  const backoff = { minDelayMs: pollMs, maxDelayMs: Math.max(pollMs, MAX_DELAY_MS) }
  let failures = 0
  return {
    /** Waits after a successful poll. */
    async wait() {
      failures = 0
      if (options.waker === undefined) await sleep(clock, pollMs, signal)
      else await options.waker.wait(pollMs, backoff.maxDelayMs)
    },
    /** Resets the delay after a success, without waiting. */
    reset() {
      failures = 0
    },
    /** Waits after a transient error. @throws any other error. */
    async waitAfterError(error: unknown) {
      signal.throwIfAborted()
      if (!isTonplugError(error)) throw error
      if (!isTransient(error) && options.isTransientHere?.(error) !== true) throw error
      onError?.(error)
      await sleep(clock, backoffDelay(backoff, ++failures), signal)
    },
  }
}
