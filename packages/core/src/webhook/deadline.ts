import type { Clock } from '../runtime/clock.js'

/**
 * Runs `work`, and answers in its place when it takes longer than `deadlineMs`. The work is not cut off: what it
 * has begun to write it finishes; the signal is for what has not begun.
 */
export function withDeadline<Result>(
  { clock, deadlineMs }: { clock: Clock; deadlineMs: number },
  work: (signal: AbortSignal) => Promise<Result>,
  atDeadline: () => Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const cancel = clock.setTimer(() => {
      resolve(atDeadline())
      controller.abort()
    }, deadlineMs)
    work(controller.signal).then(
      (result) => {
        cancel()
        resolve(result)
      },
      (error: Error) => {
        cancel()
        reject(error)
      },
    )
  })
}
