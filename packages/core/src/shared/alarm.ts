import { startTimer, type Clock, type TimerOptions } from './clock.js'

/** One timer that can be moved. */
export interface Alarm {
  /** Calls back after `delayMs`, instead of when it was set for before. */
  set(delayMs: number): void
  cancel(): void
}

/** Creates an alarm that is not set. */
export function createAlarm(clock: Clock, callback: () => void, options?: TimerOptions): Alarm {
  let cancel = (): void => undefined
  return {
    set(delayMs) {
      cancel()
      cancel = startTimer(clock, delayMs, callback, options)
    },
    cancel: () => cancel(),
  }
}

/** The wait of a loop, which others can end early. */
export interface Pause {
  /** Resolves after `delayMs`, or when it is woken. */
  sleep(delayMs: number): Promise<void>
  /** Ends the current wait, if there is one. */
  wake(): void
}

export function createPause(clock: Clock, options?: TimerOptions): Pause {
  let wake = (): void => undefined
  return {
    sleep: (delayMs) =>
      new Promise((resolve) => {
        const cancelTimer = startTimer(clock, delayMs, resolve, options)
        wake = () => {
          cancelTimer()
          resolve()
        }
      }),
    wake: () => wake(),
  }
}
