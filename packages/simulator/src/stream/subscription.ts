import { Address } from '@ton/core'
import { readHash } from '../shared/encodings.js'

/** The finality of an event, lowest first. */
export const FINALITIES = [
  'pending',
  'confirmed',
  'finalized',
] as const satisfies readonly Finality[]

export type Finality = 'pending' | 'confirmed' | 'finalized'

const TYPES = ['transactions', 'actions', 'trace', 'account_state_change', 'jettons_change']

/** The subscription of a connection. */
export interface StreamSubscription {
  types: ReadonlySet<string>
  /** Raw, lower case. */
  addresses: ReadonlySet<string>
  traces: ReadonlySet<string>
  minFinality: Finality
  actionTypes: readonly string[]
}

/** A subscription that the server refuses. */
export class InvalidSubscriptionError extends Error {}

/** Reads the fields of a subscription. @throws {InvalidSubscriptionError} with the error text of the real server. */
export function readSubscription(fields: Readonly<Record<string, unknown>>): StreamSubscription {
  if (fields['id'] !== undefined && typeof fields['id'] !== 'string') {
    throw new InvalidSubscriptionError('invalid subscription request: id must be a string')
  }
  const types = texts(fields['types'])
  const addresses = texts(fields['addresses'])
  const traces = texts(fields['trace_external_hash_norms'])
  const unknown = types.find((type) => !TYPES.includes(type))
  if (types.length === 0) throw new InvalidSubscriptionError('types are required')
  if (unknown !== undefined) throw new InvalidSubscriptionError(`invalid event type: ${unknown}`)
  if (addresses.length === 0 && types.some((type) => type !== 'trace')) {
    throw new InvalidSubscriptionError('addresses are required for this subscription')
  }
  if (traces.length > 0 && !types.includes('trace')) {
    throw new InvalidSubscriptionError('trace_external_hash_norms requires type "trace"')
  }
  if (traces.length === 0 && types.includes('trace')) {
    throw new InvalidSubscriptionError(
      'trace_external_hash_norms are required for trace subscription',
    )
  }
  return {
    types: new Set(types),
    addresses: new Set(addresses.map(rawOf)),
    traces: new Set(traces.map(readHash)),
    minFinality: FINALITIES.find((one) => one === fields['min_finality']) ?? 'finalized',
    actionTypes: texts(fields['action_types']),
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function rawOf(text: string): string {
  try {
    return Address.parse(text).toRawString()
  } catch {
    throw new InvalidSubscriptionError(`invalid address: ${text}`)
  }
}
