/** Where time comes from. Tests and simulations give one that they move themselves. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
  /** Calls `callback` once after `delayMs`; the returned function cancels it. */
  setTimer(callback: () => void, delayMs: number): () => void
}

/** The machine's clock. Its timers never keep a process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer: unknown = setTimeout(callback, delayMs)
    if (hasUnref(timer)) timer.unref()
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
  },
}

// Node answers an object with `unref`, browsers and edge runtimes a number.
function hasUnref(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}
