import { TimeoutError, type CallFacts } from '../errors/http.js'
import { copyError, isTonplugError, type TonplugError } from '../errors/tonplug-error.js'
import { runInside } from '../runtime/around.js'
import type { Clock } from '../runtime/clock.js'
import type { Call, Success } from './attempt.js'
import type { Api } from './base-url.js'
import { positive } from './check-number.js'
import { createServers, freeRoute, stickyRoute, type Route } from './failover.js'
import { createDriftFilter, type DriftEvent } from './hooks.js'
import { judgeAgain } from './judge.js'
import { writeJson } from './lossless-json.js'
import type { RequestOptions, TransportOptions } from './options.js'
import { checkOptionNames, REQUEST_OPTIONS } from './option-names.js'
import { checkPriority } from './priority.js'
import { createRedact, redactError } from './redact.js'
import { requestHeaders } from './request-headers.js'
import { resolveOptions, type ResolvedOptions } from './resolve-options.js'
import { send } from './send.js'
import { createSharedCalls, type Caller, type JoinedCall } from './shared-calls.js'

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
      /** Whether all callers have to leave that server alone meanwhile (429). */
      pauseAll?: boolean | undefined
      /** Whether no API wrote it, so that another server may do better, if there is one. */
      isForeign?: boolean | undefined
      /** Whether it says that nothing was done about the request, so that nothing is lost with it. */
      isUntouched?: boolean | undefined
    }

/** One call, as an API client describes it. */
export interface TransportRequest {
  api: Api
  /** Name for errors and hooks. */
  endpoint: string
  method: 'GET' | 'POST'
  /** Below the API's root, as in `/getMasterchainInfo`. */
  path: string
  query?: readonly (readonly [name: string, value: string])[] | undefined
  /** Sent as JSON. A text is JSON already. */
  body?: unknown
  /**
   * Whether it changes nothing. Identical reads in flight share one request; none joins a read that began before a
   * call that changes something was over.
   */
  isRead: boolean
  /**
   * Given for what must not be done twice: once an attempt may have been accepted, the request is not sent again, and
   * the call ends in an {@link OutcomeUnknownError} that goes on with this advice, the end of a sentence.
   */
  adviceWhenLost?: string | undefined
  /**
   * Judges an answer, whose `json` it may change. It may be called more than once for one answer, each time with a
   * freshly parsed `json`, so that callers who share a request get objects of their own.
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
   *   {@link ResponseTooLargeError} {@link LimiterError} {@link OutcomeUnknownError}, the errors that `classify`
   *   builds, and the reason of the caller's signal.
   */
  request(request: TransportRequest, options?: RequestOptions): Promise<TransportResponse>
  /**
   * Sends several requests for one call of a caller, one after the other or together: they have one deadline and one count of attempts, and the hook
   * `error` is told only what the caller gets.
   * @param endpoint name for errors and hooks
   * @throws what `work` throws.
   */
  together<T>(
    endpoint: string,
    options: RequestOptions,
    work: (ask: (request: TransportRequest) => Promise<TransportResponse>) => Promise<T>,
  ): Promise<T>
  /**
   * The same transport, staying with the server that gives its first answer, since servers differ by some blocks; with
   * the next one when that fails.
   */
  sticky(): Transport
  /** Tells the hook `drift`, once for each endpoint and path. */
  reportDrift(event: DriftEvent): void
  /** What the transport measures time with. */
  readonly clock: Clock
}

