import { onAbort } from './abort.js'
import { startTimer, type Clock } from './clock.js'

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
