import { runInside } from '../../shared/instrumentation.js'
import type { Clock } from '../../shared/clock.js'
import { copyError, isTonplugError } from '../../shared/tonplug-error.js'
import { RequestTimeoutError } from '../errors/http.js'
import { checkOptions } from '../schema/options.js'
import type { Call } from './attempt.js'
import { requestHeaders, requestOptions, type RequestOptions } from './call-options.js'
import { classifyAgain } from './classify.js'
import { sendInFlight, type CallDeadline, type InFlight } from './in-flight.js'
import { writeJson } from './lossless-json.js'
import {
  resolveOptions,
  transportOptions,
  type ResolvedOptions,
  type TransportOptions,
} from './options.js'
import { createRedact, redactError, type Redact } from './redact.js'
import type { HttpResponse, ResponseMeta, TransportRequest, TransportResponse } from './request.js'
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
  const { clock, roots, pauses } = resolved
  const free = freeRoute(roots, clock, pauses)
  const reads = new Map<string, InFlight>()
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
      clock,
    }
  }
  return view(free)
}

interface Sender {
  resolved: ResolvedOptions
  /** The reads in flight by their keys. */
  reads: Map<string, InFlight>
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
  sender: Sender,
  request: TransportRequest,
  options: RequestOptions,
  usage: Usage,
): Promise<TransportResponse> {
  options.signal?.throwIfAborted()
  const { resolved, reads, route } = sender
  const call = prepareCall(resolved, route, request, options)
  const deadline = deadlineOf(resolved, request.endpoint, options, usage)
  const { attempts } = usage
  const key = request.isRead ? callKey(call, options, { attempts, ...deadline }) : undefined
  const joined = findRead(reads, key, deadline)
  const flight = joined ?? startRequest(reads, key, { call, attempts, deadline })
  try {
    const { value, response, root } = await flight.join(options.signal)
    const meta: ResponseMeta = {
      status: response.status,
      attempts: flight.progress.attempts,
      baseUrl: root,
      apiVersion: response.headers.get('x-api-version') ?? undefined,
      durationMs: resolved.clock.nowMs() - usage.startedMs,
      isShared: joined !== undefined,
    }
    return { value: joined === undefined ? value : ownValue(call, response, meta.attempts), meta }
  } catch (error) {
    if (joined === undefined || !isTonplugError(error)) throw error
    // It began before this call.
    const isEarly = isDeadlineError(error) && resolved.clock.nowMs() < deadline.atMs
    // Callers who share a request receive separate errors.
    if (!isEarly) throw copyError(error)
  } finally {
    usage.attempts += flight.progress.attempts - attempts
    // Later reads may depend on this call, so they do not join those in flight.
    if (!request.isRead) reads.clear()
  }
  return sendRequest(sender, request, options, usage)
}

/** Returns an equal read in flight that ends before this deadline. */
function findRead(
  reads: Sender['reads'],
  key: string | undefined,
  { atMs }: CallDeadline,
): InFlight | undefined {
  const read = key === undefined ? undefined : reads.get(key)
  return read !== undefined && read.progress.deadlineAtMs <= atMs ? read : undefined
}

function startRequest(
  reads: Sender['reads'],
  key: string | undefined,
  { call, attempts, deadline }: { call: Call; attempts: number; deadline: CallDeadline },
): InFlight {
  const forget = (): void => {
    if (key !== undefined && reads.get(key) === flight) reads.delete(key)
  }
  const flight = sendInFlight(call, attempts, deadline, forget)
  if (key !== undefined) reads.set(key, flight)
  return flight
}

function isDeadlineError(error: unknown): boolean {
  return error instanceof RequestTimeoutError && error.details.scope === 'deadline'
}

/** @throws {RequestTimeoutError} when no time is left. */
function deadlineOf(
  { deadlineMs, clock }: ResolvedOptions,
  endpoint: string,
  options: RequestOptions,
  { attempts, startedMs }: Usage,
): CallDeadline {
  const limitMs = options.deadlineMs ?? deadlineMs
  const atMs = startedMs + limitMs
  if (atMs > clock.nowMs()) return { atMs, limitMs }
  const facts = { endpoint, attempts, limitMs }
  throw new RequestTimeoutError({ ...facts, scope: 'deadline', phase: 'queue' })
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
    timeoutMs: options.timeoutMs ?? resolved.timeoutMs,
    priority: options.priority ?? 'normal',
    redact: options.headers === undefined ? resolved.redact : redactWith(resolved, headers),
  }
}

/** A call may have a key of its own, and a token after the name of its scheme. */
function redactWith({ redact }: ResolvedOptions, headers: Record<string, string>): Redact {
  const redactOwn = createRedact(headers['x-api-key'])
  const redactToken = createRedact(headers['authorization']?.replace(/^\S+ /, ''))
  return (text) => redact(redactOwn(redactToken(text)))
}

/** Returns the key of equal reads, which may share a request. */
function callKey(
  call: Call,
  { headers }: RequestOptions,
  { attempts, limitMs }: { attempts: number; limitMs: number },
): string {
  const { request, route, path, body, maxAttempts, timeoutMs, priority } = call
  const { api, endpoint, method } = request
  const own = headers === undefined ? '' : JSON.stringify(call.headers)
  const times = [limitMs, timeoutMs, maxAttempts, attempts]
  return JSON.stringify([route.key, api, endpoint, method, path, own, body, priority, times])
}

/** Returns the value of a shared response: each caller receives separate objects. */
function ownValue({ request, redact }: Call, response: HttpResponse, attempts: number): unknown {
  const classified = classifyAgain(request, response)
  if (classified.kind === 'ok') return classified.value
  throw redactError(classified.error({ endpoint: request.endpoint, attempts }), redact)
}
