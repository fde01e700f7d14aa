import { runInside } from '../../shared/around.js'
import type { Clock } from '../../shared/clock.js'
import { copyError, isTonplugError } from '../../shared/tonplug-error.js'
import { RequestTimeoutError } from '../errors/http.js'
import { checkOptions } from '../schema/options.js'
import type { Call, Success } from './attempt.js'
import { requestHeaders, requestOptions, type RequestOptions } from './call-options.js'
import { classifyAgain } from './classify.js'
import { createDriftFilter, type DriftEvent } from './hooks.js'
import { writeJson } from './lossless-json.js'
import {
  resolveOptions,
  transportOptions,
  type ResolvedOptions,
  type TransportOptions,
} from './options.js'
import { createRedact, redactError, type Redact } from './redact.js'
import type { HttpResponse, ResponseMeta, TransportRequest, TransportResponse } from './request.js'
import { sendWithRetries } from './retry.js'
import { Run, type Caller } from './run.js'
import { freeRoute, pathOf, stickyRoute, type Route } from './servers.js'

/** Sends calls within the rate limit and retries them. API v2 and v3 can share one transport. */
export interface Transport {
  /**
   * Sends a request.
   * @throws {TransportError} {@link RequestTimeoutError} {@link RateLimitError} {@link HttpStatusError}
   *   {@link OutcomeUnknownError}, the errors that `classify` creates, and the reason of the caller's signal.
   */
  request(request: TransportRequest, options?: RequestOptions): Promise<TransportResponse>
  /**
   * Sends several requests for one call, in sequence or concurrently: they share one deadline and one count of attempts, and
   * the hook `error` reports only the error of the call.
   * @param endpoint name for errors and hooks
   * @throws what `work` throws.
   */
  together<T>(
    endpoint: string,
    options: RequestOptions,
    work: (send: (request: TransportRequest) => Promise<TransportResponse>) => Promise<T>,
  ): Promise<T>
  /**
   * Returns the same transport with a fixed server, since servers differ by some blocks: the first one that responds, and
   * the next one when that fails.
   */
  sticky(): Transport
  /** Calls the hook `drift`, once per endpoint and path. */
  reportDrift(event: DriftEvent): void
  /** The clock of its waits and timeouts. */
  readonly clock: Clock
}

/**
 * Creates a transport with its own rate limiter, unless the options contain one.
 * @throws {ConfigurationError} for an unknown or invalid option.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  checkOptions(transportOptions, options)
  return openTransport(options)
}

/**
 * Creates a transport from checked options, which may include others.
 * @throws {ConfigurationError} for an invalid combination, and for an invalid option inside an option.
 */
export function openTransport(options: TransportOptions): Transport {
  const resolved = resolveOptions(options)
  const { clock, callHook, roots, pauses } = resolved
  const free = freeRoute(roots, clock, pauses)
  const reads = new Map<string, Run<Success>>()
  const isNewDrift = createDriftFilter()
  let stickyViews = 0

  const view = (route: Route): Transport => {
    const sender = { resolved, reads, route }
    const together: Transport['together'] = (endpoint, callOptions, work) =>
      runInside(
        resolved.instrumentation.call,
        () => ({ endpoint }),
        () => makeCall(sender, endpoint, callOptions, work),
      )
    return {
      request: (request, callOptions = {}) =>
        together(request.endpoint, callOptions, (send) => send(request)),
      together,
      sticky: () => view(stickyRoute(free, `sticky ${++stickyViews}`)),
      reportDrift(event) {
        if (isNewDrift(event)) callHook('drift', event)
      },
      clock,
    }
  }
  return view(free)
}

interface Sender {
  resolved: ResolvedOptions
  /** The reads in flight by their keys. */
  reads: Map<string, Run<Success>>
  route: Route
}

/** The time and the requests that a call has used. */
interface Usage {
  /** When the call began, by the clock of the transport. */
  startedMs: number
  attempts: number
}

type Send = (request: TransportRequest) => Promise<TransportResponse>

async function makeCall<T>(
  sender: Sender,
  endpoint: string,
  options: RequestOptions,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  checkOptions(requestOptions, options)
  const { clock, callHook } = sender.resolved
  const usage: Usage = { startedMs: clock.nowMs(), attempts: 0 }
  try {
    return await work((request) => sendRequest(sender, request, options, usage))
  } catch (error) {
    const { signal } = options
    const isAbort = signal?.aborted === true && error === signal.reason
    if (!isAbort) callHook('error', { endpoint, attempts: usage.attempts, error })
    throw error
  }
}

