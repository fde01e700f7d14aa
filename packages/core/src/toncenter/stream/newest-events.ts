import { BoundedMap } from '../../shared/bounded-map.js'
import { rankOf, type ChainEvent } from './events.js'

/** Removes what was delivered before, and what arrives with a lower finality after a higher one. */
export interface NewestEvents {
  /** Returns the part of an event that is new; `undefined` when nothing is. */
  take(event: ChainEvent): ChainEvent | undefined
}

/** Traces and accounts that are remembered. An event of an older one may be delivered again. */
const MAX_REMEMBERED = 10_000

/** Creates the memory of one loop. */
export function createNewestEvents(): NewestEvents {
  const traces = new BoundedMap<string, Ranks>(MAX_REMEMBERED)
  const states = new BoundedMap<string, { hash: string; rank: number }>(MAX_REMEMBERED)
  const balances = new BoundedMap<string, { lt: bigint; rank: number }>(MAX_REMEMBERED)
  return {
    take(event) {
      switch (event.type) {
        case 'account_state_change':
          return takeState(states, event)
        case 'jettons_change':
          return takeBalance(balances, event)
        case 'trace_invalidated':
          // The trace may come back.
          return traces.delete(event.trace_external_hash_norm) ? event : undefined
        default: {
          const trace = event.trace_external_hash_norm || firstHashOf(event)
          const ranks = traces.get(trace) ?? new Map<string, number>()
          traces.set(trace, ranks)
          return takeItems(ranks, event)
        }
      }
    },
  }
}

/** The rank of each transaction and action of a trace. */
type Ranks = Map<string, number>

type EventOf<Type> = Extract<ChainEvent, { type: Type }>

function takeItems(
  ranks: Ranks,
  event: EventOf<'transactions' | 'actions' | 'trace'>,
): ChainEvent | undefined {
  const rank = rankOf(event.finality)
  const isNew = (key: string): boolean => {
    if (rank <= (ranks.get(key) ?? -1)) return false
    ranks.set(key, rank)
    return true
  }
  if (event.type === 'transactions') {
    const transactions = event.transactions.filter(({ hash }) => isNew(hash))
    return transactions.length === 0 ? undefined : { ...event, transactions }
  }
  if (event.type === 'actions') {
    const actions = event.actions.filter(({ action_id }) => isNew(`action ${action_id}`))
    return actions.length === 0 ? undefined : { ...event, actions }
  }
  // A snapshot of the trace is sent again as the trace grows.
  const hashes = Object.keys(event.transactions)
  return hashes.filter((hash) => isNew(`trace ${hash}`)).length === 0 ? undefined : event
}

/** A trace that no external message began has no hash. */
function firstHashOf(event: EventOf<'transactions' | 'actions' | 'trace'>): string {
  if (event.type === 'transactions') return event.transactions[0]?.hash ?? ''
  if (event.type === 'actions') return event.actions[0]?.action_id ?? ''
  return event.trace.tx_hash ?? ''
}

function takeState(
  states: Map<string, { hash: string; rank: number }>,
  event: EventOf<'account_state_change'>,
): ChainEvent | undefined {
  const { account, finality } = event
  const { hash } = event.state
  const rank = rankOf(finality)
  const last = states.get(account)
  if (last?.hash === hash && rank <= last.rank) return undefined
  states.set(account, { hash, rank })
  return event
}

function takeBalance(
  balances: Map<string, { lt: bigint; rank: number }>,
  event: EventOf<'jettons_change'>,
): ChainEvent | undefined {
  const { address, last_transaction_lt: lt } = event.jetton
  const rank = rankOf(event.finality)
  const last = balances.get(address)
  if (last !== undefined && (lt < last.lt || (lt === last.lt && rank <= last.rank))) {
    return undefined
  }
  balances.set(address, { lt, rank })
  return event
}
