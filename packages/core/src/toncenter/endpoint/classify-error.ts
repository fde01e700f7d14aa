import {
  ApiError,
  MessageRejectedError,
  type ApiErrorCode,
  type RefusalDetails,
} from '../errors/api.js'
import type { CallError, CallFacts } from '../errors/call-error.js'
import { isRetryableResponse } from '../transport/classify.js'
import { readOutcome, readRejection, readUntouched } from './rejection.js'

export interface Refusal {
  endpoint: string
  isCppOnly: boolean
  /** True for a response of `/jsonRPC`; `undefined` for API v3. */
  isJsonRpc?: boolean | undefined
  /** True when the API itself responded, not a proxy in front of it. */
  isOwn: boolean
  /** The HTTP status, or the `code` of the body when the status is a success. */
  status: number
  reason: string
  serverCode?: number | string | undefined
  /** The beginning of the body, for a refusal without a reason. */
  excerpt?: string | undefined
  requestId: string | undefined
}

/** The error of a refusal, and whether the same request may succeed later. */
export interface Verdict {
  isRetryable: boolean
  isRetryableOnce: boolean
  isUntouched: boolean
  error: (facts: CallFacts) => CallError
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

/** Codes of JSON-RPC. */
const METHOD_NOT_FOUND = -32_601
const INVALID_REQUEST = [-32_600, -32_602, -32_700]
/** A node's answer to the request, which a retry does not change. */
const OF_NODE = /LITE_SERVER_/
/** Texts of a server or a proxy that may work later. */
const MAY_PASS =
  /unavailable|overload|busy|upstream|connect|time(?:d |-)?out|deadline|try again|later|not ready|sync/i

/** Classifies a refusal by its text and its status, 429 excepted. Source: API facts, part 1.2 and 1.5. */
export function classifyRefusal(refusal: Refusal): Verdict {
  const { endpoint, isOwn, status, reason } = refusal
  const outcome = isOwn && status !== 422 ? readOutcome(endpoint, reason) : undefined
  if (outcome === 'rejected') return rejected(refusal)
  if (outcome !== undefined) {
    return refused(
      refusal,
      outcome === 'later' ? 'ERR_TONPLUG_LITESERVER_NOT_READY' : 'ERR_TONPLUG_DUPLICATE_MESSAGE',
    )
  }
  if (isUnknownMethod(refusal)) {
    return refused(refusal, 'ERR_TONPLUG_UNKNOWN_METHOD', { hint: missingMethodHint(refusal) })
  }
  const code = codeOfText(refusal)
  if (code !== undefined) return refused(refusal, code)
  // This endpoint responds with 400 to every failure.
  if (endpoint === 'sendBocReturnHashNoError' && status === 400) return rejected(refusal)
  return classifyByStatus(refusal)
}

function isUnknownMethod({ isJsonRpc, status, reason, serverCode }: Refusal): boolean {
  if (serverCode === METHOD_NOT_FOUND) return true
  if (status !== 404 && status !== 422) return false
  return UNKNOWN_METHOD.test(reason) || (isJsonRpc === true && status === 404 && reason === '')
}

function missingMethodHint({ isCppOnly, isJsonRpc, status }: Refusal): string {
  // A server that has /jsonRPC responds to an unknown method with 422.
  if (isJsonRpc === true && status === 404) {
    return ', or no /jsonRPC; omit the option jsonRpc'
  }
  return isCppOnly ? '; only the C++ server has it' : '; check the path and baseUrl'
}

function codeOfText({ isOwn, status, reason, serverCode }: Refusal): ApiErrorCode | undefined {
  if (INVALID_REQUEST.includes(Number(serverCode))) return 'ERR_TONPLUG_VALIDATION'
  if (NOT_KEPT.test(reason)) return 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE'
  if (status === 542 && STACK_ENTRY.test(reason)) return 'ERR_TONPLUG_VALIDATION'
  if (isOwn && OTHER_NETWORK.test(reason)) return 'ERR_TONPLUG_WRONG_NETWORK'
  if (isOwn && NO_KEY.test(reason)) return 'ERR_TONPLUG_AUTHENTICATION'
  // A node that is only behind also reports that something is not found.
  if (BEHIND.test(reason)) return 'ERR_TONPLUG_LITESERVER_NOT_READY'
  if (BLOCK_NOT_KEPT.test(reason)) return 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE'
  return NOT_FOUND.test(reason) ? 'ERR_TONPLUG_NOT_FOUND' : undefined
}

function classifyByStatus(refusal: Refusal): Verdict {
  const { isOwn, status, reason } = refusal
  const code = codeOfStatus(refusal)
  if (code !== undefined) return refused(refusal, code)
  if (isException(refusal)) return refused(refusal, 'ERR_TONPLUG_SERVER')
  // 425 reports that the request was not processed.
  if (status !== 425 && !isRetryableResponse({ status, text: isOwn ? reason : '' })) {
    return refused(refusal, 'ERR_TONPLUG_SERVER')
  }
  return status === 425 || status === 502 || status === 503
    ? refused(refusal, 'ERR_TONPLUG_SERVER', { isRetryable: true })
    : refused(refusal, 'ERR_TONPLUG_LITESERVER_NOT_READY')
}

/** The Python server reports an exception while it parses the data of a contract with 503: a retry has the same result. */
function isException({ endpoint, isOwn, status, reason }: Refusal): boolean {
  return (
    endpoint === 'getTokenData' &&
    isOwn &&
    status === 503 &&
    reason !== '' &&
    !MAY_PASS.test(reason)
  )
}

function codeOfStatus({ status, reason }: Refusal): ApiErrorCode | undefined {
  if (status === 403 && /network/i.test(reason)) return 'ERR_TONPLUG_WRONG_NETWORK'
  return status === 408 || status === 425 ? undefined : codeOfClientStatus(status)
}

/** Returns the code of a 4xx status; `undefined` for any other one. */
export function codeOfClientStatus(status: number): ApiErrorCode | undefined {
  switch (status) {
    case 401:
    case 403:
      return 'ERR_TONPLUG_AUTHENTICATION'
    case 404:
      return 'ERR_TONPLUG_NOT_FOUND'
    case 409:
      return 'ERR_TONPLUG_CONFLICT'
    default:
      return status >= 400 && status < 500 ? 'ERR_TONPLUG_VALIDATION' : undefined
  }
}

/** @param run the exit code and the log of the contract */
export function rejected(refusal: Refusal, run = readRejection(refusal.reason)): Verdict {
  return verdict(refusal, false, (details) => new MessageRejectedError({ ...details, ...run }))
}

export function refused(
  refusal: Refusal,
  code: ApiErrorCode,
  more: { isRetryable?: boolean; hint?: string } = {},
): Verdict {
  const { isRetryable = code === 'ERR_TONPLUG_LITESERVER_NOT_READY' } = more
  return verdict(
    refusal,
    isRetryable,
    (details) => new ApiError({ ...details, code, hint: more.hint, isRetryable }),
    code === 'ERR_TONPLUG_SERVER' && refusal.status === 500 && !OF_NODE.test(refusal.reason),
  )
}

function verdict(
  { status, reason, excerpt = '', serverCode, requestId }: Refusal,
  isRetryable: boolean,
  build: (details: RefusalDetails) => CallError,
  isRetryableOnce = false,
): Verdict {
  const text = reason === '' ? excerpt : reason.slice(0, REASON_LENGTH)
  const own = { status, reason: text, serverCode, requestId }
  const isUntouched = status === 425 || readUntouched(reason)
  return {
    isRetryable,
    isRetryableOnce,
    isUntouched,
    error: (facts) => build({ ...facts, ...own }),
  }
}
