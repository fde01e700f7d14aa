import type { Clock } from '../runtime/clock.js'
import { createPauses, type Pauses } from './pause.js'

/** How long a server that failed is left alone at least, as long as there is another one. */
const COOLDOWN_MS = 30_000

/** The servers of a transport, and which of them failed lately. */
export interface Servers {
  readonly roots: readonly string[]
  /**
   * The first one that did not fail lately; when all did, the one whose failure is the longest ago. One that wants no
   * requests now only when all are like that: the one that takes them first.
   */
  pick(): string
  /** The server could not be reached, failed by itself, or wants no more requests. @param restMs for how long, if it says so */
  recordFailure(root: string, restMs?: number): void
  /** The server answered. */
  recordSuccess(root: string): void
  /** Whether the server failed lately, or wants no requests now. */
  isResting(root: string): boolean
  /** In how many milliseconds a server may be tried again: it wants no requests before, or failed. 0 for at once. */
  freeInMs: (root: string) => number
}

/**
 * @param roots in the order of preference, at least one.
 * @param pauses those of all transports that share a limiter. @default its own
 */
export function createServers(
  roots: readonly string[],
  clock: Clock,
  pauses: Pauses = createPauses(clock),
): Servers {
  const restedAtMs = new Map<string, number>()
  const restedAt = (root: string): number => restedAtMs.get(root) ?? -Infinity
  const isPaused = (root: string): boolean => pauses.remainingMs([root]) > 0
  const freeInMs = (root: string): number =>
    pauses.remainingMs([root]) || Math.max(0, Math.ceil(restedAt(root) - clock.nowMs()))
  const isResting = (root: string): boolean => freeInMs(root) > 0
  const pickResting = (): string => {
    const open = roots.filter((root) => !isPaused(root))
    return open.length === 0
      ? leastBy(roots, (root) => pauses.untilMs([root]))
      : leastBy(open, restedAt)
  }

  return {
    roots,
    pick: () => roots.find((root) => !isResting(root)) ?? pickResting(),
    recordFailure(root, restMs = 0) {
      restedAtMs.set(root, clock.nowMs() + Math.max(COOLDOWN_MS, restMs))
    },
    recordSuccess: (root) => void restedAtMs.delete(root),
    isResting,
    freeInMs,
  }
}

/** The first one with the least number. */
function leastBy(roots: readonly string[], number: (root: string) => number): string {
  return roots.reduce((one, other) => (number(other) < number(one) ? other : one))
}

/** Which server a call goes to. */
export interface Route extends Pick<Servers, 'roots' | 'pick' | 'recordSuccess' | 'recordFailure'> {
  /** In how many milliseconds another server may be tried, now that this one failed; `Infinity` without one. */
  otherFreeInMs(root: string): number
  /** Calls may share a request when their routes have equal keys. */
  readonly key: string
}

/** The route of most calls: to the best server each time. */
export function freeRoute(servers: Servers): Route {
  return {
    ...servers,
    key: '',
    otherFreeInMs: (root) =>
      Math.min(...servers.roots.filter((other) => other !== root).map(servers.freeInMs)),
  }
}

/**
 * A route that stays with the first server that answers, and with the next one when that fails.
 * @param ownKey a key that no other route has.
 */
export function stickyRoute(servers: Servers, ownKey: string): Route {
  const free = freeRoute(servers)
  let chosen: string | undefined
  return {
    ...free,
    get key() {
      return servers.roots.length === 1 ? free.key : (chosen ?? ownKey)
    },
    pick() {
      // Any call may have found out that it failed.
      if (chosen !== undefined && servers.isResting(chosen)) chosen = undefined
      return chosen ?? free.pick()
    },
    recordSuccess(root) {
      free.recordSuccess(root)
      chosen ??= root
    },
  }
}
