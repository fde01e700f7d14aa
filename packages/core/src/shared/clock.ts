/** A source of time. Tests and simulations use one that they advance themselves. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
  /**
   * Calls `callback` once after `delayMs`; the returned function cancels it.
   * @param options.isBackground the timer does not keep the process alive. @default false
   */
  setTimer(callback: () => void, delayMs: number, options?: TimerOptions): () => void
}

/** Options of a timer. */
export interface TimerOptions {
  isBackground?: boolean | undefined
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  setTimer(callback, delayMs, { isBackground = false } = {}) {
    // An object with `unref` in Node, a number in browsers and edge runtimes.
    const timer: { unref?: () => void } = setTimeout(callback, delayMs)
    if (isBackground) timer.unref?.()
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
  },
}

/** The clock of API calls: it does not jump when the machine's time is set, and all timers keep the process alive. */
export const monotonicClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

/** The longest delay of a timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647

/** Starts a timer; one of more than 24 days never fires. @returns a function that cancels it. */
export function startTimer(
  clock: Clock,
  delayMs: number,
  callback: () => void,
  options?: TimerOptions,
): () => void {
  if (delayMs > MAX_TIMER_MS) return () => undefined
  return clock.setTimer(callback, Math.ceil(delayMs), options)
}
