import type { Clock } from '../runtime/clock.js'

/**
 * Runs `work`, and answers in its place when it takes longer than `deadlineMs`. The work is not cut off: what it
 * has begun to write it finishes; the signal is for what has not begun.
 */
export async function withDeadline<Result>(
  { clock, deadlineMs }: { clock: Clock; deadlineMs: number },
  work: (signal: AbortSignal) => Promise<Result>,
  atDeadline: () => Result,
): Promise<Result> {
  const controller = new AbortController()
  let cancel = (): void => undefined
  const deadline = new Promise<Result>((resolve) => {
    cancel = clock.setTimer(() => {
      resolve(atDeadline())
      controller.abort()
    }, deadlineMs)
  })
  try {
    return await Promise.race([work(controller.signal), deadline])
  } finally {
    cancel()
  }
}
