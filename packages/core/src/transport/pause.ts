import type { Clock } from '../runtime/clock.js'
import type { RateLimiter } from './limiter.js'

// A server that asks for more is asked again after this: some proxies ask for hours.
const LONGEST_PAUSE_MS = 600_000

/** As much of a wait that a server asks for as it gets: ten minutes at most, and nothing for what is no time. */
export function capPause(durationMs = 0): number {
  return durationMs > 0 ? Math.min(durationMs, LONGEST_PAUSE_MS) : 0
}

/** Who waits for the rate limit, for what, and until when. */
interface Wait {
  servers: readonly string[]
  progress: {
    /** May move while the wait goes on. */
    readonly deadlineAtMs: number
  }
}

/** The times in which servers want no request at all. */
export interface Pauses {
  /** Begins one, or makes it longer. @param durationMs as {@link capPause} answers it */
  begin(server: string, durationMs: number): void
  /** Until when all of these servers are paused; long ago, when one of them is not. */
  untilMs(servers: readonly string[]): number
  /** How long they all stay paused, milliseconds; 0 when one of them is not. */
  remainingMs(servers: readonly string[]): number
  /**
   * Calls `end` as soon as it is known that the wait cannot be over before its deadline, at once if it is.
   * @param end is told how long the pause lasts, milliseconds.
   * @returns a function that ends the watch.
   */
  watch(wait: Wait, end: (remainingMs: number) => void): () => void
}

/** No pauses yet. */
export function createPauses(clock: Clock): Pauses {
  const untilMsOf = new Map<string, number>()
  const checks = new Set<() => void>()
  const untilMs = (servers: readonly string[]): number =>
    Math.min(...servers.map((server) => untilMsOf.get(server) ?? -Infinity))
  const remainingMs = (servers: readonly string[]): number =>
    Math.max(0, Math.ceil(untilMs(servers) - clock.nowMs()))

  return {
    begin(server, durationMs) {
      const until = clock.nowMs() + durationMs
      untilMsOf.set(server, Math.max(until, untilMsOf.get(server) ?? -Infinity))
      for (const check of checks) check()
    },
    untilMs,
    remainingMs,
    watch({ servers, progress }, end) {
      const check = (): void => {
        const leftMs = remainingMs(servers)
        if (leftMs > 0 && progress.deadlineAtMs <= untilMs(servers)) end(leftMs)
      }
      checks.add(check)
      check()
      return () => void checks.delete(check)
    },
  }
}

const pausesOf = new WeakMap<RateLimiter, Pauses>()

/** The pauses that all transports with this limiter share, on the clock of the first one. */
export function sharedPauses(limiter: RateLimiter, clock: Clock): Pauses {
  const known = pausesOf.get(limiter)
  if (known !== undefined) return known
  const pauses = createPauses(clock)
  pausesOf.set(limiter, pauses)
  return pauses
}
