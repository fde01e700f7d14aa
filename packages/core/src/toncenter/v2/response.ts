import { ResponseShapeError } from '../errors/api.js'
import { toInt } from '../schema/readers.js'
import { isObject } from '../../shared/is-object.js'
import {
  classifyByStatus,
  classifyRateLimit,
  excerptOf,
  hasError,
  readErrorBody,
} from '../transport/classify.js'
import type { Classified, HttpResponse } from '../transport/request.js'
import { classifyRefusal } from '../endpoint/classify-error.js'
import { decodeResult, type ResultDecoding } from '../endpoint/decode-result.js'
import type { Endpoint } from '../endpoint/endpoint.js'

interface EnvelopeCall {
  name: string
  servers?: Endpoint['servers'] | undefined
}

type Body = Readonly<Record<string, unknown>>

const RATE_LIMIT = /\brate ?limit exceed/i

/** The content of a successful response. */
export interface Result {
  /** `result` of the body; `undefined` if it is missing, as null is in responses of the Python server. */
  result: unknown
  /** The server's `@extra`. */
  requestId: string | undefined
}

/** Classifies the response of an endpoint. A success becomes a {@link Result}. */
export function readResult(
  response: HttpResponse,
  { isJsonRpc, ...decoding }: ResultDecoding & { isJsonRpc?: boolean },
): Classified {
  const opened = openEnvelope(decoding.endpoint, response, isJsonRpc)
  if (opened.kind === 'error') return opened
  // `openEnvelope` created it.
  const { result, requestId } = opened.value as Result
  const { text, status } = response
  const decoded = decodeResult(decoding, { result, text, status, field: 'result', requestId })
  return decoded.kind === 'error'
    ? decoded
    : { kind: 'ok', value: { result: decoded.value, requestId } satisfies Result }
}

/**
 * Reads the envelope of a response. Both the HTTP status and `ok` must be a success, which becomes a {@link Result}. Some
 * proxies leave `ok` out. The error text is in `error`, or in `result` from the gateway; JSON-RPC proxies have an object with
 * a message. A body that is not a JSON object is classified by its status.
 * Source: API facts, part 1.2 and 1.3; a response of `/jsonRPC` has the same fields.
 * @param isJsonRpc `true` for a response of `/jsonRPC`
 */
export function openEnvelope(
  { name, servers }: EnvelopeCall,
  response: HttpResponse,
  isJsonRpc = false,
): Classified {
  const isSuccess = response.status >= 200 && response.status < 300
  const isOfApi = response.status === 401 || (isJsonRpc && response.status === 404)
  const body = isObject(response.json) ? response.json : isOfApi ? {} : undefined
  if (body === undefined) return classifyByStatus(response)
  const requestId = readRequestId(body)
  const isRefused = body['ok'] === false || hasError(body)
  if (isSuccess && (body['ok'] === true || (!isRefused && hasOnlyResult(body)))) {
    return { kind: 'ok', value: { result: body['result'], requestId } satisfies Result }
  }
  if (isSuccess && !isRefused) return noEnvelope(response, requestId)
  const status = isSuccess ? readCode(body) : response.status
  const error = readErrorBody(body)
  const isOwn = body['ok'] === false || status === 500 || isObject(body['error'])
  if (status === 429 || (isOwn && RATE_LIMIT.test(error.reason))) return classifyRateLimit(response)
  const refusal = {
    endpoint: name,
    isCppOnly: servers === 'cpp',
    isJsonRpc,
    isOwn,
    status,
    ...error,
    excerpt: excerptOf(response.text),
    requestId,
  }
  return { kind: 'error', ...classifyRefusal(refusal) }
}

function hasOnlyResult(body: Body): boolean {
  return body['ok'] === undefined && body['result'] !== undefined && body['result'] !== null
}

/** The Python server puts its `@extra` into the result. */
function readRequestId(body: Body): string | undefined {
  const { result } = body
  const extra = body['@extra'] ?? (isObject(result) ? result['@extra'] : undefined)
  return typeof extra === 'string' ? extra : undefined
}

/** Returns the status of a refusal with HTTP 200. */
function readCode({ code }: Body): number {
  const status = toInt(code) ?? 500
  return status >= 400 && status < 600 ? status : 500
}

function noEnvelope({ status, text }: HttpResponse, requestId: string | undefined): Classified {
  const excerpt = excerptOf(text)
  const details = { path: 'ok', expected: 'true or false', requestId, status, excerpt }
  return {
    kind: 'error',
    isRetryable: false,
    error: (facts) => new ResponseShapeError({ ...facts, ...details }),
  }
}
