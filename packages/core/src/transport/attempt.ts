import { NetworkError, ResponseTooLargeError, type CallFacts } from '../errors/http.js'
import { isTonplugError, type TonplugError } from '../errors/tonplug-error.js'
import { runInside } from '../runtime/around.js'
import { callUrl } from './base-url.js'
import { exchange, type RawAnswer } from './exchange.js'
import type { Route } from './failover.js'
import type { RequestEvent } from './hooks.js'
import { judge } from './judge.js'
import { capPause } from './pause.js'
import { redactError, redactTexts, type Redact } from './redact.js'
import type { ResolvedOptions } from './resolve-options.js'
import type { CallProgress } from './shared-calls.js'
import type { HttpAnswer, TransportRequest } from './transport.js'

/** Everything that is known about a call before it is sent. */
export interface Call {
  request: TransportRequest
  options: ResolvedOptions
  route: Route
  headers: Record<string, string>
  /** The body as JSON text. */
  body: string | undefined
  redact: Redact
}

/** A value, and the answer that it was read from. */
export interface Success {
  value: unknown
  answer: HttpAnswer
  status: number
  error?: undefined
  root: string
}

/** Why an attempt gave no value, and what that says about the next one. */
export interface Failure {
  error: TonplugError
  /** The HTTP status, when a whole answer came. */
  status: number | undefined
  isRetryable: boolean
  retryAfterMs: number | undefined
  /** Whether nobody may send that server anything for a while. */
  isRateLimited: boolean
  /** Whether it leaves open what became of the request. */
  isLost: boolean
  /** The server that is to blame, if one is. */
  failedRoot: string | undefined
}

/** Sends the request once and judges what comes back. @throws the signal's reason, and what `classify` throws. */
export async function attempt(call: Call, progress: CallProgress): Promise<Success | Failure> {
  const { request, options, route } = call
  const root = route.pick()
  progress.attempts++
  progress.phase = 'headers'
  const { api, endpoint, method } = request
  const facts = { endpoint, attempts: progress.attempts }
  const event = { ...facts, method, url: callUrl(root, request) }
  let result: Success | Failure | undefined
  await runInside(
    options.instrumentation.attempt,
    () => redactTexts({ ...event, api }, call.redact),
    async () => {
      const raw = await sendTo(call, progress, { facts, event })
      result = isTonplugError(raw)
        ? brokenOff(route, root, raw)
        : judgeAnswer(raw, call, root, facts)
      // The rest holds the body and the headers.
      const { status, error } = result
      return { status, error }
    },
  )
  // It is there when nothing was thrown.
  return result as Success | Failure
}

/** What a whole answer comes to. @throws what `classify` throws. */
function judgeAnswer(
  raw: RawAnswer,
  call: Call,
  root: string,
  facts: CallFacts,
): Success | Failure {
  const { request, options, route } = call
  const nowMs = options.clock.nowMs()
  const { answer, verdict } = judge(request, raw, { nowMs, redact: call.redact })
  const { retryAfterMs, status } = answer
  if (verdict.kind === 'ok') {
    route.recordSuccess(root)
    return { value: verdict.value, answer, status, root }
  }
  const { pauseAll: isRateLimited = false, isForeign = false, isUntouched = false } = verdict
  // A success that may be tried again has lost its body, or has its refusal there.
  const mayPass = verdict.isRetryable && (isRateLimited || status >= 500 || status < 300)
  const isServerFault = isForeign || mayPass
  if (isServerFault) route.recordFailure(root, capPause(retryAfterMs))
  else route.recordSuccess(root)
  const isRetryable = verdict.isRetryable || (isForeign && route.roots.length > 1)
  const isLost = isRetryable && !isRateLimited && !isUntouched
  const error = redactError(verdict.error(facts), call.redact)
  const failedRoot = isServerFault ? root : undefined
  return { error, status, isRetryable, retryAfterMs, isRateLimited, isLost, failedRoot }
}

/** @returns the answer, or the error that came in its place. @throws the signal's reason. */
async function sendTo(
  call: Call,
  progress: CallProgress,
  { facts, event }: { facts: CallFacts; event: RequestEvent },
): Promise<RawAnswer | TonplugError> {
  const { options, body, redact } = call
  const { fetch, clock, maxBodyBytes } = options
  const { method, url } = event
  const { signal, timeoutMs } = progress
  options.tell('request', event)
  const startedMs = clock.nowMs()
  const onHeaders = (): void => {
    progress.phase = 'body'
  }
  const headers = options.authorize(call.headers)
  const init = { method, headers, ...(body === undefined ? {} : { body }) }
  try {
    const raw = await exchange({
      url,
      init,
      facts,
      onHeaders,
      timeoutMs,
      maxBodyBytes,
      signal,
      fetch,
      clock,
      redact,
    })
    const durationMs = clock.nowMs() - startedMs
    options.tell('response', { ...event, status: raw.status, durationMs })
    return raw
  } catch (error) {
    signal.throwIfAborted()
    if (isTonplugError(error)) return error
    throw error
  }
}

// No connection, so nothing was sent.
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** No whole answer came: the server is to blame, unless the answer is too long. */
function brokenOff(route: Route, root: string, error: TonplugError): Failure {
  const isRetryable = !(error instanceof ResponseTooLargeError)
  if (isRetryable) route.recordFailure(root)
  else route.recordSuccess(root)
  const failedRoot = isRetryable ? root : undefined
  const isLost = isRetryable && !isUnsent(error)
  const unanswered = { status: undefined, retryAfterMs: undefined, isRateLimited: false }
  return { error, isRetryable, isLost, failedRoot, ...unanswered }
}

function isUnsent(error: TonplugError): boolean {
  if (!(error instanceof NetworkError)) return false
  const { phase, reason = '' } = error.details
  return phase === 'headers' && NOT_CONNECTED.has(reason)
}
