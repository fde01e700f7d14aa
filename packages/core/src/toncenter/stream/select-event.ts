import { canonicalAddress } from '../../shared/address.js'
import { rankOf, type ChainEvent } from './events.js'
import type { Selection } from './subscription.js'

/**
 * Returns the part of an event that a selection receives, since one connection serves several; `undefined` if nothing is
 * left. Actions have no accounts, so each selection receives those of all.
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
