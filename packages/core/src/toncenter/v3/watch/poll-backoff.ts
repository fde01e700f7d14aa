import { sleep } from '../../../shared/abort.js'
import { backoffDelay } from '../../../shared/backoff.js'
import type { Clock } from '../../../shared/clock.js'
import { isTonplugError, isTransient, type TonplugError } from '../../../shared/tonplug-error.js'
import type { Waker } from './waker.js'

const MAX_DELAY_MS = 60_000

/** Delays between polls, doubled after each consecutive failure. */
export interface PollBackoff {
  /** Waits after a successful poll. */
  wait(): Promise<void>
  /** Resets the delay after a success, without waiting. */
  reset(): void
  /** Waits after a transient error. @throws any other error. */
  waitAfterError(error: unknown): Promise<void>
}

export interface PollBackoffOptions {
  clock: Clock
  pollMs: number
  signal: AbortSignal
  onError: ((error: TonplugError) => void) | undefined
  /** Shortens the wait after a successful poll when an event arrives. */
  waker?: Waker | undefined
  /** Returns true for additional transient errors. */
  isTransientHere?: (error: TonplugError) => boolean
}

export function createPollBackoff(options: PollBackoffOptions): PollBackoff {
  const { clock, pollMs, signal, onError } = options
  const backoff = { minDelayMs: pollMs, maxDelayMs: Math.max(pollMs, MAX_DELAY_MS) }
  let failures = 0
  return {
    async wait() {
      failures = 0
      if (options.waker === undefined) await sleep(clock, pollMs, signal)
      else await options.waker.wait(pollMs, backoff.maxDelayMs)
    },
    reset() {
      failures = 0
    },
    async waitAfterError(error) {
      signal.throwIfAborted()
      if (!isTonplugError(error)) throw error
      if (!isTransient(error) && options.isTransientHere?.(error) !== true) throw error
      onError?.(error)
      await sleep(clock, backoffDelay(backoff, ++failures), signal)
    },
  }
}
