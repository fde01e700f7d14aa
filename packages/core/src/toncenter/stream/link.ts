import { withDeadline, type Deadline } from '../../shared/timers.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import {
  HttpStatusError,
  RateLimitError,
  RequestTimeoutError,
  TransportError,
} from '../errors/http.js'
import { excerptOf } from '../transport/classify.js'
import { copyCause, deepestCode, type Redact } from '../transport/redact.js'
import type { Selection } from './subscription.js'

/** The name of the stream in errors. */
const STREAM = { endpoint: 'stream', attempts: 1 } as const

/** Time for a connection with its acknowledgement. */
const OPEN_TIMEOUT_MS = 10_000

/** Opens a connection. @throws {RequestTimeoutError} when that takes too long. */
export function withinOpenTimeout<Result>(
  limits: Pick<Deadline, 'clock' | 'signal'>,
  open: () => Promise<Result>,
): Promise<Result> {
  return withDeadline({ ...limits, deadlineMs: OPEN_TIMEOUT_MS }, open, () => {
    throw silentError('headers', OPEN_TIMEOUT_MS)
  })
}

/** Characters of an event. The largest ones are traces of thousands of transactions. */
export const MAX_EVENT_LENGTH = 8_388_608

/** A connection whose subscription the server has acknowledged. */
export interface Link {
  /** Resolves with the reason when the connection has ended, unless it was closed. */
  readonly ended: Promise<TonplugError>
  /**
   * Replaces the subscription. Absent when that needs another connection.
   * @throws {TonplugError} and the signal's reason; the old one stays.
   */
  replace?: (selection: Selection, signal: AbortSignal) => Promise<void>
  close(): void
}

/** Receives what the server sends. */
export interface LinkListener {
  /** Called when the server acknowledges a subscription, before its first event. */
  readonly onAcknowledged: (selection: Selection) => void
  /** @param json the parsed text of an event; `undefined` for one that is not JSON. */
  readonly onEvent: (json: unknown) => void
}

/** Opens a connection. @throws {TonplugError} and the signal's reason. */
export type OpenLink = (
  selection: Selection,
  listener: LinkListener,
  signal: AbortSignal,
) => Promise<Link>

/** A promise that its owner settles. */
export interface Deferred<Value> {
  promise: Promise<Value>
  resolve: (value: Value) => void
  reject: (error: TonplugError) => void
}

export function createDeferred<Value>(): Deferred<Value> {
  let resolve: Deferred<Value>['resolve'] = () => undefined
  let reject: Deferred<Value>['reject'] = () => undefined
  const promise = new Promise<Value>((...settle) => {
    ;[resolve, reject] = settle
  })
  // Nothing may wait for it when it is rejected.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

/** Returns the error of a connection that could not be opened, or that has ended. */
export function lostError(thrown: unknown, redact: Redact): TransportError {
  const reason = redact(deepestCode(thrown) ?? '') || undefined
  const what = 'the server could not be reached, or has closed the connection'
  return new TransportError({
    ...STREAM,
    code: 'ERR_TONPLUG_NETWORK',
    problem: reason === undefined ? what : `${what} (${reason})`,
    reason,
    ...(thrown !== undefined && { cause: copyCause(thrown, redact) }),
  })
}

/** Returns the error of a connection that opened without an acknowledgement, or that became silent. */
export function silentError(phase: 'headers' | 'body', limitMs: number): RequestTimeoutError {
  return new RequestTimeoutError({ ...STREAM, scope: 'attempt', phase, limitMs })
}

/** Returns the error of a connection that was closed because of an event longer than {@link MAX_EVENT_LENGTH}. */
export function tooLongError(): TransportError {
  return new TransportError({
    ...STREAM,
    code: 'ERR_TONPLUG_RESPONSE_TOO_LARGE',
    problem: `an event is longer than ${MAX_EVENT_LENGTH} characters`,
    maxBodyBytes: MAX_EVENT_LENGTH,
  })
}

/** Returns the error of a refused connection or subscription. A limit of connections becomes a {@link RateLimitError}. */
export function refusedError(refusal: {
  status: number
  reason: string
  retryAfterMs?: number | undefined
  contentType?: string | undefined
}): RateLimitError | HttpStatusError {
  const { status, reason, retryAfterMs, contentType } = refusal
  if (status === 429) return new RateLimitError({ ...STREAM, retryAfterMs, reason })
  const excerpt = excerptOf(reason)
  return new HttpStatusError({
    ...STREAM,
    status,
    contentType,
    excerpt,
    problem: excerpt === '' ? 'the subscription was refused' : excerpt,
    isRetryable: status >= 500 || status === 408,
  })
}

/** Source: streaming facts, part 1. */
const CONNECTION_LIMIT = /connection limit reached: *(\d+)/

/** Returns true for the refusal of a WebSocket, which has no status, because of the limit of connections. */
export function isConnectionLimit(reason: string): boolean {
  return CONNECTION_LIMIT.test(reason)
}

/** Returns true when the plan of the key allows no connection at all. */
export function hasNoConnections(error: TonplugError): boolean {
  return (
    error instanceof RateLimitError &&
    CONNECTION_LIMIT.exec(error.details.reason ?? '')?.[1] === '0'
  )
}
