import type { Clock } from '@tonplug/core'

/** How long the gateway waits for an answer; a busy machine may need it. */
const ANSWER_TIMEOUT_MS = 10_000

/** The machine's clock for a gateway whose retries come `factor` times sooner. */
export function hurriedClock(factor: number): Clock {
  return {
    nowMs: () => Date.now(),
    setTimer(callback, delayMs) {
      const hurriedMs = delayMs === ANSWER_TIMEOUT_MS ? delayMs : delayMs / factor
      const timer = setTimeout(callback, hurriedMs)
      return () => clearTimeout(timer)
    },
  }
}
