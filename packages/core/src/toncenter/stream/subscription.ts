import { canonicalAddress } from '../../shared/address.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { checkOptions, anyOption, oneOfParam, type OptionShape } from '../schema/options.js'
import { createParam, optionalParam, type Param } from '../schema/param.js'
import { addressParam, hashParam, type AddressLike, type HashLike } from '../schema/params.js'
import {
  EVENT_TYPES,
  FINALITIES,
  rankOf,
  type ChainEvent,
  type EventType,
  type Finality,
} from './events.js'

/** The events that a loop receives. */
export interface StreamSubscription {
  /** `trace_invalidated` needs no subscription: it follows an event that it takes back. */
  types: readonly EventType[]
  /** The accounts, for every type except `trace`. For `jettons_change` also owners of jetton wallets. */
  addresses?: readonly AddressLike[] | undefined
  /** Normalized hashes of external messages, for the type `trace`. */
  traces?: readonly HashLike[] | undefined
  /** The lowest finality to receive. @default 'finalized' */
  minFinality?: Finality | undefined
  /** Ends the loop with its reason. */
  signal?: AbortSignal | undefined
}

/** A checked subscription. Addresses are canonical, hashes base64. */
export interface Selection {
  readonly types: ReadonlySet<EventType>
  readonly addresses: ReadonlySet<string>
  readonly traces: ReadonlySet<string>
  readonly minFinality: Finality
}

const list = createParam<unknown, unknown>('a list', (value) =>
  Array.isArray(value) ? value : undefined,
)

const subscriptionOptions: OptionShape<StreamSubscription> = {
  types: list,
  addresses: optionalParam(list),
  traces: optionalParam(list),
  minFinality: optionalParam(oneOfParam(FINALITIES)),
  signal: anyOption,
}

/** @throws {ConfigurationError} for an invalid subscription. The server would refuse the subscription of all loops together. */
export function checkSubscription(given: StreamSubscription): Selection {
  checkOptions(subscriptionOptions, given)
  const { types, addresses = [], traces = [], minFinality = 'finalized' } = given
  const unknown = types.find((type) => !EVENT_TYPES.includes(type))
  if (types.length === 0 || unknown !== undefined) {
    throw invalid('types', `must be a non-empty list of ${EVENT_TYPES.join(', ')}`)
  }
  if (types.includes('trace') !== traces.length > 0) {
    throw invalid('traces', "must be given for the type 'trace', and only for it")
  }
  if (types.some((type) => type !== 'trace') && addresses.length === 0) {
    throw invalid('addresses', "must not be empty, except for the type 'trace' alone")
  }
  return {
    types: new Set(types),
    addresses: new Set(readEach('addresses', addressParam, addresses).map(canonicalAddress)),
    traces: new Set(readEach('traces', hashParam, traces)),
    minFinality,
  }
}

function readEach<Given>(
  option: string,
  param: Param<string, Given>,
  values: readonly Given[],
): string[] {
  return values.map((value) => {
    const text = param.read(value, () => undefined)
    if (text === undefined) throw invalid(option, `must each be ${param.expected}`)
    return text
  })
}

function invalid(option: string, problem: string): ConfigurationError {
  return new ConfigurationError({ option, problem })
}

/** Returns a selection of all that the given ones select. */
export function unite(selections: readonly Selection[]): Selection {
  const ranks = selections.map(({ minFinality }) => rankOf(minFinality))
  return {
    types: new Set(selections.flatMap(({ types }) => [...types])),
    addresses: new Set(selections.flatMap(({ addresses }) => [...addresses])),
    traces: new Set(selections.flatMap(({ traces }) => [...traces])),
    minFinality: FINALITIES[Math.min(...ranks)] ?? 'finalized',
  }
}

/**
 * Returns the part of an event that a selection receives, since one connection serves several; `undefined` if nothing is
 * left. Actions have no accounts, so each selection receives the actions of all.
 */
export function selectEvent(event: ChainEvent, selection: Selection): ChainEvent | undefined {
  // Delivered only after an event that it takes back.
  if (event.type === 'trace_invalidated') return event
  const { types, addresses, traces, minFinality } = selection
  if (!types.has(event.type) || rankOf(event.finality) < rankOf(minFinality)) return undefined
  const isSelected = (address: string): boolean => addresses.has(canonicalAddress(address))
  switch (event.type) {
    case 'transactions': {
      const transactions = event.transactions.filter(({ account }) => isSelected(account))
      return transactions.length === 0 ? undefined : { ...event, transactions }
    }
    case 'trace':
      return traces.has(event.trace_external_hash_norm) ? event : undefined
    case 'account_state_change':
      return isSelected(event.account) ? event : undefined
    case 'jettons_change':
      return isSelected(event.jetton.address) || isSelected(event.jetton.owner) ? event : undefined
    default:
      return event
  }
}

/** Returns true when `one` selects at least what `other` selects. */
export function covers(one: Selection, other: Selection): boolean {
  return (
    hasAll(one.types, other.types) &&
    hasAll(one.addresses, other.addresses) &&
    hasAll(one.traces, other.traces) &&
    rankOf(one.minFinality) <= rankOf(other.minFinality)
  )
}

function hasAll<Item>(all: ReadonlySet<Item>, wanted: ReadonlySet<Item>): boolean {
  return [...wanted].every((item) => all.has(item))
}

/**
 * Returns the fields of a request. All of them, since a WebSocket keeps the last value of some that are left out.
 * Source: streaming facts, parts 2 and 4.
 */
export function writeSelection({ types, addresses, traces, minFinality }: Selection) {
  return {
    types: [...types],
    addresses: [...addresses],
    trace_external_hash_norms: [...traces],
    min_finality: minFinality,
    include_address_book: false,
    include_metadata: false,
    action_types: [],
    supported_action_types: ['latest'],
  }
}
