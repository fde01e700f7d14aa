import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  ResponseShapeError,
  ServerError,
  ValidationError,
  type ApiError,
  type ApiErrorDetails,
} from '../errors/api.js'
import { isObject } from '../schema/readers.js'
import { classifyByStatus, classifyRateLimit } from '../transport/answers.js'
import type { Classified, HttpAnswer } from '../transport/transport.js'

const REASON_LENGTH = 500
/** A proxy, or the gateway for a moment, could not answer. */
const PASSING = new Set([408, 425, 502, 503, 504])

/** A field of an answer is not what it should be. */
export class WrongField extends Error {
  readonly path: string
  readonly expected: string

  constructor(path: string, expected: string) {
    super(`${path}: ${expected}`)
    this.path = path
    this.expected = expected
  }
}

/**
 * Judges an answer of the gateway. Nothing is known of the bodies of its refusals, so the status decides, and a text that
 * stands where such texts use to is passed on.
 * @param read makes the value of a success. @throws {WrongField} for a field that it cannot read.
 */
export function classifyAnswer(
  answer: HttpAnswer,
  read: (body: Readonly<Record<string, unknown>>) => unknown,
): Classified {
  const { status, json } = answer
  if (status === 429) return classifyRateLimit(answer)
  if (!isObject(json)) return classifyByStatus(answer)
  if (status < 200 || status >= 300) return refusal(status, json)
  try {
    return { kind: 'ok', value: read(json) }
  } catch (error) {
    if (!(error instanceof WrongField)) throw error
    const { path, expected } = error
    return {
      kind: 'error',
      isRetryable: false,
      error: (facts) => new ResponseShapeError({ ...facts, path, expected, requestId: undefined }),
    }
  }
}

function refusal(status: number, body: Readonly<Record<string, unknown>>): Classified {
  const isRetryable = PASSING.has(status)
  const own = { status, reason: readReason(body), requestId: undefined }
  return {
    kind: 'error',
    isRetryable,
    isUntouched: status === 425,
    error: (facts) => build({ ...facts, ...own }, isRetryable),
  }
}

function build(details: ApiErrorDetails, isRetryable: boolean): ApiError {
  const { status } = details
  if (status === 401 || status === 403) return new AuthenticationError(details)
  if (status === 404) return new NotFoundError(details)
  if (status === 409) return new ConflictError(details)
  const isOfCaller = status >= 400 && status < 500 && !isRetryable
  return isOfCaller ? new ValidationError(details) : new ServerError({ ...details, isRetryable })
}

function readReason(body: Readonly<Record<string, unknown>>): string {
  const texts = [body['message'], body['error'], body['detail']].flat()
  const reason = texts.find((text) => typeof text === 'string')
  return typeof reason === 'string' ? reason.slice(0, REASON_LENGTH) : ''
}
