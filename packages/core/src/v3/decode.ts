import type { Endpoint } from '../endpoint/endpoint.js'
import type { WireParams } from '../schema/check-params.js'
import { decode } from '../schema/decode.js'
import type { Decoder } from '../schema/decoding.js'
import type { DriftListener } from '../schema/drift.js'
import { writePath } from '../schema/issue.js'
import { parseJson } from '../transport/lossless-json.js'
import type { Classified, HttpAnswer } from '../transport/transport.js'
import { isNothingPending, readAnswer, wrongShape } from './answer.js'

/** What it takes to read the answers to a call. */
export interface ResultReading {
  endpoint: Endpoint
  decoder: Decoder
  params: WireParams
  onDrift: DriftListener
}

/**
 * Reads the answer of an endpoint and converts its `json` in place. A field that cannot be read becomes a
 * `ResponseShapeError` naming its path.
 */
export function readResult(
  answer: HttpAnswer,
  { endpoint, decoder, params, onDrift }: ResultReading,
): Classified {
  const { whenNone } = endpoint
  if (whenNone !== undefined && isNothingPending(answer)) return { kind: 'ok', value: whenNone() }
  const answered = readAnswer(endpoint.name, answer)
  if (answered.kind !== 'ok') return answered
  const failure = endpoint.failure?.(answered.value)
  if (failure !== undefined) return { kind: 'error', isRetryable: false, error: failure }
  const parseAgain = (): unknown => parseJson(answer.text)
  const decoded = decode(answered.value, { decoder, parseAgain, onDrift })
  if (!decoded.isDecoded) return wrongShape(writePath(decoded.path), decoded.expected)
  const { value } = decoded
  return { kind: 'ok', value: endpoint.narrow?.(value, params) ?? value }
}
