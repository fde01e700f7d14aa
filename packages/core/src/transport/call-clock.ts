import type { Clock } from '../runtime/clock.js'

/**
 * The clock of calls that somebody awaits: it never jumps when the machine's time is set, and its timers keep
 * the process alive, since a process that ends during a wait would never see the answer.
 */
export const callClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
