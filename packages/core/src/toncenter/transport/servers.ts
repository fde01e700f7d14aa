import type { Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import type { Api, TransportRequest } from './request.js'

const NETWORK_ROOTS = {
  mainnet: 'https://toncenter.com',
  testnet: 'https://testnet.toncenter.com',
} as const

/** A network of TON Center. */
export type Network = keyof typeof NETWORK_ROOTS

/** The networks of TON Center. */
export const NETWORKS = Object.keys(NETWORK_ROOTS) as Network[]

/** The JSON-RPC path of API v2 is beside its other paths. */
const JSON_RPC = /\/jsonRPC$/

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

/** Returns the whole address of a call. */
export function callUrl(
  root: string,
  { api, path, query = [] }: Pick<TransportRequest, 'api' | 'path' | 'query'>,
): string {
  // The constructor only reads the pairs, which its type does not express.
  const text = new URLSearchParams(query as [string, string][]).toString()
  return `${apiRoot(root, api)}${path}${text === '' ? '' : `?${text}`}`
}

function apiRoot(root: string, api: Api): string {
  const parent = root.replace(JSON_RPC, '')
  return parent !== root && api === 'v2' ? parent : `${parent}/api/${api}`
}

/** Some proxies request pauses of hours. */
const MAX_PAUSE_MS = 600_000

/** Caps a Retry-After delay at ten minutes; an invalid value counts as 0. */
export function capPause(durationMs = 0): number {
  return durationMs > 0 ? Math.min(durationMs, MAX_PAUSE_MS) : 0
}

/** A wait for the rate limit. */
interface Wait {
  servers: readonly string[]
  progress: {
    /** May move during the wait. */
    readonly deadlineAtMs: number
  }
}

/** Pauses that servers request. */
export interface Pauses {
  /** Begins or extends a pause. @param durationMs as returned by {@link capPause} */
  begin(server: string, durationMs: number): void
  /** Returns when the first of these servers is free; `-Infinity` when one of them is not paused. */
  untilMs(servers: readonly string[]): number
  /** Returns for how long all of them stay paused, milliseconds; 0 when one of them is not. */
  remainingMs(servers: readonly string[]): number
  /**
   * Calls `end` as soon as it is certain that the wait lasts beyond its deadline.
   * @param end receives the duration of the pause, milliseconds.
   * @returns a function that ends the watch.
   */
  watch(wait: Wait, end: (remainingMs: number) => void): () => void
}

/** Creates a record of pauses. */
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

/** The servers of a transport and their recent failures. */
export interface Servers {
  readonly roots: readonly string[]
  /**
   * Returns the first server without a recent failure or a pause. Otherwise the one whose failure is the longest ago; when
   * all are paused, the one whose pause ends first.
   */
  pick(): string
  /** Records that a server is unreachable, failed, or accepts no more requests. @param restMs for how long, if known */
  recordFailure(root: string, restMs?: number): void
  recordSuccess(root: string): void
  /** Returns true after a recent failure and during a pause. */
  isResting(root: string): boolean
  /** Returns the time until a server may be used again, milliseconds; 0 when it may be used at once. */
  freeInMs: (root: string) => number
}

/**
 * Creates the servers of a transport.
 * @param roots in the order of preference, at least one.
 * @param pauses those of all transports that share a limiter.
 */
export function createServers(roots: readonly string[], clock: Clock, pauses: Pauses): Servers {
  const restedAtMs = new Map<string, number>()
  const restedAt = (root: string): number => restedAtMs.get(root) ?? -Infinity
  const freeInMs = (root: string): number =>
    pauses.remainingMs([root]) || Math.max(0, Math.ceil(restedAt(root) - clock.nowMs()))
  const isResting = (root: string): boolean => freeInMs(root) > 0
  // Failed servers rank by their failure, paused ones after them by the end of the pause.
  const rank = (root: string): number =>
    pauses.remainingMs([root]) > 0 ? LATEST_MS + pauses.untilMs([root]) : restedAt(root)

  return {
    roots,
    pick: () =>
      roots.find((root) => !isResting(root)) ??
      roots.reduce((one, other) => (rank(other) < rank(one) ? other : one)),
    recordFailure(root, restMs = 0) {
      restedAtMs.set(root, clock.nowMs() + Math.max(COOLDOWN_MS, restMs))
    },
    recordSuccess: (root) => void restedAtMs.delete(root),
    isResting,
    freeInMs,
  }
}

/** The choice of servers for a call. */
export interface Route extends Pick<Servers, 'roots' | 'pick' | 'recordSuccess' | 'recordFailure'> {
  /** Returns the time until another server than this one may be used, milliseconds; `Infinity` without one. */
  otherFreeInMs(root: string): number
  /** Calls may share a request when their routes have equal keys. */
  readonly key: string
}

/** Creates the route of most calls: always the best server. */
export function freeRoute(servers: Servers): Route {
  return {
    ...servers,
    key: '',
    otherFreeInMs: (root) =>
      Math.min(...servers.roots.filter((other) => other !== root).map(servers.freeInMs)),
  }
}

/**
 * Creates a route that stays with the first server that responds until that fails.
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
      // Any call may have recorded a failure.
      if (chosen !== undefined && servers.isResting(chosen)) chosen = undefined
      return chosen ?? free.pick()
    },
    recordSuccess(root) {
      free.recordSuccess(root)
      chosen ??= root
    },
  }
}
