import type { Clock } from '../shared/clock.js'
import { errorFacts } from '../shared/error-facts.js'
import { createLogLimit } from '../shared/log-limit.js'
import type { Logger } from '../shared/logger.js'
import type { Refusal, RefusalKind } from './answer.js'

/** Levels of refusals that an operator should see. All others can be caused by any caller. */
const LEVELS: Partial<Record<RefusalKind, 'warn' | 'error'>> = {
  invalid_signature: 'warn',
  malformed_payload: 'warn',
  unsupported_event: 'warn',
  stale: 'warn',
  raw_body_unavailable: 'error',
  unavailable: 'error',
}

/**
 * Logs refusals at a limited rate, so that forged requests cannot fill a disk: one line per minute for each kind and
 * reason, with the number of omitted ones; these at `debug`.
 */
export function createRefusalLog(
  clock: Clock,
  logger: Logger,
): (refusal: Refusal, cause?: unknown) => void {
  const limit = createLogLimit(clock)
  return (refusal, cause) => {
    const fields = cause === undefined ? { ...refusal } : { ...refusal, error: errorFacts(cause) }
    const level = LEVELS[refusal.kind]
    const key = 'reason' in refusal ? `${refusal.kind} ${refusal.reason}` : refusal.kind
    const leftOut = level && limit(key)
    if (level === undefined || leftOut === undefined) logger.debug('request refused', fields)
    else logger[level](describe(refusal, cause), { ...fields, leftOut })
  }
}

function describe(refusal: Refusal, cause: unknown): string {
  switch (refusal.kind) {
    case 'invalid_signature':
      return `webhook refused: signature ${refusal.reason}. If the gateway sent it, see the guide "The signature never matches"`
    case 'raw_body_unavailable':
    case 'malformed_payload':
      return cause instanceof Error ? cause.message : `webhook refused: ${refusal.kind}`
    case 'unavailable':
      return 'webhook rejected with 503; the gateway retries'
    default:
      return `webhook refused: ${refusal.kind}`
  }
}
