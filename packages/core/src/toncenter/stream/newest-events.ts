import { BoundedMap } from '../../shared/bounded-map.js'
import { rankOf, type ChainEvent } from './events.js'

/** Traces and accounts that are remembered. An event of an older one may be delivered again. */
const MAX_REMEMBERED = 10_000

type EventOf<Type> = Extract<ChainEvent, { type: Type }>

/** The memory of one loop: removes what was delivered before, and what arrives with a lower finality after a higher one. */
export class NewestEvents {
  /** The rank of each transaction and action, by trace. */
  readonly #traces = new BoundedMap<string, Map<string, number>>(MAX_REMEMBERED)
  readonly #states = new BoundedMap<string, { hash: string; rank: number }>(MAX_REMEMBERED)
  readonly #balances = new BoundedMap<string, { lt: bigint; rank: number }>(MAX_REMEMBERED)

  /** Returns the part of an event that is new; `undefined` when nothing is. */
  take(event: ChainEvent): ChainEvent | undefined {
    switch (event.type) {
      case 'transactions': {
        const isNew = this.#filterOf(event, event.transactions[0]?.hash)
        const transactions = event.transactions.filter(({ hash }) => isNew(hash))
        return transactions.length === 0 ? undefined : { ...event, transactions }
      }
      case 'actions': {
        const isNew = this.#filterOf(event, event.actions[0]?.action_id)
        const actions = event.actions.filter(({ action_id }) => isNew(`action ${action_id}`))
        return actions.length === 0 ? undefined : { ...event, actions }
      }
      case 'trace': {
        // A snapshot of the trace is sent again as the trace grows.
        const isNew = this.#filterOf(event, event.trace.tx_hash)
        const hashes = Object.keys(event.transactions).filter((hash) => isNew(`trace ${hash}`))
        return hashes.length === 0 ? undefined : event
      }
      case 'trace_invalidated':
        // The trace may come back.
        return this.#traces.delete(event.trace_external_hash_norm) ? event : undefined
      case 'account_state_change':
        return this.#isNewState(event) ? event : undefined
      case 'jettons_change':
        return this.#isNewBalance(event) ? event : undefined
    }
  }

  /** Returns a filter of parts of a trace. @param firstHash identifies a trace that no external message began */
  #filterOf(
    event: EventOf<'transactions' | 'actions' | 'trace'>,
    firstHash = '',
  ): (key: string) => boolean {
    const trace = event.trace_external_hash_norm || firstHash
    const rank = rankOf(event.finality)
    const ranks = this.#traces.get(trace) ?? new Map<string, number>()
    this.#traces.set(trace, ranks)
    return (key) => {
      if (rank <= (ranks.get(key) ?? -1)) return false
      ranks.set(key, rank)
      return true
    }
  }

  #isNewState({ account, finality, state: { hash } }: EventOf<'account_state_change'>): boolean {
    const rank = rankOf(finality)
    const last = this.#states.get(account)
    if (last?.hash === hash && rank <= last.rank) return false
    this.#states.set(account, { hash, rank })
    return true
  }

  #isNewBalance({ jetton, finality }: EventOf<'jettons_change'>): boolean {
    const { address, last_transaction_lt: lt } = jetton
    const rank = rankOf(finality)
    const last = this.#balances.get(address)
    if (last !== undefined && (lt < last.lt || (lt === last.lt && rank <= last.rank))) return false
    this.#balances.set(address, { lt, rank })
    return true
  }
}