async function sendRequest(
  { resolved, reads, route }: Sender,
  request: TransportRequest,
  options: RequestOptions,
  usage: Usage,
): Promise<TransportResponse> {
  options.signal?.throwIfAborted()
  const call = prepareCall(resolved, route, request, options)
  const { attempts } = usage
  const caller = prepareCaller(resolved, request.endpoint, options, usage)
  const key = request.isRead ? callKey(call, options, attempts) : ''
  const joined = reads.get(key)
  const run = joined ?? startRun(reads, key, call, attempts)
  try {
    const { value, response, root } = await run.join(caller)
    const meta: ResponseMeta = {
      status: response.status,
      attempts: run.attempts,
      baseUrl: root,
      apiVersion: response.headers.get('x-api-version') ?? undefined,
      durationMs: resolved.clock.nowMs() - usage.startedMs,
      isShared: joined !== undefined,
    }
    return { value: joined === undefined ? value : ownValue(call, response, run.attempts), meta }
  } catch (error) {
    // Callers who share a request receive separate errors.
    throw joined !== undefined && isTonplugError(error) ? copyError(error) : error
  } finally {
    usage.attempts += run.attempts - attempts
    // Later reads may depend on this call, so they do not join those in flight.
    if (!request.isRead) reads.clear()
  }
}

function startRun(reads: Sender['reads'], key: string, call: Call, attempts: number): Run<Success> {
  const { clock } = call.options
  const forget = (own: Run<Success>): void => {
    if (reads.get(key) === own) reads.delete(key)
  }
  const run = new Run<Success>(clock, attempts, (own) => sendWithRetries(call, own), forget)
  if (call.request.isRead) reads.set(key, run)
  return run
}

/** @throws {RequestTimeoutError} when no time is left. */
function prepareCaller(
  defaults: ResolvedOptions,
  endpoint: string,
  options: RequestOptions,
  { attempts, startedMs }: Usage,
): Caller {
  const limitMs = options.deadlineMs ?? defaults.deadlineMs
  const deadlineAtMs = startedMs + limitMs
  if (deadlineAtMs <= defaults.clock.nowMs()) {
    const facts = { endpoint, attempts, limitMs }
    throw new RequestTimeoutError({ ...facts, scope: 'deadline', phase: 'queue' })
  }
  return {
    endpoint,
    signal: options.signal,
    limitMs,
    deadlineAtMs,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    priority: options.priority ?? 'normal',
  }
}

/** @throws {ConfigurationError} for an invalid header. */
function prepareCall(
  resolved: ResolvedOptions,
  route: Route,
  request: TransportRequest,
  options: RequestOptions,
): Call {
  const body = typeof request.body === 'string' ? request.body : writeJson(request.body)
  const headers = requestHeaders(body !== undefined, options.headers)
  return {
    request,
    options: resolved,
    route,
    path: pathOf(request),
    body,
    headers,
    maxAttempts: options.maxAttempts ?? resolved.retry.maxAttempts,
    redact: options.headers === undefined ? resolved.redact : redactWith(resolved, headers),
  }
}

/** A call may have a key of its own, and a token after the name of its scheme. */
function redactWith({ redact }: ResolvedOptions, headers: Record<string, string>): Redact {
  const redactOwn = createRedact(headers['x-api-key'])
  const redactToken = createRedact(headers['authorization']?.replace(/^\S+ /, ''))
  return (text) => redact(redactOwn(redactToken(text)))
}

/** Returns the key of reads that may share a request. Deadlines, timeouts and priorities are those of each caller. */
function callKey(call: Call, options: RequestOptions, attemptsBefore: number): string {
  const { request, route, path, headers, body, maxAttempts } = call
  const own = options.headers === undefined ? '' : JSON.stringify(headers)
  const { api, method } = request
  return JSON.stringify([route.key, api, method, path, maxAttempts, attemptsBefore, own, body])
}

/** Returns the value of a shared response: each caller receives separate objects. */
function ownValue({ request, redact }: Call, response: HttpResponse, attempts: number): unknown {
  const classified = classifyAgain(request, response)
  if (classified.kind === 'ok') return classified.value
  throw redactError(classified.error({ endpoint: request.endpoint, attempts }), redact)
}
