import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@tonplug/core'

/** A timer that waits for a {@link FakeClock} to reach it. */
export interface PendingTimer {
  /** The delay it was set with. */
  delayMs: number
  /** When it fires, milliseconds since the Unix epoch. */
  dueMs: number
}

/** A fake clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves the clock by `ms` and fires the timers that become due, in sequence, including timers that are set in the meantime.
   * Promises and I/O that is ready settle before the first timer, between two timers, and after the last one.
   */
  advance(ms: number): Promise<void>
  /** Resolves as soon as a timer is pending for which `matches` is true. */
  waitForTimer(matches: (timer: PendingTimer) => boolean): Promise<void>
  /** The timers that have neither fired nor been cancelled, the next one first. */
  pendingTimers(): PendingTimer[]
}

interface Timer extends PendingTimer {
  callback: () => void
}

interface Waiter {
  matches: (timer: PendingTimer) => boolean
  resolve: () => void
}

/**
 * Creates a fake clock. Pass it as the option `clock`, wait for the timer, and move the clock.
 * @param options.startMs milliseconds since the Unix epoch. @default the time of the payloads of
 * `transferCompleted`
 * @example
 * ```ts
 * import { createFakeClock } from '@tonplug/testing'
 *
 * const clock = createFakeClock()
 * clock.setTimer(() => console.log('a second has passed'), 1000)
 * await clock.waitForTimer(({ delayMs }) => delayMs === 1000)
 * await clock.advance(1000)
 * ```
 */
export function createFakeClock(options: { startMs?: number | undefined } = {}): FakeClock {
  let nowMs = options.startMs ?? Date.UTC(2026, 0, 5, 12)
  let waiters: Waiter[] = []
  const timers = new Set<Timer>()

  // Timers due at the same moment keep the order in which they were set: the sort is stable.
  const inOrder = (): Timer[] => [...timers].sort((one, other) => one.dueMs - other.dueMs)
  const describe = ({ delayMs, dueMs }: Timer): PendingTimer => ({ delayMs, dueMs })

  return {
    nowMs: () => nowMs,
    setTimer(callback, delayMs) {
      const timer: Timer = { callback, delayMs, dueMs: nowMs + Math.max(0, delayMs) }
      timers.add(timer)
      const awaited = waiters.filter(({ matches }) => matches(describe(timer)))
      waiters = waiters.filter((waiter) => !awaited.includes(waiter))
      for (const { resolve } of awaited) resolve()
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const untilMs = nowMs + ms
      await settle()
      for (let next = inOrder()[0]; next !== undefined; next = inOrder()[0]) {
        if (next.dueMs > untilMs) break
        timers.delete(next)
        nowMs = Math.max(nowMs, next.dueMs)
        next.callback()
        await settle()
      }
      nowMs = Math.max(nowMs, untilMs)
    },
    async waitForTimer(matches) {
      if ([...timers].map(describe).some(matches)) return
      await new Promise<void>((resolve) => {
        waiters.push({ matches, resolve })
      })
    },
    pendingTimers: () => inOrder().map(describe),
  }
}

/** Waits some turns of the event loop; each runs the promise jobs, then the I/O that is ready. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
}
