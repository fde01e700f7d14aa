import { randomBytes } from 'node:crypto'
import type { DeliverOptions } from '@tonplug/testing'
import { readChoice, readCount, readFlag, type JsonFields } from './json-fields.js'

const KINDS = [
  'none',
  'duplicate',
  'delay',
  'drop',
  'drop-response',
  'corrupt',
  'truncate',
  'wrong-secret',
  'slow',
] as const satisfies readonly FaultKind[]

/** The kinds of faults of a delivery. */
export type FaultKind =
  | 'none'
  | 'duplicate'
  | 'delay'
  | 'drop'
  | 'drop-response'
  | 'corrupt'
  | 'truncate'
  | 'wrong-secret'
  | 'slow'

/**
 * Reads the fault of a request: `fault`, and `count` of duplicates, `seconds` of a delay or a slow body, and
 * `isFirstOnly` if the retries have no fault.
 * @throws {PageRequestError} when a field is invalid.
 */
export function readFault(fields: JsonFields): { kind: FaultKind; delivery: DeliverOptions } {
  const kind = readChoice(fields, 'fault', KINDS)
  const faultyAttempts = readFlag(fields, 'isFirstOnly') ? 1 : undefined
  return { kind, delivery: { ...readOptions(kind, fields), faultyAttempts } }
}

function readOptions(kind: FaultKind, fields: JsonFields): DeliverOptions {
  switch (kind) {
    case 'none':
      return {}
    case 'duplicate':
      return { times: readCount(fields, 'count', { least: 2, most: 100 }) }
    case 'delay':
      return { delayMs: readSeconds(fields) }
    case 'drop':
      return { drop: true }
    case 'drop-response':
      return { dropResponse: true }
    case 'corrupt':
      return { corrupt: true }
    case 'truncate':
      return { truncate: true }
    case 'wrong-secret':
      return { secret: randomBytes(32).toString('hex') }
    case 'slow':
      return { slowMs: readSeconds(fields) }
  }
}

function readSeconds(fields: JsonFields): number {
  return readCount(fields, 'seconds', { least: 1, most: 3600 }) * 1000
}
