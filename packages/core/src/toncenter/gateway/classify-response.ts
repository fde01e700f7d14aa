import { parseBaseUnits } from '../../shared/units.js'
import { isObject } from '../../shared/is-object.js'
import { codeOfClientStatus } from '../endpoint/classify-error.js'
import { ApiError, ResponseShapeError } from '../errors/api.js'
import { Mismatch, refuse, writePath } from '../schema/mismatch.js'
import {
  classifyByStatus,
  classifyRateLimit,
  excerptOf,
  readErrorBody,
} from '../transport/classify.js'
import type { Classified, HttpResponse } from '../transport/request.js'

const REASON_LENGTH = 500
/** Statuses of a proxy or the gateway during a short outage. */
const TRANSIENT = new Set([408, 425, 502, 503, 504])

/** The JSON object of a response. */
export type Body = Readonly<Record<string, unknown>>

/**
 * Classifies a response of the gateway. The format of its errors is not documented, so the status decides, and an error text
 * in one of the usual fields becomes part of the error.
 * @param read returns the value of a success. @throws {Mismatch} for a malformed field.
 */
export function classifyGatewayResponse(
  response: HttpResponse,
  read: (body: Body) => unknown,
): Classified {
  const { status, json, text } = response
  if (status === 429) return classifyRateLimit(response)
  if (!isObject(json)) return classifyByStatus(response)
  if (status < 200 || status >= 300) return classifyError(response, json)
  try {
    return { kind: 'ok', value: read(json) }
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    const { expected } = error
    const excerpt = excerptOf(text)
    const details = { path: writePath(error.path), expected, requestId: undefined, status, excerpt }
    return {
      kind: 'error',
      isRetryable: false,
      error: (facts) => new ResponseShapeError({ ...facts, ...details }),
    }
  }
}

function classifyError({ status, text }: HttpResponse, body: Body): Classified {
  const isRetryable = TRANSIENT.has(status)
  const code = (isRetryable ? undefined : codeOfClientStatus(status)) ?? 'ERR_TONPLUG_SERVER'
  const { serverCode } = readErrorBody(body)
  const reason = readReason(body) || excerptOf(text)
  const details = { code, status, reason, serverCode, requestId: undefined }
  return {
    kind: 'error',
    isRetryable,
    isUntouched: status === 425,
    error: (facts) => new ApiError({ ...facts, ...details, isRetryable }),
  }
}

function readReason(body: Body): string {
  const texts = [body['message'], body['error'], body['detail'], readErrorBody(body).reason].flat()
  const reason = texts.find((text) => typeof text === 'string')
  return typeof reason === 'string' ? reason.slice(0, REASON_LENGTH) : ''
}

/** @throws {Mismatch} unless the value is a string that is not empty. */
export function stringAt(path: string, value: unknown): string {
  const isRead = typeof value === 'string' && value !== ''
  return isRead ? value : refuse('a string that is not empty', value, [path])
}

/** @throws {Mismatch} unless the value is an amount in base units with all its digits. */
export function baseUnitsAt(path: string, value: unknown): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const amount = typeof text === 'string' ? parseBaseUnits(text) : undefined
  return amount ?? refuse('base units in decimal digits', value, [path])
}
