import { runInside } from '../../shared/instrumentation.js'
import { withDeadline } from '../../shared/timers.js'
import { readBytes } from '../../shared/read-bytes.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import type { CallFacts } from '../errors/call-error.js'
import { RequestTimeoutError, TransportError, type RequestPhase } from '../errors/http.js'
import { classifyResponse, type RawResponse } from './classify.js'
import type { FetchResponse, ResolvedOptions } from './options.js'
import { copyCause, deepestCode, redactError, redactTexts, type Redact } from './redact.js'
import type { Priority } from './call-options.js'
import type { RateLimiter } from './rate-limiter.js'
import type { HttpResponse, TransportRequest } from './request.js'
import { capPause, urlOf, type Route } from './servers.js'

/** A request to send, and all that its attempts need. Retries may send it to another server. */
export interface Call {
  request: TransportRequest
  options: ResolvedOptions
  route: Route
  /** The path below the API's root, with its query. */
  path: string
  headers: Record<string, string>
  /** The body as JSON text. */
  body: string | undefined
  /** Requests in all. */
  maxAttempts: number
  /** Timeout of one attempt. */
  timeoutMs: number
  priority: Priority
  redact: Redact
}

/** The progress of a request with its retries. */
export interface Progress {
  /** Aborted at the deadline, and when no caller is left. */
  readonly signal: AbortSignal
  readonly deadlineAtMs: number
  /** Requests sent so far, including earlier ones of the same call. */
  attempts: number
  phase: RequestPhase
  lastError?: TonplugError
  /** The error of the last attempt that may have been processed by the server. */
  lostError?: TonplugError
  /** True while it has a slot of the rate limit for a request that it has not sent. */
  hasSlot?: boolean
}

export interface Success {
  value: unknown
  response: HttpResponse
  status: number
  error?: undefined
  root: string
}

/** The error of an attempt, and its consequences for the next one. */
export interface Failure {
  error: TonplugError
  /** The HTTP status; `undefined` without a complete response. */
  status?: number | undefined
  isRetryable: boolean
  /** True when a read may be sent once more. */
  isRetryableOnce?: boolean | undefined
  retryAfterMs?: number | undefined
  /** True when all callers must pause requests to that server. */
  isRateLimited?: boolean | undefined
  /** True when the request may have been processed. */
  isLost: boolean
  /** The server that caused the failure, if one did. */
  failedRoot: string | undefined
}

/** Sends the request once and classifies the response. @throws the reason of its signal, and what `classify` throws. */
export async function attempt(call: Call, progress: Progress): Promise<Success | Failure> {
  const { request, options, route } = call
  const root = route.pick()
  progress.attempts++
  progress.phase = 'headers'
  const { api, endpoint, method } = request
  const { attempts } = progress
  const event = { endpoint, attempts, method, url: urlOf(root, api) + call.path }
  let result: Success | Failure | undefined
  await runInside(
    options.instrumentation.attempt,
    () => redactTexts({ ...event, api }, call.redact),
    async () => {
      result = await send(call, progress, { root, event })
      // Without the body and the headers.
      return { status: result.status, error: result.error }
    },
  )
  // It is set when nothing was thrown.
  return result as Success | Failure
}

/** Sends the request within `timeoutMs`. Redirects are not followed. @throws the reason of its signal. */
async function send(
  call: Call,
  progress: Progress,
  { root, event }: { root: string; event: CallFacts & { method: 'GET' | 'POST'; url: string } },
): Promise<Success | Failure> {
  const { clock, callHook } = call.options
  const { endpoint, attempts } = event
  const facts = { endpoint, attempts }
  const { timeoutMs: limitMs } = call
  const { signal } = progress
  const atTimeout = (): never => {
    throw new RequestTimeoutError({ ...facts, scope: 'attempt', phase: progress.phase, limitMs })
  }
  callHook('request', event)
  const startedMs = clock.nowMs()
  let raw: RawResponse
  try {
    raw = await withDeadline(
      { clock, deadlineMs: limitMs, signal },
      (ownSignal) => exchange(call, progress, event.url, ownSignal),
      atTimeout,
    )
  } catch (thrown) {
    signal.throwIfAborted()
    const isTimeout = thrown instanceof RequestTimeoutError
    const error = isTimeout ? thrown : describeFailure(call, thrown, facts, progress.phase)
    return unanswered(call.route, root, error)
  }
  callHook('response', { ...event, status: raw.status, durationMs: clock.nowMs() - startedMs })
  return readResponse(call, root, { raw, facts })
}

