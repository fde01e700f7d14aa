import { ResponseShapeError } from '../errors/api.js'
import { decode } from '../schema/decode.js'
import type { Decoder } from '../schema/decoding.js'
import type { DriftListener } from '../schema/drift.js'
import { writePath } from '../schema/issue.js'
import { parseJson } from '../transport/lossless-json.js'
import type { Classified, HttpAnswer } from '../transport/transport.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { openEnvelope } from './envelope.js'

/** A result with what the envelope says about it. */
export interface Result {
  result: unknown
  requestId: string | undefined
}

/** What it takes to read the answers of an endpoint. */
export interface ResultReading {
  endpoint: Endpoint
  /** Whether the call went to the JSON-RPC entrance. @default false */
  isJsonRpc?: boolean | undefined
  decoder: Decoder
  onDrift: DriftListener
}

/**
 * Reads the answer of an endpoint and converts its `json` in place. A field that cannot be read becomes a
 * {@link ResponseShapeError} naming its path.
 */
export function readResult(
  answer: HttpAnswer,
  { endpoint, isJsonRpc, decoder, onDrift }: ResultReading,
): Classified {
  const opened = openEnvelope(endpoint, answer, isJsonRpc)
  if (!('result' in opened)) return opened
  const { result, requestId } = opened
  const failure = endpoint.failure?.(result)
  if (failure !== undefined) return refuse(failure)
  const parseAgain = (): unknown => resultOf(parseJson(answer.text))
  const decoded = decode(result, { decoder, parseAgain, onDrift })
  if (!decoded.isDecoded) {
    const { path, expected } = decoded
    const details = { path: writePath(['result', ...path]), expected, requestId }
    return refuse((facts) => new ResponseShapeError({ ...facts, ...details }))
  }
  const value: Result = { result: decoded.value, requestId }
  return { kind: 'ok', value }
}

function refuse(error: Extract<Classified, { kind: 'error' }>['error']): Classified {
  return { kind: 'error', isRetryable: false, error }
}

/** What stands under `result` in an answer whose envelope was opened before. */
function resultOf(json: unknown): unknown {
  return (json as { result?: unknown }).result
}
