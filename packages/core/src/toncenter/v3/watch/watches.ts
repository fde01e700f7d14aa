import type { ParametersOf } from '../../endpoint/endpoint.js'
import type { V3EndpointName, V3Endpoints, V3RowOf } from '../endpoints/table.js'
import { timedLists } from '../paging/timed-lists.js'
import { createBlockWatch, type WatchBlocks } from './block-watch.js'
import { createRowWatch, type WatchRows } from './row-watch.js'
import type { WatchSource } from './watch.js'

/** The filters of `watch`: the endpoint's parameters, except those that select a page, an order, a time or one row. */
type WatchParameters<Name extends V3EndpointName> = Omit<
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

type V3Watch<Name extends V3EndpointName> = WatchRows<WatchParameters<Name>, V3RowOf<Name>>

/**
 * `watch` of API v3 by endpoint: an endless loop that polls for new rows. Each row is delivered once, as soon as it is final
 * and the index lists it, even if it is up to `overlapSeconds` late and newer rows were listed before.
 */
export interface V3Watches {
  /**
   * Actions by the end of their traces. They appear when the trace has been classified: increase `overlapSeconds` if the
   * classification is slower.
   */
  actions: V3Watch<'actions'>
  /** Blocks of any workchain. */
  blocks: V3Watch<'blocks'>
  /** Traces with their actions, like `traces`. */
  events: V3Watch<'events'>
  /** Jetton burns. */
  jettonBurns: V3Watch<'jettonBurns'>
  /** Jetton transfers as sent by the sender's wallet. Check `transaction_aborted`, and whether the transfer arrived. */
  jettonTransfers: V3Watch<'jettonTransfers'>
  /**
   * Messages by the time of sending, without external ones, which have no time. With `direction: 'in'` a message appears
   * when it is received: if that takes more than `overlapSeconds`, it is missed. For payments to an account watch its
   * `transactions`.
   */
  messages: V3Watch<'messages'>
  /** NFT transfers. Check `transaction_aborted`. */
  nftTransfers: V3Watch<'nftTransfers'>
  /** Complete traces. With `include_actions` the watch waits for the actions, up to `overlapSeconds`. */
  traces: V3Watch<'traces'>
  /** Transactions: includes every payment to an account. */
  transactions: V3Watch<'transactions'>
  /** Every masterchain block with all of its transactions, in order. */
  transactionsByMasterchainBlock: WatchBlocks
}

const OVERLAP_SECONDS = 60
/** For rows whose time is that of an event before they could be listed. */
const LONG_OVERLAP_SECONDS = 300

export function createV3Watches(source: WatchSource): V3Watches {
  return {
    actions: createRowWatch(timedLists.actions, source, LONG_OVERLAP_SECONDS),
    blocks: createRowWatch(timedLists.blocks, source, OVERLAP_SECONDS),
    events: createRowWatch(timedLists.events, source, LONG_OVERLAP_SECONDS),
    jettonBurns: createRowWatch(timedLists.jettonBurns, source, OVERLAP_SECONDS),
    jettonTransfers: createRowWatch(timedLists.jettonTransfers, source, OVERLAP_SECONDS),
    messages: createRowWatch(timedLists.messages, source, LONG_OVERLAP_SECONDS),
    nftTransfers: createRowWatch(timedLists.nftTransfers, source, OVERLAP_SECONDS),
    traces: createRowWatch(timedLists.traces, source, LONG_OVERLAP_SECONDS),
    transactions: createRowWatch(timedLists.transactions, source, OVERLAP_SECONDS),
    transactionsByMasterchainBlock: createBlockWatch(source),
  }
}
