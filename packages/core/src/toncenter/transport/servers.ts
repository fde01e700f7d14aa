import type { Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import type { Api, TransportRequest } from './request.js'

const NETWORK_ROOTS = {
  mainnet: 'https://toncenter.com',
  testnet: 'https://testnet.toncenter.com',
} as const

/** A network of TON Center. */
export type Network = 'mainnet' | 'testnet'

export const NETWORKS = Object.keys(NETWORK_ROOTS) as Network[]

/** The JSON-RPC path of API v2 is beside its other paths. */
const JSON_RPC = '/jsonRPC'

/**
 * Returns the addresses of the servers without a trailing slash, in the order of preference. For one that ends in
 * `/jsonRPC`, API v2 is not below `/api/v2`.
 * Source: API facts, part 1 (hosts).
 * @throws {ConfigurationError} without an address, and for an invalid one.
 */
export function serverRoots(options: {
  network?: Network | undefined
  baseUrl?: string | readonly string[] | undefined
}): readonly string[] {
  const { network, baseUrl } = options
  if (baseUrl === undefined) return [NETWORK_ROOTS[network ?? 'mainnet']]
  if (network !== undefined) throw invalidUrl('cannot be combined with network')
  const given = typeof baseUrl === 'string' ? [baseUrl] : baseUrl
  if (given.length === 0) throw invalidUrl('must not be empty')
  return [...new Set(given.map(serverRoot))]
}

// Messages do not quote the address, which may contain credentials.
function serverRoot(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalidUrl('must be an http(s) URL')
  }
  if (url.username + url.password + url.search + url.hash !== '') {
    throw invalidUrl('must have no credentials, query or fragment; use apiKey')
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/(?:v2(?:\/jsonRPC)?|v3)$/, '')
  return `${url.origin}${path}`
}

function invalidUrl(problem: string): ConfigurationError {
  return new ConfigurationError({ option: 'baseUrl', problem })
}

/** Returns the address of an API, without a trailing slash. */
export function urlOf(root: string, api: Api): string {
  if (!root.endsWith(JSON_RPC)) return `${root}/api/${api}`
  const parent = root.slice(0, -JSON_RPC.length)
  return api === 'v2' ? parent : `${parent}/api/${api}`
}

/** Returns the path of a request with its query. */
export function pathOf({ path, query = [] }: Pick<TransportRequest, 'path' | 'query'>): string {
  // The constructor only reads the pairs, which its type does not express.
  return query.length === 0
    ? path
    : `${path}?${new URLSearchParams(query as [string, string][]).toString()}`
}

/** Some proxies request pauses of hours. */
const MAX_PAUSE_MS = 600_000

/** Caps a Retry-After delay at ten minutes; an invalid value counts as 0. */
export function capPause(durationMs = 0): number {
  return durationMs > 0 ? Math.min(durationMs, MAX_PAUSE_MS) : 0
}

/** Pauses that servers request. */
export type Pauses = ReturnType<typeof createPauses>

export function createPauses(clock: Clock) {
  const untilMsOf = new Map<string, number>()
  const checks = new Set<() => void>()
  /** Returns when the first of these servers is free; `-Infinity` when one of them is not paused. */
  const untilMs = (servers: readonly string[]): number =>
    Math.min(...servers.map((server) => untilMsOf.get(server) ?? -Infinity))
  /** Returns for how long all of them stay paused, milliseconds; 0 when one of them is not. */
  const remainingMs = (servers: readonly string[]): number =>
    Math.max(0, Math.ceil(untilMs(servers) - clock.nowMs()))
  /** Returns the duration of the pause if it lasts beyond the deadline; otherwise 0. */
  const beyondDeadlineMs = ({ servers, deadlineAtMs }: Wait): number =>
    deadlineAtMs <= untilMs(servers) ? remainingMs(servers) : 0

  return {
    untilMs,
    remainingMs,
    /** Begins or extends a pause. @param durationMs as returned by {@link capPause} */
    begin(server: string, durationMs: number): void {
      const until = clock.nowMs() + durationMs
      untilMsOf.set(server, Math.max(until, untilMsOf.get(server) ?? -Infinity))
      for (const check of checks) check()
    },
    beyondDeadlineMs,
    /**
     * Calls `end` with the duration of a pause that lasts beyond the deadline, as soon as one begins.
     * @returns a function that ends the watch.
     */
    watch(wait: Wait, end: (remainingMs: number) => void): () => void {
      const check = (): void => {
        const leftMs = beyondDeadlineMs(wait)
        if (leftMs > 0) end(leftMs)
      }
      checks.add(check)
      return () => void checks.delete(check)
    },
  }
}

