import { ConfigurationError } from '../../shared/configuration-error.js'
import { monotonicClock, type Clock } from '../../shared/clock.js'
import {
  anyOption,
  checkOptions,
  functionParam,
  notNegativeParam,
  objectParam,
  oneOfParam,
  positiveParam,
  type OptionShape,
} from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import {
  createHookCaller,
  transportHooks,
  type TransportHooks,
  type TransportInstrumentation,
} from './hooks.js'
import { createRateLimiter, type RateLimiter } from './rate-limiter.js'
import { createRedact, readApiKey } from './redact.js'
import { NETWORKS, serverRoots, sharedPauses, type Network } from './servers.js'

export interface RetryOptions {
  /** Requests in all; 1 = no retry. @default 4 */
  maxAttempts?: number | undefined
  /** Upper limit of the random delay after the first failure; doubled after each further one. @default 500 */
  minDelayMs?: number | undefined
  /** Upper limit of all delays, except those that a server requests by `Retry-After`. @default 15_000 */
  maxDelayMs?: number | undefined
}

/** The parts of a `Response` that are read. */
export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
      cancel(reason?: unknown): Promise<void>
    }
  } | null
}

export interface FetchInit {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  redirect: 'manual'
  signal: AbortSignal
}

/**
 * A subset of `fetch`; that of the platform and that of undici fit. Node's `fetch` takes more processor time than a
 * connection pool of undici:
 * @example
 * ```ts no-check
 * import type { Fetch } from '@tonplug/core/toncenter'
 * import { Pool } from 'undici'
 *
 * const pool = new Pool('https://toncenter.com')
 * const poolFetch: Fetch = async (url, { method, headers, body = null, signal }) => {
 *   const { pathname, search } = new URL(url)
 *   const path = pathname + search
 *   const answer = await pool.request({ path, method, headers, body, signal })
 *   const chunks = answer.body[Symbol.asyncIterator]()
 *   return {
 *     status: answer.statusCode,
 *     headers: { get: (name) => [answer.headers[name]].flat()[0] ?? null },
 *     body: {
 *       getReader: () => ({
 *         read: async () => {
 *           const { done = false, value } = await chunks.next()
 *           return { done, value }
 *         },
 *         cancel: async () => void answer.body.destroy(),
 *       }),
 *     },
 *   }
 * }
 * ```
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** Options of {@link createTransport}. */
export interface TransportOptions {
  /** @default 'mainnet' */
  network?: Network | undefined
  /**
   * Own servers instead of a network, the preferred one first; the others are used while it is down. API v2 is at
   * `/api/v2` below the address, API v3 at `/api/v3`: a path prefix is kept, and a trailing `/api/v2`, `/api/v3` or
   * `/api/v2/jsonRPC` is removed. Any other address that ends in `/jsonRPC` is that of API v2: all its paths are beside
   * that one, for example `http://localhost:8081/jsonRPC` of a Python server.
   */
  baseUrl?: string | readonly string[] | undefined
  /** Sent in the header `X-API-Key`, nowhere else. A blank string counts as absent. */
  apiKey?: string | undefined
  /** Requests per second, over both APIs and all servers. `Infinity` for an own server without a limit. @default 1, with a key 10 */
  rps?: number | undefined
  /** A limiter that is shared with other transports or processes. Replaces `rps`. */
  limiter?: RateLimiter | undefined
  retry?: RetryOptions | undefined
  /** Timeout of one request with its whole response. @default 10_000 */
  timeoutMs?: number | undefined
  /** Timeout of a call with all its waits, attempts and further requests. @default 60_000 */
  deadlineMs?: number | undefined
  /** Maximum size of a response, after decompression. @default 67_108_864 (64 MiB) */
  maxBodyBytes?: number | undefined
  /** @default globalThis.fetch */
  fetch?: Fetch | undefined
  /** @default a monotonic clock */
  clock?: Clock | undefined
  /** Random numbers from 0 to below 1, for the delays of retries. @default Math.random */
  random?: (() => number) | undefined
  hooks?: TransportHooks | undefined
  /** Metrics and spans, for example by `openTelemetryInstrumentation` in `@tonplug/core/opentelemetry`. */
  instrumentation?: TransportInstrumentation | undefined
}

const retryOptions: OptionShape<RetryOptions> = {
  maxAttempts: optionalParam(positiveParam),
  minDelayMs: optionalParam(notNegativeParam),
  maxDelayMs: optionalParam(notNegativeParam),
}

export const transportOptions: OptionShape<TransportOptions> = {
  network: optionalParam(oneOfParam(NETWORKS)),
  baseUrl: anyOption,
  apiKey: anyOption,
  rps: optionalParam(positiveParam),
  limiter: optionalParam(objectParam('a limiter', 'acquire', 'pause')),
  retry: anyOption,
  timeoutMs: optionalParam(positiveParam),
  deadlineMs: optionalParam(positiveParam),
  maxBodyBytes: optionalParam(positiveParam),
  fetch: optionalParam(functionParam),
  clock: optionalParam(objectParam('an object')),
  random: optionalParam(functionParam),
  hooks: anyOption,
  instrumentation: optionalParam(objectParam('an object')),
}

/** The checked options with their defaults. They hold no API key: only `authorize` and `redact` contain it. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/** @throws {ConfigurationError} for an invalid combination, and for an invalid option inside an option. */
export function resolveOptions(options: TransportOptions) {
  if (options.rps !== undefined && options.limiter !== undefined) {
    const problem = 'cannot be combined with limiter'
    throw new ConfigurationError({ option: 'rps', problem })
  }
  const { clock = monotonicClock, random = Math.random } = options
  const { retry = {}, hooks = {}, instrumentation = {} } = options
  // Read at each request: tests and tracing tools replace it.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  checkOptions(retryOptions, retry, 'retry')
  checkOptions(transportHooks, hooks, 'hooks')
  const apiKey = readApiKey(options.apiKey)
  const redact = createRedact(apiKey)
  const rps = options.rps ?? (apiKey === undefined ? 1 : 10)
  const limiter = options.limiter ?? createRateLimiter({ rps, clock })
  return {
    roots: serverRoots(options),
    limiter,
    pauses: sharedPauses(limiter, clock),
    retry: {
      maxAttempts: retry.maxAttempts ?? 4,
      minDelayMs: retry.minDelayMs ?? 500,
      maxDelayMs: retry.maxDelayMs ?? 15_000,
    },
    timeoutMs: options.timeoutMs ?? 10_000,
    deadlineMs: options.deadlineMs ?? 60_000,
    maxBodyBytes: options.maxBodyBytes ?? 67_108_864,
    fetch,
    clock,
    random,
    callHook: createHookCaller([instrumentation, hooks], redact),
    instrumentation,
    /** Adds the key to the headers of a request. */
    authorize: (headers: Record<string, string>): Record<string, string> =>
      apiKey === undefined ? headers : { 'x-api-key': apiKey, ...headers },
    redact,
  }
}
