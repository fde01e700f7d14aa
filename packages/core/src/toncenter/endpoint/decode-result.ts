import { ResponseShapeError } from '../errors/api.js'
import { decode } from '../schema/decode.js'
import type { Decoder } from '../schema/decoding.js'
import { writePath } from '../schema/mismatch.js'
import { excerptOf } from '../transport/classify.js'
import { parseJson } from '../transport/lossless-json.js'
import type { Classified } from '../transport/request.js'
import type { Endpoint } from './endpoint.js'

export interface ResultDecoding {
  endpoint: Endpoint
  decoder: Decoder
}

/** @param decoders the client's table, which has the endpoint */
export function decodingOf(
  endpoint: Endpoint,
  decoders: Readonly<Record<string, Decoder>>,
): ResultDecoding {
  return { endpoint, decoder: decoders[endpoint.name] as Decoder }
}

interface SuccessfulResponse {
  /** Converted in place. */
  result: unknown
  text: string
  status: number
  /** The field of the body that holds the result, if it is not the whole body. */
  field?: 'result'
  requestId?: string | undefined
}

/**
 * Decodes the result of a successful response. It becomes an error if the endpoint's `failure` finds one, or a
 * `ResponseShapeError` with the path of an invalid field.
 */
export function decodeResult(
  { endpoint, decoder }: ResultDecoding,
  { result, text, status, field, requestId }: SuccessfulResponse,
): Classified {
  const failure = endpoint.failure?.(result)
  if (failure !== undefined) return { kind: 'error', isRetryable: false, error: failure }
  const parseAgain = (): unknown => {
    const body = parseJson(text)
    // The result was read from this field before.
    return field === undefined ? body : (body as Record<string, unknown>)[field]
  }
  const decoded = decode(result, { decoder, parseAgain })
  if (decoded.isDecoded) return { kind: 'ok', value: decoded.value }
  const path = writePath(field === undefined ? decoded.path : [field, ...decoded.path])
  const details = { path, expected: decoded.expected, requestId, status, excerpt: excerptOf(text) }
  return {
    kind: 'error',
    isRetryable: false,
    error: (facts) => new ResponseShapeError({ ...facts, ...details }),
  }
}