/** A wait for any of these servers. */
export interface Wait {
  servers: readonly string[]
  deadlineAtMs: number
}

const pausesOf = new WeakMap<object, Pauses>()

/** Returns the pauses that all transports with this limiter share, on the clock of the first one. */
export function sharedPauses(limiter: object, clock: Clock): Pauses {
  const known = pausesOf.get(limiter)
  if (known !== undefined) return known
  const pauses = createPauses(clock)
  pausesOf.set(limiter, pauses)
  return pauses
}

/** Later than any failure. */
const LATEST_MS = 2 ** 50

/** Minimum time without requests to a server that failed, while there is another one. */
const COOLDOWN_MS = 30_000

export interface Route {
  /** The addresses of all servers, in the order of preference. */
  readonly roots: readonly string[]
  /** Calls may share a request when their routes have equal keys. */
  readonly key: string
  /**
   * Returns the first server without a recent failure or a pause. Otherwise the server with the oldest failure; when
   * all are paused, the server with the pause that ends first.
   */
  pick(): string
  /** Records that a server is unreachable, failed, or accepts no more requests. @param restMs for how long, if known */
  recordFailure(root: string, restMs?: number): void
  recordSuccess(root: string): void
  /** Returns the time until a server may be used again, milliseconds; 0 when it may be used at once. */
  freeInMs(root: string): number
  /** Returns the time until another server than this one may be used, milliseconds; `Infinity` without one. */
  otherFreeInMs(root: string): number
}

/**
 * Creates the route of most calls: always the best server.
 * @param roots in the order of preference, at least one.
 * @param pauses are shared by all transports that share a limiter.
 */
export function freeRoute(roots: readonly string[], clock: Clock, pauses: Pauses): Route {
  const restedAtMs = new Map<string, number>()
  const restedAt = (root: string): number => restedAtMs.get(root) ?? -Infinity
  const freeInMs = (root: string): number =>
    pauses.remainingMs([root]) || Math.max(0, Math.ceil(restedAt(root) - clock.nowMs()))
  // Failed servers rank by their failure, paused ones after them by the end of the pause.
  const rank = (root: string): number =>
    pauses.remainingMs([root]) > 0 ? LATEST_MS + pauses.untilMs([root]) : restedAt(root)

  return {
    roots,
    key: '',
    pick: () =>
      roots.find((root) => freeInMs(root) === 0) ??
      roots.reduce((one, other) => (rank(other) < rank(one) ? other : one)),
    recordFailure(root, restMs = 0) {
      restedAtMs.set(root, clock.nowMs() + Math.max(COOLDOWN_MS, restMs))
    },
    recordSuccess: (root) => void restedAtMs.delete(root),
    freeInMs,
    otherFreeInMs: (root) => Math.min(...roots.filter((other) => other !== root).map(freeInMs)),
  }
}

/**
 * Creates a route that stays with the first server that responds until that fails.
 * @param ownKey a key that no other route has.
 */
export function stickyRoute(free: Route, ownKey: string): Route {
  let chosen: string | undefined
  return {
    ...free,
    get key() {
      return free.roots.length === 1 ? free.key : (chosen ?? ownKey)
    },
    pick() {
      // Any call may have recorded a failure.
      if (chosen !== undefined && free.freeInMs(chosen) > 0) chosen = undefined
      return chosen ?? free.pick()
    },
    recordSuccess(root) {
      free.recordSuccess(root)
      chosen ??= root
    },
  }
}
