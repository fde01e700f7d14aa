import {
  AuthenticationError,
  ConflictError,
  HistoryNotAvailableError,
  LiteserverNotReadyError,
  MessageRejectedError,
  NotFoundError,
  ServerError,
  ValidationError,
  WrongNetworkError,
  type ApiError,
  type ApiErrorDetails,
} from '../errors/api.js'
import type { CallFacts } from '../errors/http.js'
import { isRetryableAnswer } from '../transport/answers.js'
import { hasExitCode, isRejection, readRejection } from './rejection.js'

/** A refusal of the API, whatever shape it came in. */
export interface Refusal {
  endpoint: string
  /** The HTTP status, or the `code` of the body when the status says success. */
  status: number
  /** The server's text, from whichever field it stood in. */
  reason: string
  requestId: string | undefined
}

/** What a refusal is, and whether the same request may succeed later. */
export interface Verdict {
  isRetryable: boolean
  error: (facts: CallFacts) => ApiError
}

const REASON_LENGTH = 2000
const NOT_FOUND = /\b(?:tx|transaction)(?: was)? not found/i
const NOT_KEPT =
  /cannot (?:locate transaction in block with specified logical time|compute block with specified transaction)/i
const STACK_ENTRY = /stack entr/i
const SENDS = new Set(['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError', 'estimateFee'])

type ErrorClass = new (details: ApiErrorDetails) => ApiError

/** Names a refusal by its text and its status. 429 is not among them. Source: API facts, part 1.2 and 1.5. */
export function classifyRefusal(refusal: Refusal): Verdict {
  if (isMessageRejection(refusal)) return rejected(refusal)
  const Named = nameByText(refusal) ?? nameByStatus(refusal)
  if (Named !== undefined) return verdict(refusal, false, (details) => new Named(details))
  const { status, reason } = refusal
  if (!isRetryableAnswer({ status, text: reason })) {
    return verdict(refusal, false, (details) => new ServerError({ ...details, isRetryable: false }))
  }
  return status === 502 || status === 503
    ? verdict(refusal, true, (details) => new ServerError({ ...details, isRetryable: true }))
    : verdict(refusal, true, (details) => new LiteserverNotReadyError(details))
}

function isMessageRejection({ endpoint, status, reason }: Refusal): boolean {
  if (isRejection(reason)) return true
  if (!SENDS.has(endpoint)) return false
  return hasExitCode(reason) || (endpoint === 'sendBocReturnHashNoError' && status === 400)
}

function nameByText({ status, reason }: Refusal): ErrorClass | undefined {
  if (NOT_FOUND.test(reason)) return NotFoundError
  if (NOT_KEPT.test(reason)) return HistoryNotAvailableError
  return status === 542 && STACK_ENTRY.test(reason) ? ValidationError : undefined
}

function nameByStatus({ status, reason }: Refusal): ErrorClass | undefined {
  switch (status) {
    case 401:
      return AuthenticationError
    case 403:
      return /network/i.test(reason) ? WrongNetworkError : AuthenticationError
    case 404:
      return NotFoundError
    case 408:
      return undefined
    case 409:
      return ConflictError
    default:
      return status >= 400 && status < 500 ? ValidationError : undefined
  }
}

function rejected(refusal: Refusal): Verdict {
  const run = readRejection(refusal.reason)
  return verdict(refusal, false, (details) => new MessageRejectedError({ ...details, ...run }))
}

function verdict(
  { endpoint: _named, ...refusal }: Refusal,
  isRetryable: boolean,
  build: (details: ApiErrorDetails) => ApiError,
): Verdict {
  const reason = refusal.reason.slice(0, REASON_LENGTH)
  return { isRetryable, error: (facts) => build({ ...facts, ...refusal, reason }) }
}
