import type { Clock } from '../runtime/clock.js'
import type { Network } from './base-url.js'
import type { TransportHooks } from './hooks.js'
import type { TransportInstrumentation } from './instrumentation.js'
import type { RateLimiter } from './limiter.js'
import type { Priority } from './priority.js'

/** How often and how fast a failed request is tried again. */
export interface RetryOptions {
  /** Requests in all; 1 = never again. @default 4 */
  maxAttempts?: number | undefined
  /** The longest wait after the first failure; doubled after each one. The wait is random below it. @default 500 */
  minDelayMs?: number | undefined
  /** Longest wait that tonplug chooses by itself; a server's `Retry-After` may be longer. @default 15_000 */
  maxDelayMs?: number | undefined
}

/** As much of a fetch answer as is read. A `Response` fits. */
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

/** What a request is sent with. */
export interface FetchInit {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  redirect: 'manual'
  signal: AbortSignal
}

/**
 * As much of `fetch` as is used. The platform's own and the one of undici fit. Node's own costs more processor time
 * than a connection pool of undici; where that matters, this takes its place:
 * @example
 * ```ts
 * import type { Fetch } from '@tonplug/core'
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

export interface TransportOptions {
  /** @default 'mainnet' */
  network?: Network | undefined
  /**
   * Own servers in place of a network, the first one preferred; the next ones serve while it is down. API v2 is below
   * the address at `/api/v2`, API v3 at `/api/v3`: a path prefix is kept, a trailing `/api/v2`, `/api/v3` or
   * `/api/v2/jsonRPC` is taken off. Any other address that ends in `/jsonRPC` tells where API v2 is: all its paths are
   * beside that one, as in `http://localhost:8081/jsonRPC` of a Python server.
   */
  baseUrl?: string | readonly string[] | undefined
  /** Sent in the header `X-API-Key`, nowhere else. A blank text is no key. */
  apiKey?: string | undefined
  /** Requests in any one second, over both APIs and all servers. `Infinity` for an own server without a limit. @default 1, with a key 10 */
  rps?: number | undefined
  /** In place of `rps`: one that is shared with other transports or processes. */
  limiter?: RateLimiter | undefined
  retry?: RetryOptions | undefined
  /** Time for one request, its whole answer included. @default 10_000 */
  timeoutMs?: number | undefined
  /** Time for a call, all waits, attempts and further requests that it needs included. @default 60_000 */
  deadlineMs?: number | undefined
  /** Longest answer, after decompression. @default 67_108_864 (64 MiB) */
  maxBodyBytes?: number | undefined
  /** @default globalThis.fetch */
  fetch?: Fetch | undefined
  /** @default a monotonic clock; its timers keep the process alive while a call waits */
  clock?: Clock | undefined
  /** From 0 to below 1, for the waits between attempts. @default Math.random */
  random?: (() => number) | undefined
  hooks?: TransportHooks | undefined
  /** Metrics and spans, as of `openTelemetryInstrumentation` in `@tonplug/core/opentelemetry`. */
  instrumentation?: TransportInstrumentation | undefined
}

/**
 * Options of one call. Identical reads in flight share one request although these differ, but for the headers: it goes
 * as the most urgent of its callers, an attempt that begins has the longest of their `timeoutMs`, and each caller's own
 * signal and deadline end the call for that caller alone.
 */
export interface RequestOptions {
  /** Ends the call in whatever phase it is; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** In place of the transport's. */
  timeoutMs?: number | undefined
  /** In place of the transport's. */
  deadlineMs?: number | undefined
  /** @default 'normal' */
  priority?: Priority | undefined
  /** More request headers. */
  headers?: Readonly<Record<string, string | undefined>> | undefined
}
