import { TonplugError } from './tonplug-error.js'

/** Which call an error is about. Every error of a call has these two. */
export interface CallFacts {
  /** The endpoint's name, as in `getTransactions`. */
  endpoint: string
  /** Requests sent for this call so far; 0 when none was. */
  attempts: number
}

/** The family of errors about the way to the API: nothing in them was said by the API itself. */
export abstract class TransportError<
  Details extends CallFacts = CallFacts,
> extends TonplugError<Details> {
  /** The endpoint's name. */
  get endpoint(): string {
    return this.details.endpoint
  }

  /** Requests sent for this call; 0 when none was. */
  get attempts(): number {
    return this.details.attempts
  }
}

/** Where a request was when something ended it. */
export type RequestPhase = 'queue' | 'backoff' | 'headers' | 'body'

/** What a {@link NetworkError} knows. */
export interface NetworkErrorDetails extends CallFacts {
  /** `headers`: no answer came. `body`: the answer broke off. */
  phase: 'headers' | 'body'
  /** The system's or the HTTP client's code, as in `ECONNRESET`, when there is one. */
  reason: string | undefined
}

/** The server could not be reached, or the connection broke before the whole answer was there. */
export class NetworkError extends TransportError<NetworkErrorDetails> {
  override readonly name = 'NetworkError'
  readonly code = 'ERR_TONPLUG_NETWORK'
  override readonly retryable = true

  constructor(facts: NetworkErrorDetails & { cause?: unknown }) {
    const { cause, ...details } = facts
    const what =
      details.phase === 'headers' ? 'the server could not be reached' : 'the answer broke off'
    const reason = details.reason === undefined ? '' : ` (${details.reason})`
    super({ message: `${describeCall(details)}: ${what}${reason}`, details, cause })
  }
}

/** What a {@link TimeoutError} knows. */
export interface TimeoutErrorDetails extends CallFacts {
  /** `attempt`: one request took longer than `timeoutMs`. `deadline`: the call took longer than `deadlineMs`. */
  scope: 'attempt' | 'deadline'
  /** What was going on when the time was over. */
  phase: RequestPhase
  /** The limit that was passed, milliseconds. */
  limitMs: number
}

/** A request took longer than `timeoutMs`, or the call as a whole longer than `deadlineMs`. `cause` is the failure before, if any. */
export class TimeoutError extends TransportError<TimeoutErrorDetails> {
  override readonly name = 'TimeoutError'
  readonly code = 'ERR_TONPLUG_TIMEOUT'
  override readonly retryable = true

  constructor(facts: TimeoutErrorDetails & { cause?: unknown }) {
    const { cause, ...details } = facts
    const option = details.scope === 'attempt' ? 'timeoutMs' : 'deadlineMs'
    super({
      message: `${describeCall(details)}: ${WAITED_FOR[details.phase]} when ${option} (${details.limitMs}) was over`,
      details,
      cause,
    })
  }
}

const WAITED_FOR: Record<RequestPhase, string> = {
  queue: 'still waiting for the rate limit',
  backoff: 'waiting to try again',
  headers: 'no answer had come',
  body: 'the answer was not complete',
}

/** What a {@link HttpStatusError} knows. */
export interface HttpStatusErrorDetails extends CallFacts {
  /** The HTTP status; 0 where a browser hides it (a redirect). */
  status: number
  contentType: string | undefined
  /** The beginning of the body, on one line. */
  excerpt: string
}

/** The answer is not one of the API: a proxy's error page, a redirect, another content than JSON. */
export class HttpStatusError extends TransportError<HttpStatusErrorDetails> {
  override readonly name = 'HttpStatusError'
  readonly code = 'ERR_TONPLUG_HTTP_STATUS'
  override readonly retryable: boolean

  /** @param facts.problem what is wrong, as the end of a sentence. */
  constructor(facts: HttpStatusErrorDetails & { problem: string; isRetryable: boolean }) {
    const { problem, isRetryable, ...details } = facts
    super({ message: `${describeCall(details)}: HTTP ${details.status}, ${problem}`, details })
    this.retryable = isRetryable
  }
}

/** What a {@link RateLimitError} knows. */
export interface RateLimitErrorDetails extends CallFacts {
  /** How long the server asks to wait from now on, milliseconds, when it said so. */
  retryAfterMs: number | undefined
}

/**
 * The server still answered 429 at the last attempt, or wants no calls at all for longer than this one may take: another
 * client shares the limit, or `rps` is above the plan's.
 */
export class RateLimitError extends TransportError<RateLimitErrorDetails> {
  override readonly name = 'RateLimitError'
  readonly code = 'ERR_TONPLUG_RATE_LIMIT'
  override readonly retryable = true

  constructor(facts: RateLimitErrorDetails) {
    super({
      message: `${describeCall(facts)}: the rate limit is exceeded${waitHint(facts.retryAfterMs)}; lower rps, share one limiter, or use a key of a larger plan`,
      details: { ...facts },
    })
  }
}

/** What a {@link ResponseTooLargeError} knows. */
export interface ResponseTooLargeErrorDetails extends CallFacts {
  /** The limit that was passed, bytes. */
  maxBodyBytes: number
}

/** The answer is longer than `maxBodyBytes`; the rest of it was not read. */
export class ResponseTooLargeError extends TransportError<ResponseTooLargeErrorDetails> {
  override readonly name = 'ResponseTooLargeError'
  readonly code = 'ERR_TONPLUG_RESPONSE_TOO_LARGE'

  constructor(facts: ResponseTooLargeErrorDetails) {
    super({
      message: `${describeCall(facts)}: the answer is longer than ${facts.maxBodyBytes} bytes; ask for less, or raise maxBodyBytes`,
      details: { ...facts },
    })
  }
}

/** The rate limiter given in the options failed or did not answer in time, so nothing was sent; see `cause`. */
export class LimiterError extends TransportError {
  override readonly name = 'LimiterError'
  readonly code = 'ERR_TONPLUG_LIMITER'
  override readonly retryable = true

  constructor(facts: CallFacts & { cause: Error }) {
    const { cause, ...details } = facts
    const message = `${describeCall(details)}: the rate limiter failed (${cause.message})`
    super({ message, details, cause })
  }
}

/** What an {@link OutcomeUnknownError} knows. */
export interface OutcomeUnknownErrorDetails extends CallFacts {
  /** The code of the failure that hid the answer to an earlier attempt. */
  lostCode: string
}

/**
 * Nobody knows whether a call that changes something has done so. A message was refused after an attempt whose answer had
 * been lost: the lost one may have been accepted, and the refusal may come of just that. Look for the message by its
 * hash, or wait until it has expired, before you sign another one. Or the answer to what is sent only once was lost, as
 * when a transfer is created. `cause` is the refusal, or what hid the answer.
 */
export class OutcomeUnknownError extends TransportError<OutcomeUnknownErrorDetails> {
  override readonly name = 'OutcomeUnknownError'
  readonly code = 'ERR_TONPLUG_OUTCOME_UNKNOWN'

  /** @param facts.advice what to do about what is sent only once, as the end of a sentence */
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

/** The beginning of each message: the endpoint, and how often it was tried. */
export function describeCall(facts: CallFacts): string {
  return facts.attempts > 1
    ? `${facts.endpoint} (after ${facts.attempts} attempts)`
    : facts.endpoint
}

function waitHint(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? '' : ` (the server asks to wait ${retryAfterMs} ms)`
}
