import { systemClock, type Clock } from '@tonplug/core'

/** The clock of this machine, which can be moved on. */
export interface MovingClock extends Clock {
  /** Milliseconds by which it is ahead of this machine. */
  readonly aheadMs: number
  /** Moves the clock on. */
  moveOn(durationMs: number): void
}

/** @param aheadMs negative for a clock that is behind until it is moved on */
export function createMovingClock(aheadMs = 0): MovingClock {
  return {
    nowMs: () => systemClock.nowMs() + aheadMs,
    setTimer: (...timer) => systemClock.setTimer(...timer),
    get aheadMs() {
      return aheadMs
    },
    moveOn: (durationMs) => void (aheadMs += durationMs),
  }
}
