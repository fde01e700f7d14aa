import type { Clock } from '../runtime/clock.js'
import { errorFacts } from '../runtime/error-facts.js'
import type { Logger } from '../runtime/logger.js'
import type { Refusal, RefusalKind } from './answer.js'

const QUIET_MS = 60_000

/** What an operator has to know at once; everything else is a stranger's noise. */
const LEVELS: Partial<Record<RefusalKind, 'warn' | 'error'>> = {
  invalid_signature: 'warn',
  malformed_payload: 'warn',
  unsupported_event: 'warn',
  stale: 'warn',
  raw_body_unavailable: 'error',
  unavailable: 'error',
}

/**
 * Logs refusals so that ten thousand forged requests do not fill a disk: of each kind and reason one line per
 * minute at its level, with the number of those left out; each single one at `debug`.
 */
export function createRefusalLog(
  clock: Clock,
  logger: Logger,
): (refusal: Refusal, cause?: unknown) => void {
  const quiet = new Map<string, { untilMs: number; leftOut: number }>()
  return (refusal, cause) => {
    const fields = cause === undefined ? { ...refusal } : { ...refusal, error: errorFacts(cause) }
    logger.debug('request refused', fields)
    const level = LEVELS[refusal.kind]
    if (level === undefined) return
    const key = 'reason' in refusal ? `${refusal.kind} ${refusal.reason}` : refusal.kind
    const silence = quiet.get(key)
    if (silence !== undefined && clock.nowMs() < silence.untilMs) {
      silence.leftOut++
      return
    }
    quiet.set(key, { untilMs: clock.nowMs() + QUIET_MS, leftOut: 0 })
    logger[level](describe(refusal, cause), { ...fields, leftOut: silence?.leftOut ?? 0 })
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
      return `webhook answered 503 so that the gateway retries: ${refusal.reason}`
    default:
      return `webhook refused: ${refusal.kind}`
  }
}
