import type { Clock } from '@tonplug/core'

/** Time that the gateway waits for a response; not shortened, because a busy machine may need it. */
const ANSWER_TIMEOUT_MS = 10_000

/** Creates a clock for a gateway that retries `factor` times faster. */
export function fastClock(factor: number): Clock {
  return {
    nowMs: () => Date.now(),
    setTimer(callback, delayMs) {
      const shortenedMs = delayMs === ANSWER_TIMEOUT_MS ? delayMs : delayMs / factor
      const timer = setTimeout(callback, shortenedMs)
      return () => clearTimeout(timer)
    },
  }
}
