import type { Clock } from '@tonplug/core'

/** The machine's clock, with timers that fire `factor` times sooner. */
export function hurriedClock(factor: number): Clock {
  return {
    nowMs: () => Date.now(),
    setTimer(callback, delayMs) {
      const timer = setTimeout(callback, delayMs / factor)
      return () => clearTimeout(timer)
    },
  }
}
