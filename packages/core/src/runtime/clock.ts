/** Where time comes from. Tests and simulations give one that they move themselves. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
  /**
   * Calls `callback` once after `delayMs`; the returned function cancels it.
   * @param options.isBackground nobody waits for it, so it need not keep a process alive. @default false
   */
  setTimer(
    callback: () => void,
    delayMs: number,
    options?: { isBackground?: boolean | undefined },
  ): () => void
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  setTimer(callback, delayMs, { isBackground = false } = {}) {
    const timer: unknown = setTimeout(callback, delayMs)
    if (isBackground && hasUnref(timer)) timer.unref()
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
  },
}

// Node answers an object with `unref`, browsers and edge runtimes a number.
function hasUnref(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}
