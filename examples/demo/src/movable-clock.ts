import { systemClock, type Clock } from '@tonplug/core'

/** The machine's clock, which can be put forward. Timers take as long as they do. */
export function movableClock(): { clock: Clock; moveAhead: (ms: number) => void } {
  let aheadMs = 0
  return {
    clock: { ...systemClock, nowMs: () => Date.now() + aheadMs },
    moveAhead(ms) {
      aheadMs += ms
    },
  }
}
