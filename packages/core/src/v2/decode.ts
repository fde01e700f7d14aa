import { ResponseShapeError } from '../errors/api.js'
import { withDrift, type DriftListener } from '../schema/drift.js'
import { firstIssue, writePath } from '../schema/issue.js'
import type { Classified } from '../transport/transport.js'
import type { Endpoint } from './endpoint.js'
import type { Opened } from './envelope.js'

/** A decoded answer. */
export interface Decoded {
  result: unknown
  requestId: string | undefined
}

/** Reads the result of an endpoint. A field that cannot be read becomes a {@link ResponseShapeError} naming its path. */
export function decodeResult(
  endpoint: Endpoint,
  { result, requestId }: Opened,
  onDrift: DriftListener,
): Classified {
  const decoded = withDrift(onDrift, () => endpoint.result.safeParse(result))
  if (decoded.success) {
    const error = endpoint.failure?.(decoded.data)
    if (error !== undefined) return { kind: 'error', isRetryable: false, error }
    const value: Decoded = { result: decoded.data, requestId }
    return { kind: 'ok', value }
  }
  const { path, expected } = firstIssue(decoded.error)
  const details = { path: writePath(['result', ...path]), expected, requestId }
  return {
    kind: 'error',
    isRetryable: false,
    error: (facts) => new ResponseShapeError({ ...facts, ...details }),
  }
}
