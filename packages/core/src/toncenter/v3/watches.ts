import type { V3EndpointName, V3Parameters, V3Row } from './endpoint-types.js'
import { timedLists } from './paging/timed-lists.js'
import { createBlockWatch, type WatchBlocks } from './block-watch.js'
import { createRowWatch, type WatchRows } from '../follow/row-watch.js'
import type { WatchSource } from '../follow/watch.js'
import type { RefusedParameter } from '../follow/watch-params.js'
import type { ServerCalls } from './server-calls.js'

/** The filters of `watch`: the endpoint's parameters, except those that select a page, an order, a time or one row. */
export type V3WatchParameters<Name extends V3EndpointName> = Omit<
  V3Parameters<Name>,
  RefusedParameter
>

/** The `watch` of an endpoint. */
export type V3Watch<Name extends V3EndpointName> = WatchRows<V3WatchParameters<Name>, V3Row<Name>>

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

/** Rows whose time is that of an event before they could be listed. */
const LATE: readonly string[] = ['actions', 'events', 'messages', 'traces']

export function createV3Watches(source: WatchSource<ServerCalls>): V3Watches {
  const rowWatches = Object.entries(timedLists).map(([name, list]) => [
    name,
    createRowWatch(list, source, LATE.includes(name) ? 300 : 60),
  ])
  return {
    // One entry for each list in the table, as V3Watches declares by name.
    ...(Object.fromEntries(rowWatches) as Omit<V3Watches, 'transactionsByMasterchainBlock'>),
    transactionsByMasterchainBlock: createBlockWatch(source),
  }
}
