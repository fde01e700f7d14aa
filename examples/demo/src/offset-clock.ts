import { systemClock, type Clock } from '@tonplug/core'

/** Creates a clock that can be moved forward. Timers are not affected. */
export function offsetClock(): { clock: Clock; advanceClock: (ms: number) => void } {
  let aheadMs = 0
  return {
    clock: { ...systemClock, nowMs: () => Date.now() + aheadMs },
    advanceClock(ms) {
      aheadMs += ms
    },
  }
}