async function exchange(
  { request: { method }, options, headers, body }: Call,
  progress: Progress,
  url: string,
  signal: AbortSignal,
): Promise<RawResponse> {
  const init = { method, headers: options.authorize(headers), redirect: 'manual', signal } as const
  beginSlot(options.limiter, progress)
  const response = await options.fetch(url, body === undefined ? init : { ...init, body })
  if (!signal.aborted) progress.phase = 'body'
  const text = await readBody(response, options.maxBodyBytes, signal)
  return { status: response.status, headers: response.headers, text }
}

/** Reports that the request of the slot is sent, or dropped. */
export function beginSlot(limiter: RateLimiter, progress: Pick<Progress, 'hasSlot'>): void {
  if (progress.hasSlot !== true) return
  progress.hasSlot = false
  limiter.begin?.()
}

function describeFailure(
  { options: { maxBodyBytes }, redact }: Call,
  thrown: unknown,
  facts: CallFacts,
  phase: RequestPhase,
): TransportError {
  if (thrown instanceof BodyLimitExceeded) {
    const code = 'ERR_TONPLUG_RESPONSE_TOO_LARGE'
    const problem = `response exceeds maxBodyBytes (${maxBodyBytes})`
    return new TransportError({ ...facts, code, problem, maxBodyBytes })
  }
  const code = 'ERR_TONPLUG_NETWORK'
  const reason = redact(deepestCode(thrown) ?? '') || undefined
  const isBody = phase === 'body'
  const what = isBody ? 'the response was cut off' : 'the server could not be reached'
  return new TransportError({
    ...facts,
    code,
    problem: reason === undefined ? what : `${what} (${reason})`,
    phase: isBody ? 'body' : 'headers',
    reason,
    cause: copyCause(thrown, redact),
  })
}

// Without a connection, nothing was sent.
const NOT_CONNECTED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/

function unanswered(
  route: Route,
  root: string,
  error: TransportError | RequestTimeoutError,
): Failure {
  const { retryable: isRetryable, details } = error
  if (isRetryable) route.recordFailure(root)
  else route.recordSuccess(root)
  const isUnsent =
    details.phase === 'headers' && 'reason' in details && NOT_CONNECTED.test(details.reason ?? '')
  const failedRoot = isRetryable ? root : undefined
  return { error, isRetryable, isLost: isRetryable && !isUnsent, failedRoot }
}

function readResponse(
  { request, options, route, redact }: Call,
  root: string,
  { raw, facts }: { raw: RawResponse; facts: CallFacts },
): Success | Failure {
  const nowMs = options.clock.nowMs()
  const { response, classified } = classifyResponse(request, raw, { nowMs, redact })
  const { retryAfterMs, status } = response
  if (classified.kind === 'ok') {
    route.recordSuccess(root)
    return { value: classified.value, response, status, root }
  }
  const { pauseAll: isRateLimited = false, isForeign = false, isUntouched = false } = classified
  const { isRetryableOnce } = classified
  // A retryable success has lost its body, or contains an error.
  const isTransient = classified.isRetryable && (isRateLimited || status >= 500 || status < 300)
  const isServerFault = isForeign || isTransient
  if (isServerFault) route.recordFailure(root, capPause(retryAfterMs))
  else route.recordSuccess(root)
  const isRetryable = classified.isRetryable || (isForeign && route.roots.length > 1)
  const isLost = isRetryable && !isRateLimited && !isUntouched
  const error = redactError(classified.error(facts), redact)
  const failedRoot = isServerFault ? root : undefined
  const consequences = { isRetryable, isRetryableOnce, retryAfterMs, isRateLimited, isLost }
  return { error, status, ...consequences, failedRoot }
}

const DECODER = new TextDecoder()

class BodyLimitExceeded extends Error {}

/**
 * Reads the whole body as UTF-8.
 * @throws {BodyLimitExceeded} beyond `maxBytes`, before the body is read when the header states so.
 * @throws the signal's reason, and what the stream throws.
 */
async function readBody(
  { body, headers }: FetchResponse,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  try {
    if (Number(headers.get('content-length')) > maxBytes) throw new BodyLimitExceeded()
    const bytes = await readBytes(reader, { maxBytes, signal })
    if (bytes === undefined) throw new BodyLimitExceeded()
    return DECODER.decode(bytes)
  } catch (error) {
    // Closes the connection; nothing waits for that.
    reader.cancel().catch(() => undefined)
    throw error
  }
}
