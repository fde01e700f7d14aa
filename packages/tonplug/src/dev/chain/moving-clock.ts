import { systemClock, type Clock } from '@tonplug/core'

/** The clock of this machine, which can be moved on. */
export interface MovingClock extends Clock {
  /** Milliseconds by which it is ahead of this machine. */
  readonly aheadMs: number
  /** Moves the clock on. */
  moveOn(durationMs: number): void
}

/** Creates a clock that is not ahead. */
export function createMovingClock(): MovingClock {
  let aheadMs = 0
  return {
    nowMs: () => systemClock.nowMs() + aheadMs,
    setTimer: (...timer) => systemClock.setTimer(...timer),
    get aheadMs() {
      return aheadMs
    },
    moveOn: (durationMs) => void (aheadMs += durationMs),
  }
}
