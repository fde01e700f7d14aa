import type { Clock } from '../runtime/clock.js'
import { startTimer } from './abort.js'
import { callClock } from './call-clock.js'
import { createWaitingLine, type SlotRequest } from './waiting-line.js'
import { createWindow } from './window.js'

/** Keeps the rate of requests; one limiter may serve several transports, or several processes. */
export interface RateLimiter {
  /**
   * Resolves when one request may be sent, which is then counted.
   * @throws the signal's reason, as soon as it is aborted.
   */
  acquire(request: SlotRequest): Promise<void>
  /** The server refused a request: nothing may be sent by anybody for so long. A shorter pause never cuts a longer one. */
  pause(durationMs: number): void | Promise<void>
}

/** What a limiter is made from. */
export interface RateLimiterOptions {
  /** Requests in any one second; below 1 for one request in several seconds; `Infinity` for no limit but pauses. */
  rps: number
  /** @default the clock of the transports */
  clock?: Clock | undefined
}

/**
 * A limiter for one process. Up to `rps` requests go at once, then each one as soon as the one `rps` before it
 * is a second old. Give it to several transports when they use one key.
 * @throws {ConfigurationError} when `rps` is not above 0.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const clock = options.clock ?? callClock
  const window = createWindow(options.rps)
  let pausedUntilMs = -Infinity
  let cancelTimer: (() => void) | undefined

  const admit = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    while (!line.isEmpty) {
      const nowMs = clock.nowMs()
      const waitMs = Math.max(pausedUntilMs, window.nextStartMs()) - nowMs
      if (waitMs > 0) {
        cancelTimer = startTimer(clock, waitMs, admit)
        return
      }
      window.recordStart(nowMs)
      line.admitNext()
    }
  }
  const line = createWaitingLine(admit)

  return {
    acquire(request) {
      const admitted = line.wait(request)
      // With a timer set, nobody may go before it fires.
      if (cancelTimer === undefined) admit()
      return admitted
    },
    pause(durationMs) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.nowMs() + durationMs)
    },
  }
}
