import type { Clock } from '../runtime/clock.js'

/** How long a server that failed is left alone, as long as there is another one. */
const COOLDOWN_MS = 30_000

/** The servers of a transport, and which of them failed lately. */
export interface Servers {
  /** The first one that did not fail lately; when all did, the one whose failure is the longest ago. */
  pick(): string
  /** The server could not be reached, or failed by itself. */
  recordFailure(root: string): void
  /** The server answered. */
  recordSuccess(root: string): void
  /** Whether the server failed lately. */
  isResting(root: string): boolean
  readonly count: number
}

/** @param roots in the order of preference, at least one. */
export function createServers(roots: readonly string[], clock: Clock): Servers {
  const restedAtMs = new Map<string, number>()
  const restedAt = (root: string): number => restedAtMs.get(root) ?? -Infinity

  return {
    count: roots.length,
    pick() {
      const nowMs = clock.nowMs()
      return (
        roots.find((root) => restedAt(root) <= nowMs) ??
        roots.reduce((one, other) => (restedAt(other) < restedAt(one) ? other : one))
      )
    },
    recordFailure: (root) => void restedAtMs.set(root, clock.nowMs() + COOLDOWN_MS),
    recordSuccess: (root) => void restedAtMs.delete(root),
    isResting: (root) => restedAt(root) > clock.nowMs(),
  }
}

/** Which server a call goes to. */
export interface Route {
  /** The server for the next request. */
  pick(): string
  /** What became of a request: `failed` when the server is to blame. */
  record(root: string, outcome: 'answered' | 'failed'): void
  /** Whether another server is there to try at once, now that this one failed. */
  hasOther(root: string): boolean
  /** Calls may share a request when their routes have equal keys. */
  readonly key: string
}

/** The route of most calls: to the best server each time. */
export function freeRoute(servers: Servers): Route {
  return {
    key: '',
    pick: () => servers.pick(),
    record: (root, outcome) => recordOutcome(servers, root, outcome),
    hasOther: (root) => servers.pick() !== root && !servers.isResting(servers.pick()),
  }
}

/** A route that stays with the first server that answers. @param ownKey a key that no other route has. */
export function stickyRoute(servers: Servers, ownKey: string): Route {
  const free = freeRoute(servers)
  let chosen: string | undefined
  return {
    get key() {
      return servers.count === 1 ? free.key : (chosen ?? ownKey)
    },
    pick: () => chosen ?? free.pick(),
    record(root, outcome) {
      free.record(root, outcome)
      if (outcome === 'answered') chosen ??= root
    },
    hasOther: (root) => chosen === undefined && free.hasOther(root),
  }
}

function recordOutcome(servers: Servers, root: string, outcome: 'answered' | 'failed'): void {
  if (outcome === 'answered') servers.recordSuccess(root)
  else servers.recordFailure(root)
}
