import type { TonplugError } from '../../shared/tonplug-error.js'
import type { V3Result } from '../v3/endpoint-types.js'
import type { V3Action, V3Transaction } from '../v3/generated/types.js'

/** The finality of an event, lowest first. Only `finalized` is permanent. */
export const FINALITIES = [
  'pending',
  'confirmed',
  'finalized',
] as const satisfies readonly Finality[]

export type Finality = 'pending' | 'confirmed' | 'finalized'

/** The events that a subscription selects. */
export const EVENT_TYPES = [
  'transactions',
  'actions',
  'trace',
  'account_state_change',
  'jettons_change',
] as const satisfies readonly EventType[]

export type EventType =
  'transactions' | 'actions' | 'trace' | 'account_state_change' | 'jettons_change'

export interface TraceFacts {
  /** The lowest finality in the trace: a final transaction of a trace that continues is reported as `confirmed`. */
  finality: Finality
  /** The normalized hash of the external message that began the trace, in base64. */
  trace_external_hash_norm: string
}

/** A node of the tree of a trace. */
export interface StreamTraceNode {
  tx_hash?: string | undefined
  in_msg_hash?: string | undefined
  children: StreamTraceNode[]
}

/** An event of the chain, with the names and objects of API v3. */
export type ChainEvent =
  /** Transactions of the subscribed accounts in one trace, newest first. */
  | (TraceFacts & { type: 'transactions'; transactions: V3Transaction[] })
  /** Actions of the subscribed accounts in one trace. */
  | (TraceFacts & { type: 'actions'; actions: V3Action[] })
  /** A whole trace, of a subscribed message. */
  | (TraceFacts & {
      type: 'trace'
      trace: StreamTraceNode
      /** By hash. */
      transactions: Record<string, V3Transaction>
      actions: V3Action[]
    })
  /** A new state of a subscribed account. It has no lt, so states are only ordered by their arrival. */
  | {
      type: 'account_state_change'
      finality: Finality
      account: string
      /** `balance` is in nanocoins. */
      state: { hash: string; balance: bigint; account_status?: string | undefined }
    }
  /** A new balance of a jetton wallet; the wallet or its owner is subscribed. */
  | {
      type: 'jettons_change'
      finality: Finality
      jetton: V3Result<'jettonWallets'>['jetton_wallets'][number]
    }
  /** A trace that was reported and not final is void. */
  | { type: 'trace_invalidated'; trace_external_hash_norm: string }

/** The state of the subscription, delivered in sequence with the events. */
export type SubscriptionEvent =
  /** Events arrive from now on. Those before may be missing: read API v3 once. */
  | { type: 'connected' }
  /** No events arrive until the next `connected`: poll API v3. */
  | { type: 'disconnected'; error: TonplugError }
  /** An event was unreadable, or the loop was too slow: read API v3 once. */
  | { type: 'missed' }

/**
 * An event of a stream. The server drops events without a sign and sends them in any order, so an event is a reason to read
 * API v3, not a fact to act on. A transaction is delivered once for each finality, and never with a lower one after a higher.
 */
export type StreamEvent = ChainEvent | SubscriptionEvent

/** Returns the rank of a finality: higher is more certain. */
export function rankOf(finality: Finality): number {
  return FINALITIES.indexOf(finality)
}
