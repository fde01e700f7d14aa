import {
  AuthenticationError,
  ConflictError,
  DuplicateMessageError,
  HistoryNotAvailableError,
  LiteserverNotReadyError,
  MessageRejectedError,
  NotFoundError,
  ServerError,
  UnknownMethodError,
  ValidationError,
  WrongNetworkError,
  type ApiError,
  type ApiErrorDetails,
} from '../errors/api.js'
import type { CallFacts } from '../errors/http.js'
import { isRetryableAnswer } from '../transport/answers.js'
import { readOutcome, readRejection, readUntouched, type MessageOutcome } from './rejection.js'

/** A refusal of the API, whatever shape it came in. */
export interface Refusal {
  endpoint: string
  /** Whether only the C++ server has the endpoint. */
  isCppOnly: boolean
  /** Of API v2: whether it came from the JSON-RPC entrance. */
  isJsonRpc?: boolean | undefined
  /** Whether the API itself says so, and not something in front of it. */
  isOwn: boolean
  /** The HTTP status, or the `code` of the body when the status says success. */
  status: number
  /** The server's text, from whichever field it stood in. */
  reason: string
  requestId: string | undefined
}

/** What a refusal is, and whether the same request may succeed later. */
export interface Verdict {
  isRetryable: boolean
  /** Whether nothing was done about the request. */
  isUntouched: boolean
  error: (facts: CallFacts) => ApiError
}

const REASON_LENGTH = 2000
const UNKNOWN_METHOD = /^(?:not found$|unknown method|no route)/i
const NOT_KEPT =
  /cannot (?:locate transaction in block with specified logical time|compute block with specified transaction)/i
const BEHIND =
  /LITE_SERVER_(?:NOTREADY|NETWORK|TIMEOUT|CANCELLED)|possibly out of sync|no working liteserver/i
const BLOCK_NOT_KEPT =
  /\b(?:unable|cannot|can't|could not|failed)(?: to)? load block\b.*\bnot in db\b/i
const NOT_FOUND = /\b(?:tx|transaction|block)(?: was)? not found|\bnot in db\b/i
const NO_KEY = /^api key\b(?!.*\blimit)/i
const OTHER_NETWORK = /^(?:wrong network|network not allowed)\b/i
const STACK_ENTRY = /stack entr|unsupported\b.*\bstack\b|\bstack\b.*\bunsupported\b/i

type ErrorClass = new (details: ApiErrorDetails) => ApiError

/** Names a refusal by its text and its status. 429 is not among them. Source: API facts, part 1.2 and 1.5. */
export function classifyRefusal(refusal: Refusal): Verdict {
  const { endpoint, isCppOnly, isOwn, status, reason } = refusal
  const outcome = isOwn && status !== 422 ? readOutcome(endpoint, reason) : undefined
  if (outcome !== undefined) return aboutMessage(refusal, outcome)
  if (isUnknownMethod(refusal)) {
    // A server that has the entrance answers 422 for a method that it does not have.
    const isJsonRpc = refusal.isJsonRpc && status === 404
    const hints = { isCppOnly, isJsonRpc }
    return verdict(refusal, false, (details) => new UnknownMethodError({ ...details, ...hints }))
  }
  const Named = nameByText(refusal)
  if (Named !== undefined) return verdict(refusal, false, (details) => new Named(details))
  // A node that is merely behind says that something is not found too.
  if (BEHIND.test(reason)) return notReady(refusal)
  const Missing = nameMissing(reason)
  if (Missing !== undefined) return verdict(refusal, false, (details) => new Missing(details))
  // This method answers 400 for whatever went wrong.
  if (endpoint === 'sendBocReturnHashNoError' && status === 400) return rejected(refusal)
  return classifyByStatus(refusal)
}

function aboutMessage(refusal: Refusal, outcome: MessageOutcome): Verdict {
  switch (outcome) {
    case 'later':
      return notReady(refusal)
    case 'duplicate':
      return verdict(refusal, false, (details) => new DuplicateMessageError(details))
    case 'rejected':
      return rejected(refusal)
  }
}

function isUnknownMethod({ isJsonRpc, status, reason }: Refusal): boolean {
  if (status !== 404 && status !== 422) return false
  return UNKNOWN_METHOD.test(reason) || (isJsonRpc === true && status === 404 && reason === '')
}

function nameByText({ isOwn, status, reason }: Refusal): ErrorClass | undefined {
  if (NOT_KEPT.test(reason)) return HistoryNotAvailableError
  if (status === 542 && STACK_ENTRY.test(reason)) return ValidationError
  if (isOwn && OTHER_NETWORK.test(reason)) return WrongNetworkError
  return isOwn && NO_KEY.test(reason) ? AuthenticationError : undefined
}

function nameMissing(reason: string): ErrorClass | undefined {
  if (BLOCK_NOT_KEPT.test(reason)) return HistoryNotAvailableError
  return NOT_FOUND.test(reason) ? NotFoundError : undefined
}

function classifyByStatus(refusal: Refusal): Verdict {
  const Named = nameByStatus(refusal)
  if (Named !== undefined) return verdict(refusal, false, (details) => new Named(details))
  const { isOwn, status, reason } = refusal
  // 425 is about the request as it arrived, and says that it was not processed.
  if (status !== 425 && !isRetryableAnswer({ status, text: isOwn ? reason : '' })) {
    return verdict(refusal, false, (details) => new ServerError({ ...details, isRetryable: false }))
  }
  return status === 425 || status === 502 || status === 503
    ? verdict(refusal, true, (details) => new ServerError({ ...details, isRetryable: true }))
    : notReady(refusal)
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
    case 425:
      return undefined
    case 409:
      return ConflictError
    default:
      return status >= 400 && status < 500 ? ValidationError : undefined
  }
}

function notReady(refusal: Refusal): Verdict {
  return verdict(refusal, true, (details) => new LiteserverNotReadyError(details))
}

function rejected(refusal: Refusal): Verdict {
  const run = readRejection(refusal.reason)
  return verdict(refusal, false, (details) => new MessageRejectedError({ ...details, ...run }))
}

/** A verdict whose error knows the refusal. */
export function verdict(
  { status, reason, requestId }: Refusal,
  isRetryable: boolean,
  build: (details: ApiErrorDetails) => ApiError,
): Verdict {
  const own = { status, reason: reason.slice(0, REASON_LENGTH), requestId }
  const isUntouched = status === 425 || readUntouched(reason)
  return { isRetryable, isUntouched, error: (facts) => build({ ...facts, ...own }) }
}
