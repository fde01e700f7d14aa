import type { Clock } from '../shared/clock.js'

/** Requests that arrive within this time share a timer, so a deadline may be this much early. */
const SHARED_MS = 50

type Expire = () => void

/** The deadlines of concurrent requests. */
export type Deadlines = ReturnType<typeof createDeadlines>

/** Creates the deadlines of requests that each may take `deadlineMs`. */
export function createDeadlines(clock: Clock, deadlineMs: number) {
  let shared = { sinceMs: Number.NaN, waiting: new Set<Expire>() }

  const begin = (delayMs: number): Set<Expire> => {
    const waiting = new Set<Expire>()
    const expireAll = (): void => waiting.forEach((expire) => expire())
    clock.setTimer(expireAll, Math.max(0, delayMs), { isBackground: true })
    return waiting
  }
  return {
    /** Calls `expire` at the deadline of a request, in any async context. @returns where to delete `expire` before that. */
    add(expire: Expire, elapsedMs: number): Set<Expire> {
      if (elapsedMs > 0) return begin(deadlineMs - elapsedMs).add(expire)
      const ageMs = clock.nowMs() - shared.sinceMs
      // Also false when the machine's time was set back.
      const isFresh = ageMs >= 0 && ageMs < SHARED_MS
      if (!isFresh) shared = { sinceMs: clock.nowMs(), waiting: begin(deadlineMs) }
      return shared.waiting.add(expire)
    },
  }
}
