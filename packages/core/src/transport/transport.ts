import type { CallFacts } from '../errors/http.js'
import type { TonplugError } from '../errors/tonplug-error.js'
import type { Call, Success } from './attempt.js'
import { createServers, freeRoute, stickyRoute, type Route } from './failover.js'
import { createDriftFilter, type DriftEvent } from './hooks.js'
import { judgeAgain } from './judge.js'
import type { RequestOptions, TransportOptions } from './options.js'
import { checkPriority } from './priority.js'
import { requestHeaders } from './request-headers.js'
import { positive, resolveOptions, type ResolvedOptions } from './resolve-options.js'
import { send } from './send.js'
import { createSharedCalls, type JoinedCall } from './shared-calls.js'

/** A complete answer, before anybody has judged it. */
export interface HttpAnswer {
  status: number
  headers: { get(name: string): string | null }
  text: string
  /** The parsed body, long integers as strings of their digits; `undefined` when the body is not JSON. */
  json: unknown
  /** How long the answer asks to wait, from its header `Retry-After`. */
  retryAfterMs: number | undefined
}

/** What an answer means: a value, or an error and what to do about it. */
export type Classified =
  | { kind: 'ok'; value: unknown }
  | {
      kind: 'error'
      /** Builds the error, from the call's facts at that attempt. */
      error: (facts: CallFacts) => TonplugError
      /** Whether the same request may be sent again; when, the transport decides. */
      isRetryable: boolean
      /** Whether nobody may send anything meanwhile (429). */
      pauseAll?: boolean | undefined
    }

/** One call, as an API client describes it. */
export interface TransportRequest {
  api: 'v2' | 'v3'
  /** Name for errors and hooks. */
  endpoint: string
  method: 'GET' | 'POST'
  /** Below the API's root, as in `/getMasterchainInfo`. */
  path: string
  query?: readonly (readonly [name: string, value: string])[] | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Whether identical calls in flight may share one request. */
  isRead: boolean
  /**
   * Judges an answer. It may be called more than once for one answer, each time with a freshly parsed `json`, so
   * that callers who share a request get objects of their own.
   */
  classify(answer: HttpAnswer): Classified
}

/** How an answer came about. */
export interface ResponseMeta {
  status: number
  /** Requests sent for it. */
  attempts: number
  /** The server that answered. */
  baseUrl: string
  /** The header `X-API-Version`. */
  apiVersion: string | undefined
  /** From the call to its answer, all waits included. */
  durationMs: number
  /** Whether the request was shared with an identical call that was already in flight. */
  isShared: boolean
}

/** A value with how it came about. */
export interface TransportResponse {
  value: unknown
  meta: ResponseMeta
}

/** Sends calls within the rate limit and tries again what may succeed later. API v2 and v3 share one. */
export interface Transport {
  /**
   * @throws {NetworkError} {@link TimeoutError} {@link RateLimitError} {@link HttpStatusError}
   *   {@link ResponseTooLargeError} {@link LimiterError}, the errors that `classify` builds, and the reason of
   *   the caller's signal.
   */
  request(request: TransportRequest, options?: RequestOptions): Promise<TransportResponse>
  /** The same transport, staying with the server that gives its first answer: servers differ by some blocks. */
  sticky(): Transport
  /** Tells the hook `drift`, once for each endpoint and path. */
  reportDrift(event: DriftEvent): void
}

/**
 * A transport with its own rate limiter, unless one is given.
 * @throws {ConfigurationError} when an option cannot work.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const resolved = resolveOptions(options)
  const { clock, tell } = resolved
  const servers = createServers(resolved.roots, clock)
  const calls = createSharedCalls<Success>(clock)
  const isNews = createDriftFilter()
  let stickyViews = 0

  const view = (route: Route): Transport => ({
    async request(request, requestOptions = {}) {
      requestOptions.signal?.throwIfAborted()
      const call = prepareCall(resolved, route, request, requestOptions)
      const deadlineMs = positive('deadlineMs', requestOptions.deadlineMs ?? resolved.deadlineMs)
      const caller = { endpoint: request.endpoint, signal: requestOptions.signal, deadlineMs }
      const key = request.isRead ? callKey(call) : undefined
      const startedMs = clock.nowMs()
      const joined = calls.join(key, caller, (progress) => send(call, progress))
      try {
        const success = await joined.result
        const durationMs = clock.nowMs() - startedMs
        return {
          value: ownValue(request, success, joined),
          meta: describe(success, joined, durationMs),
        }
      } catch (error) {
        const { attempts } = joined.progress
        const isOwnAbort =
          requestOptions.signal?.aborted === true && error === requestOptions.signal.reason
        if (!isOwnAbort) tell('error', { endpoint: request.endpoint, attempts, error })
        throw error
      }
    },
    sticky: () => view(stickyRoute(servers, `sticky ${++stickyViews}`)),
    reportDrift(event) {
      if (isNews(event)) tell('drift', event)
    },
  })
  return view(freeRoute(servers))
}

/** @throws {ConfigurationError} when a header or a limit cannot work. */
function prepareCall(
  resolved: ResolvedOptions,
  route: Route,
  request: TransportRequest,
  options: RequestOptions,
): Call {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  return {
    request,
    options: resolved,
    route,
    body,
    priority: checkPriority(options.priority ?? 'normal'),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? resolved.timeoutMs),
    headers: requestHeaders(body !== undefined, options.headers),
  }
}

/** What calls must have in common to share a request. Deadlines and signals stay each caller's own. */
function callKey({ request, route, priority, timeoutMs, headers, body }: Call): string {
  const { api, method, path, query } = request
  return JSON.stringify([route.key, api, method, path, query, body, priority, timeoutMs, headers])
}

/** Callers who share a request get objects of their own. */
function ownValue(
  request: TransportRequest,
  { value, answer }: Success,
  { isShared, progress }: JoinedCall<Success>,
): unknown {
  if (!isShared) return value
  const verdict = judgeAgain(request, answer)
  if (verdict.kind === 'ok') return verdict.value
  throw verdict.error({ endpoint: request.endpoint, attempts: progress.attempts })
}

function describe(
  { answer, root }: Success,
  { isShared, progress }: JoinedCall<Success>,
  durationMs: number,
): ResponseMeta {
  const apiVersion = answer.headers.get('x-api-version') ?? undefined
  const { status } = answer
  return { status, attempts: progress.attempts, baseUrl: root, apiVersion, durationMs, isShared }
}