/**
 * A transport with its own rate limiter, unless one is given.
 * @throws {ConfigurationError} when an option cannot work.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const resolved = resolveOptions(options)
  const { clock, tell, instrumentation } = resolved
  const servers = createServers(resolved.roots, clock, resolved.pauses)
  const calls = createSharedCalls<Success>(clock)
  const isNews = createDriftFilter()
  let stickyViews = 0

  const ask = async (
    route: Route,
    request: TransportRequest,
    options: RequestOptions,
    spent: Spent,
  ): Promise<TransportResponse> => {
    options.signal?.throwIfAborted()
    const call = prepareCall(resolved, route, request, options)
    const attemptsBefore = spent.attempts
    const caller = prepareCaller(resolved, request.endpoint, options, {
      attemptsBefore,
      spentMs: clock.nowMs() - spent.startedMs,
    })
    const key = request.isRead ? callKey(call, attemptsBefore) : undefined
    const joined = calls.join(key, caller, (progress) => send(call, progress))
    try {
      const success = await joined.result
      const durationMs = clock.nowMs() - spent.startedMs
      return {
        value: ownValue(call, success, joined),
        meta: describe(success, joined, durationMs),
      }
    } catch (thrown) {
      throw joined.isShared && isTonplugError(thrown) ? copyError(thrown) : thrown
    } finally {
      spent.attempts += joined.progress.attempts - attemptsBefore
      // What comes now may look for what this call has done.
      if (!request.isRead) calls.seal()
    }
  }

  const view = (route: Route): Transport => {
    const makeCall: Transport['together'] = async (endpoint, options, work) => {
      checkOptionNames(options, REQUEST_OPTIONS)
      const spent: Spent = { startedMs: clock.nowMs(), attempts: 0 }
      try {
        return await work((request) => ask(route, request, options, spent))
      } catch (error) {
        const { signal } = options
        const isAbort = signal?.aborted === true && error === signal.reason
        if (!isAbort) tell('error', { endpoint, attempts: spent.attempts, error })
        throw error
      }
    }
    const together: Transport['together'] = (endpoint, options, work) =>
      runInside(
        instrumentation.call,
        () => ({ endpoint }),
        () => makeCall(endpoint, options, work),
      )
    return {
      request: (request, options = {}) =>
        together(request.endpoint, options, (askOnce) => askOnce(request)),
      together,
      sticky: () => view(stickyRoute(servers, `sticky ${++stickyViews}`)),
      reportDrift(event) {
        if (isNews(event)) tell('drift', event)
      },
      clock,
    }
  }
  return view(freeRoute(servers))
}

/** What a call of a caller has cost so far. */
interface Spent {
  /** When the call began, by the clock of the transport. */
  startedMs: number
  /** Requests sent for it. */
  attempts: number
}

/** @throws {ConfigurationError} when a time or the priority cannot work. @throws {TimeoutError} when no time is left. */
function prepareCaller(
  resolved: ResolvedOptions,
  endpoint: string,
  options: RequestOptions,
  { attemptsBefore, spentMs }: { attemptsBefore: number; spentMs: number },
): Caller {
  const limitMs = positive('deadlineMs', options.deadlineMs ?? resolved.deadlineMs)
  const { signal } = options
  const caller = {
    endpoint,
    signal,
    limitMs,
    deadlineMs: limitMs - spentMs,
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? resolved.timeoutMs),
    priority: checkPriority(options.priority ?? 'normal'),
    attemptsBefore,
  }
  if (caller.deadlineMs > 0) return caller
  const facts = { endpoint, attempts: attemptsBefore, limitMs }
  throw new TimeoutError({ ...facts, scope: 'deadline', phase: 'queue' })
}

/** @throws {ConfigurationError} when a header cannot work. */
function prepareCall(
  resolved: ResolvedOptions,
  route: Route,
  request: TransportRequest,
  options: RequestOptions,
): Call {
  const body = writeBody(request.body)
  const headers = requestHeaders(body !== undefined, options.headers)
  // A call may bring a key of its own, and a token behind the name of its scheme.
  const redactOwn = createRedact(headers['x-api-key'])
  const redactToken = createRedact(headers['authorization']?.replace(/^\S+ /, ''))
  return {
    request,
    options: resolved,
    route,
    body,
    headers,
    redact: (text) => resolved.redact(redactOwn(redactToken(text))),
  }
}

function writeBody(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : writeJson(body)
}

/** What calls must have in common to share a request. Deadlines, times and priorities stay each caller's own. */
function callKey({ request, route, headers, body }: Call, attemptsBefore: number): string {
  const { api, method, path, query } = request
  return JSON.stringify([route.key, api, method, path, query, body, headers, attemptsBefore])
}

/** Callers who share a request get objects of their own. */
function ownValue(
  { request, redact }: Call,
  { value, answer }: Success,
  { isShared, progress }: JoinedCall<Success>,
): unknown {
  if (!isShared) return value
  const verdict = judgeAgain(request, answer)
  if (verdict.kind === 'ok') return verdict.value
  const facts = { endpoint: request.endpoint, attempts: progress.attempts }
  throw redactError(verdict.error(facts), redact)
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
