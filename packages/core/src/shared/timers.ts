import { onAbort } from './abort.js'
import { startTimer, type Clock, type TimerOptions } from './clock.js'

/** Resolves after `delayMs`. @throws the signal's reason, as soon as it is aborted. */
export function sleep(
  clock: Clock,
  delayMs: number,
  signal: AbortSignal,
  options?: TimerOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      stopListening()
      resolve()
    }
    const cancelTimer = startTimer(clock, delayMs, end, options)
    const stopListening = onAbort(signal, () => {
      cancelTimer()
      reject(signal.reason)
    })
  })
}

/** Limits of a piece of work. */
export interface Deadline {
  clock: Clock
  deadlineMs: number
  /** The timer does not keep the process alive. @default false */
  isBackground?: boolean | undefined
  /** Ends the wait, with its reason. The work does not start when it is already aborted. */
  signal?: AbortSignal | undefined
}

/**
 * Runs `work`, and returns or throws what `atDeadline()` does when it takes longer than `deadlineMs`. The work continues, but
 * its signal is aborted, with the error if `atDeadline` throws one.
 * @throws what `work` throws, and the reason of `limit.signal`.
 */
export function withDeadline<Result>(
  limit: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
  atDeadline: () => Result,
): Promise<Result> {
  const { clock, deadlineMs, signal } = limit
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const controller = new AbortController()
    const release = (): void => {
      cancelTimer()
      stopListening?.()
    }
    const fail = (reason: unknown): void => {
      release()
      reject(reason)
      controller.abort(reason)
    }
    const end = (): void => {
      try {
        release()
        resolve(atDeadline())
        controller.abort()
      } catch (error) {
        fail(error)
      }
    }
    const cancelTimer = startTimer(clock, deadlineMs, end, limit)
    const stopListening = signal && onAbort(signal, () => fail(signal.reason))
    work(controller.signal).then(resolve, reject).finally(release)
  })
}

/** One timer that can be moved. */
export interface Alarm {
  /** Calls back after `delayMs`, instead of when it was set for before. */
  set(delayMs: number): void
  cancel(): void
}

/** Creates an alarm that is not set. */
export function createAlarm(clock: Clock, callback: () => void, options?: TimerOptions): Alarm {
  let cancel = (): void => undefined
  return {
    set(delayMs) {
      cancel()
      cancel = startTimer(clock, delayMs, callback, options)
    },
    cancel: () => cancel(),
  }
}

/** The wait of a loop, which others can end early. */
export interface Pause {
  /** Resolves after `delayMs`, or when it is woken. */
  sleep(delayMs: number): Promise<void>
  /** Ends the current wait, if there is one. */
  wake(): void
}

export function createPause(clock: Clock, options?: TimerOptions): Pause {
  let wake = (): void => undefined
  return {
    sleep: (delayMs) =>
      new Promise((resolve) => {
        const cancelTimer = startTimer(clock, delayMs, resolve, options)
        wake = () => {
          cancelTimer()
          resolve()
        }
      }),
    wake: () => wake(),
  }
}

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
