import { ResponseShapeError } from '../errors/api.js'
import { isObject, toInt } from '../schema/readers.js'
import { classifyByStatus, classifyRateLimit } from '../transport/answers.js'
import type { Classified, HttpAnswer } from '../transport/transport.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { classifyRefusal } from '../endpoint/classify-error.js'

/** What a successful answer carries. */
export interface Opened {
  kind: 'ok'
  /** Under `result`; `undefined` when it is missing, as nulls of the Python server are. */
  result: unknown
  /** The server's `@extra`. */
  requestId: string | undefined
}

/** What of a call matters for reading its envelope. */
export interface EnvelopeCall {
  name: string
  servers?: Endpoint['servers'] | undefined
}

type Body = Readonly<Record<string, unknown>>

const RATE_LIMIT = /\brate ?limit exceed/i

/**
 * Opens the envelope of an answer. Both the HTTP status and `ok` must say success; the text of an error stands in
 * `error`, or in `result` when the gateway wrote it. What is no JSON object is judged by its status.
 * Source: API facts, part 1.2 and 1.3; an answer of `/jsonRPC` has the same fields.
 * @param isJsonRpc whether the call went to the JSON-RPC entrance
 */
export function openEnvelope(
  { name, servers }: EnvelopeCall,
  answer: HttpAnswer,
  isJsonRpc = false,
): Opened | Classified {
  const isSuccess = answer.status >= 200 && answer.status < 300
  const isTold = answer.status === 401 || (isJsonRpc && answer.status === 404)
  const body = isObject(answer.json) ? answer.json : isTold ? {} : undefined
  if (body === undefined) return classifyByStatus(answer)
  const requestId = readRequestId(body)
  if (isSuccess && body['ok'] === true) return { kind: 'ok', result: body['result'], requestId }
  if (isSuccess && body['ok'] !== false) return noEnvelope(requestId)
  const status = isSuccess ? readCode(body) : answer.status
  const reason = readReason(body)
  const isOwn = body['ok'] === false || status === 500
  if (status === 429 || (isOwn && RATE_LIMIT.test(reason))) return classifyRateLimit(answer)
  const refusal = {
    endpoint: name,
    isCppOnly: servers === 'cpp',
    isJsonRpc,
    isOwn,
    status,
    reason,
    requestId,
  }
  return { kind: 'error', ...classifyRefusal(refusal) }
}

/** The Python server leaves its `@extra` inside the result. */
function readRequestId(body: Body): string | undefined {
  const { result } = body
  const extra = body['@extra'] ?? (isObject(result) ? result['@extra'] : undefined)
  return typeof extra === 'string' ? extra : undefined
}

function readReason({ error, result, message, detail }: Body): string {
  const texts = [error, result, message, detail]
  return texts.find((text) => typeof text === 'string') ?? readDetails(detail)
}

/** What the Python server's framework finds wrong: a list of places and texts. */
function readDetails(detail: unknown): string {
  const list: unknown[] = Array.isArray(detail) ? detail : []
  const problems = list.filter(isObject).map(({ loc, msg }) => {
    // An object of JSON may have a `toString` that is no function.
    const place = Array.isArray(loc) ? loc.filter((one) => typeof one !== 'object').join('.') : ''
    return [place, msg].filter((text) => typeof text === 'string' && text !== '').join(': ')
  })
  return problems.join('; ')
}

/** The status of a refusal that came with HTTP 200. */
function readCode({ code }: Body): number {
  const status = toInt(code) ?? 500
  return status >= 400 && status < 600 ? status : 500
}

function noEnvelope(requestId: string | undefined): Classified {
  const details = { path: 'ok', expected: 'true or false', requestId }
  return {
    kind: 'error',
    isRetryable: false,
    error: (facts) => new ResponseShapeError({ ...facts, ...details }),
  }
}
