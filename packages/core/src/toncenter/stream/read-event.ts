import { AddressError, canonicalAddress } from '../../shared/address.js'
import { isObject } from '../../shared/is-object.js'
import { Mismatch, refuse } from '../schema/mismatch.js'
import { toBase64Hash } from '../schema/params.js'
import { readBigint, readHash, readString } from '../schema/readers.js'
import { v3Decoders } from '../v3/generated/decoders.js'
import type { V3EndpointName, V3Result } from '../v3/endpoint-types.js'
import { FINALITIES, type ChainEvent, type Finality } from './events.js'

type Json = Readonly<Record<string, unknown>>

/** Reads an event of the server; `undefined` when a field that is used is missing or invalid. */
export function readEvent(json: unknown): ChainEvent | undefined {
  if (!isObject(json)) return undefined
  try {
    return readTyped(json)
  } catch (error) {
    if (error instanceof Mismatch || error instanceof AddressError) return undefined
    throw error
  }
}

function readTyped(json: Json): ChainEvent | undefined {
  switch (json['type']) {
    case 'transactions': {
      const transactions = readTransactions(json['transactions'])
      // Loops select events by their addresses, so an invalid one is refused here.
      for (const { account } of transactions) canonicalAddress(account)
      return { type: 'transactions', ...readTraceFacts(json), transactions }
    }
    case 'actions':
      return { type: 'actions', ...readTraceFacts(json), actions: readActions(json['actions']) }
    case 'trace':
      return readTrace(json)
    case 'account_state_change':
      return {
        type: 'account_state_change',
        finality: readFinality(json),
        account: canonicalAddress(readString(json['account'])),
        state: readState(json['state']),
      }
    case 'jettons_change': {
      const { jetton_wallets } = readResult('jettonWallets', { jetton_wallets: [json['jetton']] })
      const [jetton] = jetton_wallets
      if (jetton === undefined) return undefined
      for (const address of [jetton.address, jetton.owner]) canonicalAddress(address)
      return { type: 'jettons_change', finality: readFinality(json), jetton }
    }
    case 'trace_invalidated':
      return { type: 'trace_invalidated', trace_external_hash_norm: readTraceHash(json) }
    default:
      return undefined
  }
}

function readTrace(json: Json): ChainEvent | undefined {
  const { trace, transactions, actions } = json
  if (!isObject(trace) || !isObject(transactions)) return undefined
  const read = readTransactions(Object.values(transactions))
  return {
    type: 'trace',
    ...readTraceFacts(json),
    // Nothing depends on the tree.
    trace: trace as unknown as Extract<ChainEvent, { type: 'trace' }>['trace'],
    transactions: Object.fromEntries(read.map((one) => [one.hash, one])),
    actions: actions === undefined ? [] : readActions(actions),
  }
}

/** Reads a part of an event in place, where it is equal to a part of an endpoint's result. @throws {Mismatch} */
function readResult<Name extends V3EndpointName>(name: Name, json: Json): V3Result<Name> {
  // The endpoint's own decoder returns it.
  return v3Decoders[name](json) as V3Result<Name>
}

function readTransactions(transactions: unknown) {
  return readResult('pendingTransactions', { transactions }).transactions
}

function readActions(actions: unknown) {
  return readResult('pendingActions', { actions }).actions
}

function readTraceFacts(json: Json) {
  return { finality: readFinality(json), trace_external_hash_norm: readTraceHash(json) }
}

function readFinality({ finality }: Json): Finality {
  const known = FINALITIES.find((one) => one === finality)
  return known ?? refuse('a finality', finality)
}

/** A trace that no external message began may have none. */
function readTraceHash({ trace_external_hash_norm: hash }: Json): string {
  return toBase64Hash(hash) ?? ''
}

function readState(state: unknown) {
  if (!isObject(state)) return refuse('an object', state)
  const { hash, balance, account_status } = state
  return {
    hash: readHash(hash),
    balance: readBigint(balance),
    ...(typeof account_status === 'string' && { account_status }),
  }
}
