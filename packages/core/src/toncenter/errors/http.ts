import { CallError, describeCall, type CallFacts } from './call-error.js'

export type TransportErrorCode =
  'ERR_TONPLUG_NETWORK' | 'ERR_TONPLUG_LIMITER' | 'ERR_TONPLUG_RESPONSE_TOO_LARGE'

export interface TransportErrorDetails extends CallFacts {
  /** `ERR_TONPLUG_NETWORK` only. `headers`: no response arrived. `body`: the response was cut off. */
  phase?: 'headers' | 'body' | undefined
  /** `ERR_TONPLUG_NETWORK` only: the code of the system or the HTTP client, for example `ECONNRESET`. */
  reason?: string | undefined
  /** `ERR_TONPLUG_RESPONSE_TOO_LARGE` only: the limit that was exceeded, bytes. */
  maxBodyBytes?: number | undefined
}

/**
 * No complete response was received:
 * - `ERR_TONPLUG_NETWORK`: the server could not be reached, or the connection broke before the end of the response.
 * - `ERR_TONPLUG_LIMITER`: the limiter of the options failed or timed out, so nothing was sent. See `cause`.
 * - `ERR_TONPLUG_RESPONSE_TOO_LARGE`: the response is longer than `maxBodyBytes`; the rest was not read.
 */
export class TransportError extends CallError<TransportErrorDetails> {
  override readonly name = 'TransportError'
  readonly code: TransportErrorCode
  override readonly retryable: boolean

  constructor(
    facts: TransportErrorDetails & { code: TransportErrorCode; problem: string; cause?: unknown },
  ) {
    const { code, problem, cause, ...details } = facts
    super({ message: `${describeCall(details)}: ${problem}`, details, cause })
    this.code = code
    this.retryable = code !== 'ERR_TONPLUG_RESPONSE_TOO_LARGE'
  }
}

/** A part of a call: waiting for the rate limit, waiting to retry, waiting for the response, reading its body. */
export type RequestPhase = 'queue' | 'backoff' | 'headers' | 'body'

export interface RequestTimeoutErrorDetails extends CallFacts {
  /** `attempt`: one request took longer than `timeoutMs`. `deadline`: the call took longer than `deadlineMs`. */
  scope: 'attempt' | 'deadline'
  /** The part of the call during which the time ended. */
  phase: RequestPhase
  limitMs: number
}

/** A request took longer than `timeoutMs`, or the call longer than `deadlineMs`. `cause` is the failure before, if any. */
export class RequestTimeoutError extends CallError<RequestTimeoutErrorDetails> {
  override readonly name = 'RequestTimeoutError'
  readonly code = 'ERR_TONPLUG_TIMEOUT'
  override readonly retryable = true

  constructor(facts: RequestTimeoutErrorDetails & { cause?: unknown }) {
    const { cause, ...details } = facts
    const option = details.scope === 'attempt' ? 'timeoutMs' : 'deadlineMs'
    const problem = `${option} (${details.limitMs}) exceeded in phase ${details.phase}`
    super({ message: `${describeCall(details)}: ${problem}`, details, cause })
  }
}

export interface HttpStatusErrorDetails extends CallFacts {
  /** The HTTP status; 0 where a browser hides it (a redirect). */
  status: number
  contentType: string | undefined
  /** The beginning of the body, on one line. */
  excerpt: string
}

/** The response is not one of the API: an error page of a proxy, a redirect, content other than JSON. */
export class HttpStatusError extends CallError<HttpStatusErrorDetails> {
  override readonly name = 'HttpStatusError'
  readonly code = 'ERR_TONPLUG_HTTP_STATUS'
  override readonly retryable: boolean

  constructor(facts: HttpStatusErrorDetails & { problem: string; isRetryable: boolean }) {
    const { problem, isRetryable, ...details } = facts
    super({ message: `${describeCall(details)}: HTTP ${details.status}, ${problem}`, details })
    this.retryable = isRetryable
  }
}

export interface RateLimitErrorDetails extends CallFacts {
  /** The delay that the server requests, from now on, milliseconds. */
  retryAfterMs: number | undefined
  /** The server's error text, shortened; absent when the pause after an earlier 429 ended the call. */
  reason?: string | undefined
  serverCode?: number | string | undefined
}

/**
 * The server responded with 429 to the last attempt, or requests a pause longer than the deadline of this call: another
 * client shares the limit, or `rps` is above that of the plan.
 */
export class RateLimitError extends CallError<RateLimitErrorDetails> {
  override readonly name = 'RateLimitError'
  readonly code = 'ERR_TONPLUG_RATE_LIMIT'
  override readonly retryable = true

  constructor(details: RateLimitErrorDetails) {
    const { retryAfterMs } = details
    const hint = retryAfterMs === undefined ? '' : ` (retry after ${retryAfterMs} ms)`
    super({
      message: `${describeCall(details)}: rate limit exceeded${hint}; lower rps or share a limiter`,
      details,
    })
  }
}

export interface OutcomeUnknownErrorDetails extends CallFacts {
  /** The code of the failure that hid the response to an earlier attempt. */
  lostCode: string
}

/**
 * A call that changes something may have succeeded. Either the response to a request that is sent only once was lost, for
 * example of `createTransfer`. Or a message was rejected after an attempt whose response was lost, and that attempt may be
 * the reason of the rejection: search for the message by its hash, or wait until it has expired, before you sign another
 * one. `cause` is the rejection, or the failure that hid the response.
 */
export class OutcomeUnknownError extends CallError<OutcomeUnknownErrorDetails> {
  override readonly name = 'OutcomeUnknownError'
  readonly code = 'ERR_TONPLUG_OUTCOME_UNKNOWN'

  /** @param facts.advice what to do, as the end of a sentence */
  constructor(facts: OutcomeUnknownErrorDetails & { advice?: string | undefined; cause: unknown }) {
    const {
      cause,
      advice = 'look for the message by its hash, or for its effect, before you sign another one',
      ...details
    } = facts
    const problem = `an attempt was lost (${details.lostCode}) and may have been accepted; ${advice}`
    super({ message: `${describeCall(details)}: ${problem}`, details, cause })
  }
}
