import { ResponseShapeError } from '../errors/api.js'
import { classifyByStatus, classifyRateLimit } from '../transport/answers.js'
import type { Classified, HttpAnswer } from '../transport/transport.js'
import { classifyIndexRefusal } from './classify-error.js'

/** The body of a success. */
export interface Answered {
  kind: 'ok'
  value: unknown
}

type Body = Readonly<Record<string, unknown>>

/**
 * Reads an answer. A success is the bare result; a refusal is `{"error": "…"}` from the index, and the envelope of API v2
 * from the gateway ahead of it. What is no JSON is judged by its status. Source: API facts, part 2.4.
 */
export function readAnswer(endpoint: string, answer: HttpAnswer): Answered | Classified {
  const { status, json } = answer
  if (status === 429) return classifyRateLimit(answer)
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && json !== undefined && !isRefusal(json)) return { kind: 'ok', value: json }
  const body = isObject(json) ? json : status === 401 ? {} : undefined
  if (body === undefined) return classifyByStatus(answer)
  const code = isSuccess ? readCode(body) : status
  if (code === 429) return classifyRateLimit(answer)
  const refusal = {
    endpoint,
    isCppOnly: false,
    isOwn: isRefusal(body) || 'error' in body,
    status: code,
    reason: readReason(body),
    requestId: undefined,
  }
  return { kind: 'error', ...classifyIndexRefusal(refusal, 'ok' in body) }
}

const NOTHING_PENDING = /\b(?:traces?|transactions?|actions?) (?:was |were )?not found/i

/** Whether the index says by a 404 that nothing is pending, where an empty list would say the same. */
export function isNothingPending({ status, json }: HttpAnswer): boolean {
  return status === 404 && isObject(json) && NOTHING_PENDING.test(readReason(json))
}

/** A {@link ResponseShapeError} about a field. */
export function wrongShape(path: string, expected: string): Classified {
  return {
    kind: 'error',
    isRetryable: false,
    error: (facts) => new ResponseShapeError({ ...facts, path, expected, requestId: undefined }),
  }
}

function isObject(json: unknown): json is Body {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** Under HTTP 200 too, refusals say so: those of the gateway by `ok`, those of the index by `error`. */
function isRefusal(json: unknown): boolean {
  if (!isObject(json)) return false
  const { ok, error } = json
  return ok === false || (typeof error === 'string' && error !== '')
}

function readReason(body: Body): string {
  const texts = [body['error'], body['result'], body['message'], body['detail']]
  return texts.find((text) => typeof text === 'string') ?? ''
}

/** The status of a refusal that came with HTTP 200. */
function readCode({ code }: Body): number {
  return typeof code === 'number' && code >= 400 && code < 600 ? code : 500
}
