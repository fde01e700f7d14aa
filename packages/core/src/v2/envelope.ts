import { ResponseShapeError } from '../errors/api.js'
import { classifyByStatus, classifyRateLimit } from '../transport/answers.js'
import type { Classified, HttpAnswer } from '../transport/transport.js'
import { classifyRefusal } from './classify-error.js'

/** What a successful answer carries. */
export interface Opened {
  kind: 'ok'
  /** Under `result`; `undefined` when it is missing, as nulls of the Python server are. */
  result: unknown
  /** The server's `@extra`. */
  requestId: string | undefined
}

type Body = Readonly<Record<string, unknown>>

/**
 * Opens the envelope of an answer. Both the HTTP status and `ok` must say success; the text of an error stands in
 * `error`, or in `result` when the gateway wrote it. What is no JSON object is judged by its status.
 * Source: API facts, part 1.2 and 1.3; an answer of `/jsonRPC` has the same fields.
 */
export function openEnvelope(endpoint: string, answer: HttpAnswer): Opened | Classified {
  const isSuccess = answer.status >= 200 && answer.status < 300
  const body = isObject(answer.json) ? answer.json : answer.status === 401 ? {} : undefined
  if (body === undefined) return classifyByStatus(answer)
  const requestId = readRequestId(body)
  if (isSuccess && body['ok'] === true) return { kind: 'ok', result: body['result'], requestId }
  if (isSuccess && body['ok'] !== false) return noEnvelope(requestId)
  const status = isSuccess ? readCode(body) : answer.status
  if (status === 429) return classifyRateLimit(answer)
  const refusal = classifyRefusal({ endpoint, status, reason: readReason(body), requestId })
  return { kind: 'error', ...refusal }
}

function isObject(json: unknown): json is Body {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** The Python server leaves its `@extra` inside the result. */
function readRequestId(body: Body): string | undefined {
  const { result } = body
  const extra = body['@extra'] ?? (isObject(result) ? result['@extra'] : undefined)
  return typeof extra === 'string' ? extra : undefined
}

function readReason(body: Body): string {
  const texts = [body['error'], body['result'], body['message'], body['detail']]
  return texts.find((text) => typeof text === 'string') ?? ''
}

/** The status of a refusal that came with HTTP 200. */
function readCode({ code }: Body): number {
  return typeof code === 'number' && code >= 400 && code < 600 ? code : 500
}

function noEnvelope(requestId: string | undefined): Classified {
  const details = { path: 'ok', expected: 'true or false', requestId }
  return {
    kind: 'error',
    isRetryable: false,
    error: (facts) => new ResponseShapeError({ ...facts, ...details }),
  }
}
