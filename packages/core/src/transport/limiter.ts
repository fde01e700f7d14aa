import type { Clock } from '../runtime/clock.js'
import { startTimer } from './abort.js'
import { callClock } from './call-clock.js'
import { capPause, createPauses } from './pause.js'
import { createWaitingLine, type SlotRequest, type WaitingLine } from './waiting-line.js'
import { createWindow } from './window.js'

/** Keeps the rate of requests; one limiter may serve several transports, or several processes. */
export interface RateLimiter {
  /**
   * Resolves when one request may be sent, which is then counted.
   * @throws the signal's reason, as soon as it is aborted.
   */
  acquire(request: SlotRequest): Promise<void>
  /**
   * A server refused a request: nothing may be sent to it by anybody for so long, ten minutes at most. A shorter pause
   * never cuts a longer one.
   * @param server its base URL; without one, nothing may be sent to any server
   */
  pause(durationMs: number, server?: string): void | Promise<void>
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
  const pauses = createPauses(clock)
  const queues = new Map<string, Queue>()
  let pausedUntilMs = -Infinity
  let cancelTimer: (() => void) | undefined

  const freeAtMs = ({ servers }: Queue): number =>
    servers.length === 0 ? pausedUntilMs : Math.max(pausedUntilMs, pauses.untilMs(servers))

  const admit = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    for (;;) {
      const waiting = [...queues.values()].filter(({ line }) => line.firstPlace() < Infinity)
      if (waiting.length === 0) return
      const nowMs = clock.nowMs()
      const startMs = Math.max(window.nextStartMs(), Math.min(...waiting.map(freeAtMs)))
      if (startMs > nowMs) {
        cancelTimer = startTimer(clock, startMs - nowMs, admit)
        return
      }
      window.recordStart(nowMs)
      waiting
        .filter((queue) => freeAtMs(queue) <= nowMs)
        .sort((one, other) => one.line.firstPlace() - other.line.firstPlace())[0]
        ?.line.admitNext()
    }
  }
  const queueFor = (servers: readonly string[]): Queue => {
    const key = servers.join(' ')
    const queue = queues.get(key) ?? { servers, line: createWaitingLine(admit) }
    queues.set(key, queue)
    return queue
  }

  return {
    acquire(request) {
      const admitted = queueFor(request.servers ?? []).line.wait(request)
      // With a timer set, nobody may go before it fires, but for those who go to other servers.
      if (cancelTimer === undefined || queues.size > 1) admit()
      return admitted
    },
    pause(durationMs, server) {
      const pauseMs = capPause(durationMs)
      if (server !== undefined) pauses.begin(server, pauseMs)
      else pausedUntilMs = Math.max(pausedUntilMs, clock.nowMs() + pauseMs)
    },
  }
}

/** Those who wait for the same servers. */
interface Queue {
  servers: readonly string[]
  line: WaitingLine
}
