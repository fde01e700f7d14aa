import { isObject } from '../../shared/is-object.js'
import {
  classifyRefusal,
  refused,
  rejected,
  type Refusal,
  type Verdict,
} from '../endpoint/classify-error.js'
import { decodeResult, type ResultDecoding } from '../endpoint/decode-result.js'
import { readOutcome, readRejection } from '../endpoint/rejection.js'
import type { WireParams } from '../schema/params-object.js'
import {
  classifyByStatus,
  classifyRateLimit,
  excerptOf,
  hasError,
  readErrorBody,
} from '../transport/classify.js'
import type { Classified, HttpResponse } from '../transport/request.js'

// The index responds with 500 to invalid parameters where it builds a query, and with 422 to database errors elsewhere: its
// error text is more reliable than the status.
const INVALID =
  /limit is not allowed|failed to decode: schema|wrong value for sort|unsupported stack parameter type|should be specified|^Invalid address format/i
const REQUIRED = /\brequired\b/i
const KEY = /\bapi[ _-]?key\b/i
const BUSY =
  /time(?:d |-)?out|deadline exceeded|context cancell?ed|too many clients|no free connections|connection (?:refused|reset)|failed to connect|conn(?:ection)? closed|unexpected EOF|broken pipe|conflict with recovery|SQLSTATE (?:08|40|53|57)/i
const NODE = /LITE_SERVER|liteserver/i
const NO_ROUTE = /^(?:internal server error: )?Cannot (?:GET|POST) /
// Errors of the emulation service, which responds with 500.
const NOT_ACCEPTED = /^EmulationExternalNotAccepted: (-?\d+)/
const NO_WALLET =
  /^(?:Account state no code or no data|Account is not a known wallet|Unsupported wallet type)/
const NOTHING_PENDING = /\b(?:traces?|transactions?|actions?) (?:was |were )?not found/i

/** Classifies the response of an endpoint. A success becomes its result. */
export function readResult(
  response: HttpResponse,
  { params, ...decoding }: ResultDecoding & { params: WireParams },
): Classified {
  const { name, whenNone, narrow } = decoding.endpoint
  if (whenNone !== undefined && isNothingPending(response)) return { kind: 'ok', value: whenNone() }
  const success = readResponse(name, response)
  if (success.kind !== 'ok') return success
  const { text, status } = response
  const decoded = decodeResult(decoding, { result: success.value, text, status })
  if (decoded.kind === 'error') return decoded
  return { kind: 'ok', value: narrow?.(decoded.value, params) ?? decoded.value }
}

/**
 * Classifies a response. The body of a success is the result. A refusal is `{"error": "…"}` from the index and the envelope
 * of API v2 from the gateway in front of it. A body that is not JSON is classified by its status.
 * Source: API facts, part 2.4.
 */
export function readResponse(endpoint: string, response: HttpResponse): Classified {
  const { status, json } = response
  if (status === 429) return classifyRateLimit(response)
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && json !== undefined && !isRefusal(json)) return { kind: 'ok', value: json }
  const body = isObject(json) ? json : status === 401 ? {} : undefined
  if (body === undefined) return classifyByStatus(response)
  const code = isSuccess ? statusOf(body['code']) : status
  if (code === 429) return classifyRateLimit(response)
  const refusal = {
    endpoint,
    isCppOnly: false,
    isOwn: isRefusal(body) || 'error' in body,
    status: code,
    ...readErrorBody(body),
    excerpt: excerptOf(response.text),
    requestId: undefined,
  }
  return { kind: 'error', ...classifyIndexRefusal(refusal, 'ok' in body) }
}

/** Returns true for a 404 of the index that means that nothing is pending. Other servers return an empty list. */
function isNothingPending({ status, json }: HttpResponse): boolean {
  return status === 404 && isObject(json) && NOTHING_PENDING.test(readErrorBody(json).reason)
}

/** Returns true for a refusal, also with HTTP 200: `ok` is `false` from the gateway, `error` is set by the index. */
function isRefusal(json: unknown): boolean {
  if (!isObject(json)) return false
  return json['ok'] === false || hasError(json)
}

/** Returns the status of a refusal with HTTP 200. */
function statusOf(code: unknown): number {
  return typeof code === 'number' && code >= 400 && code < 600 ? code : 500
}

/**
 * Classifies a refusal of API v3. Errors of a node come from API v2 and are classified as there.
 * Source: API facts, part 2.4, and the index server.
 * @param isOfGateway `true` for a refusal of the gateway, where 401 is about the key
 */
function classifyIndexRefusal(refusal: Refusal, isOfGateway: boolean): Verdict {
  const { status, reason } = refusal
  const exitCode = NOT_ACCEPTED.exec(reason)?.[1]
  if (exitCode !== undefined) {
    return rejected(refusal, { exitCode: Number(exitCode), log: undefined })
  }
  const asOfNode = refusal.endpoint === 'message' ? { ...refusal, endpoint: 'sendBoc' } : refusal
  if (isOfNode(asOfNode)) return classifyRefusal(asOfNode)
  const isMissingParameter = status === 401 && REQUIRED.test(reason) && !KEY.test(reason)
  if (INVALID.test(reason) || (isMissingParameter && !isOfGateway)) {
    return refused(refusal, 'ERR_TONPLUG_VALIDATION')
  }
  if (NO_WALLET.test(reason)) return refused(refusal, 'ERR_TONPLUG_CONFLICT')
  if (NO_ROUTE.test(reason)) {
    return refused(refusal, 'ERR_TONPLUG_UNKNOWN_METHOD', { hint: '; check the path and baseUrl' })
  }
  if ((status === 500 || status === 422) && BUSY.test(reason)) {
    return refused(refusal, 'ERR_TONPLUG_SERVER', { isRetryable: true })
  }
  return classifyRefusal(asOfNode)
}

/** Returns true for an error of a node or a contract. Its text may contain a log with any words. */
function isOfNode({ endpoint, reason }: Refusal): boolean {
  return (
    NODE.test(reason) ||
    readOutcome(endpoint, reason) !== undefined ||
    readRejection(reason).exitCode !== undefined
  )
}
