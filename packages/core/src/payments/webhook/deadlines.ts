import type { Clock } from '../../shared/clock.js'

/** Requests that arrive within this time share a timer, so a deadline may be this much early. */
const SHARED_MS = 50

type Expire = () => void

/** The deadlines of concurrent requests. */
export type Deadlines = ReturnType<typeof createDeadlines>

/** Creates the deadlines of requests that each may take `deadlineMs`. */
export function createDeadlines(clock: Clock, deadlineMs: number) {
  let shared = { sinceMs: Number.NaN, waiting: new Set<Expire>() }
  return {
    /** Calls `expire` at the deadline of a request, in any async context. @returns the function that prevents it. */
    add(expire: Expire, elapsedMs: number): () => void {
      const leftMs = Math.max(0, deadlineMs - elapsedMs)
      const isBackground = true
      if (elapsedMs >= SHARED_MS) return clock.setTimer(expire, leftMs, { isBackground })
      const arrivedMs = clock.nowMs() - elapsedMs
      const ageMs = arrivedMs - shared.sinceMs
      // Also false when the machine's time was set back.
      const isFresh = ageMs >= 0 && ageMs < SHARED_MS
      if (!isFresh) {
        const waiting = new Set<Expire>()
        clock.setTimer(() => waiting.forEach((one) => one()), leftMs, { isBackground })
        shared = { sinceMs: arrivedMs, waiting }
      }
      const { waiting } = shared
      waiting.add(expire)
      return () => void waiting.delete(expire)
    },
  }
}
