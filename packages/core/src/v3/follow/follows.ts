import type { ParametersOf } from '../../endpoint/endpoint.js'
import type { V3Endpoints } from '../endpoints/table.js'
import { timedLists, type RowOf, type TimedListName } from '../paging/lists.js'
import { followBlocks, type FollowBlocks } from './block-follow.js'
import type { FollowSource } from './follow-source.js'
import { followRows, type FollowRows } from './row-follow.js'

/** What a follow of an endpoint takes: its filters, but for those that choose a page, an order, a time or one row. */
export type FollowParameters<Name extends TimedListName> = Omit<
  ParametersOf<V3Endpoints[Name]>,
  | 'limit'
  | 'offset'
  | 'sort'
  | 'start_lt'
  | 'end_lt'
  | 'start_utime'
  | 'end_utime'
  | 'mc_seqno'
  | 'seqno'
  | 'hash'
  | 'lt'
  | 'action_id'
  | 'trace_id'
  | 'only_externals'
>

type V3Follow<Name extends TimedListName> = FollowRows<FollowParameters<Name>, RowOf<Name>>

/**
 * The follows of API v3: endless loops over what is new, by the endpoint that they poll. Every row is delivered once,
 * as soon as it is final and the index shows it, even when that is up to `overlapSeconds` late and newer rows were
 * shown before.
 */
export interface V3Follows {
  /**
   * Actions of a filter, by the end of their traces. They appear when the trace has been classified: where the
   * classification is further behind than `overlapSeconds`, make that larger.
   */
  actions: V3Follow<'actions'>
  /** Blocks of a filter, of any workchain. */
  blocks: V3Follow<'blocks'>
  /** As the follow of `traces`, with the actions. */
  events: V3Follow<'events'>
  /** Burns of jettons. */
  jettonBurns: V3Follow<'jettonBurns'>
  /**
   * Transfers of jettons, as the senders' wallets made them. Check `transaction_aborted`, and whether it has arrived.
   */
  jettonTransfers: V3Follow<'jettonTransfers'>
  /**
   * Messages of a filter, by the time of sending, without those from outside, which have none. With `direction: 'in'`
   * one shows when it is received: on its way for more than `overlapSeconds`, it is missed. For payments to an account
   * follow its `transactions`.
   */
  messages: V3Follow<'messages'>
  /** Transfers of NFTs. Check `transaction_aborted`. */
  nftTransfers: V3Follow<'nftTransfers'>
  /**
   * Traces of a filter, each when it is complete. With `include_actions` it waits for its actions, up to
   * `overlapSeconds`.
   */
  traces: V3Follow<'traces'>
  /** Transactions of a filter: the way to see every payment to accounts. */
  transactions: V3Follow<'transactions'>
  /** Every masterchain block with all of its transactions, in order, none left out. */
  transactionsByMasterchainBlock: FollowBlocks
}

const OVERLAP_SECONDS = 60
/** For what is listed by the time of something that happened before it could be shown. */
const LONG_OVERLAP_SECONDS = 300

/** Makes the follows of a client. */
export function createV3Follows(source: FollowSource): V3Follows {
  return {
    actions: followRows(timedLists.actions, source, LONG_OVERLAP_SECONDS),
    blocks: followRows(timedLists.blocks, source, OVERLAP_SECONDS),
    events: followRows(timedLists.events, source, LONG_OVERLAP_SECONDS),
    jettonBurns: followRows(timedLists.jettonBurns, source, OVERLAP_SECONDS),
    jettonTransfers: followRows(timedLists.jettonTransfers, source, OVERLAP_SECONDS),
    messages: followRows(timedLists.messages, source, LONG_OVERLAP_SECONDS),
    nftTransfers: followRows(timedLists.nftTransfers, source, OVERLAP_SECONDS),
    traces: followRows(timedLists.traces, source, LONG_OVERLAP_SECONDS),
    transactions: followRows(timedLists.transactions, source, OVERLAP_SECONDS),
    transactionsByMasterchainBlock: followBlocks(source),
  }
}
