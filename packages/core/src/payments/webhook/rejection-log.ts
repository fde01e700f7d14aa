import type { Clock } from '../../shared/clock.js'
import { errorFacts } from '../../shared/error-facts.js'
import { createLogLimit, type Logger } from '../../shared/logger.js'
import type { Rejection, RejectionKind } from './response.js'

/** Level and message of refusals that an operator should see. All others can be caused by any caller. */
const LINES: Partial<Record<RejectionKind, readonly ['warn' | 'error', string]>> = {
  invalid_signature: [
    'warn',
    'webhook refused: invalid signature; if the gateway sent it, see the guide "The signature never matches"',
  ],
  malformed_payload: ['warn', 'webhook refused: malformed payload'],
  unsupported_event: ['warn', 'webhook refused: unsupported event'],
  stale: ['warn', 'webhook refused: timestamp beyond maxAgeMs'],
  raw_body_unavailable: ['error', 'webhook refused: raw body unavailable'],
  unavailable: ['error', 'webhook rejected with 503; the gateway retries'],
}

/**
 * Logs refusals at a limited rate, so that forged requests cannot fill a disk: one line per minute for each kind and
 * reason, with the number of omitted ones; these at `debug`.
 */
export function createRefusalLog(
  clock: Clock,
  logger: Logger,
): (rejection: Rejection, cause?: unknown) => void {
  const limit = createLogLimit(clock)
  return (rejection, cause) => {
    const fields =
      cause === undefined ? { ...rejection } : { ...rejection, error: errorFacts(cause) }
    const line = LINES[rejection.kind]
    const key = 'reason' in rejection ? `${rejection.kind} ${rejection.reason}` : rejection.kind
    const leftOut = line && limit(key)
    if (line === undefined || leftOut === undefined) {
      logger.debug('request refused', fields)
      return
    }
    const [level, message] = line
    // This error names the fix for the framework of the app.
    const isMisused = rejection.kind === 'raw_body_unavailable' && cause instanceof Error
    logger[level](isMisused ? cause.message : message, { ...fields, leftOut })
  }
}
