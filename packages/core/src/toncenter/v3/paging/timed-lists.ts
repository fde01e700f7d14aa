import type { ResultOf } from '../../endpoint/endpoint.js'
import type { WireParams } from '../../schema/params-object.js'
import { actionsAndTraces } from '../endpoints/actions-and-traces.js'
import { blockchainData, withoutAccounts } from '../endpoints/blockchain-data.js'
import { jettons } from '../endpoints/jettons.js'
import { nfts } from '../endpoints/nfts.js'
import { byLt, byUtime, keysetSegment } from '../../paging/keyset-segment.js'
import { offsetSegment } from '../../paging/offset-segment.js'
import { timedList, type Readiness, type TimedList } from '../../paging/row-list.js'

// Lists with lt and time bounds. Source of their orders: the queries of the index server of API v3.

type Message = ResultOf<typeof blockchainData.messages>['messages'][number]
type Trace = ResultOf<typeof actionsAndTraces.traces>['traces'][number]

/**
 * `/transactions` is ordered by lt, then account; with a utime parameter by time, then lt, then account, but within a
 * masterchain block by lt again, unless there is exactly one account. With `hash` the order is by hash, with `lt` by
 * account. Several accounts may have transactions with one lt. The server ignores `exclude_account`.
 */
const transactions = timedList({
  endpoint: blockchainData.transactions,
  rowsOf: (result) => result.transactions,
  idOf: ({ hash }) => hash,
  lt: byLt('lt'),
  utime: byUtime('now'),
  isUnordered: ({ hash, lt }) => hash !== undefined || lt !== undefined,
  isAlwaysByLt: (params) => params['mc_seqno'] !== undefined && !isOfOneAccount(params),
  isOldest({ prev_trans_lt: previous }, params) {
    if (previous === undefined || !isOfOneAccount(params)) return false
    // It was checked: decimal digits.
    const startLt = BigInt((params['start_lt'] as string | undefined) ?? 0)
    return previous === 0n || previous < startLt
  },
  keep: (rows, params) => withoutAccounts({ transactions: rows }, params).transactions,
  ownParams: ['exclude_account'],
  readinessOf: readinessOfFinality,
})

function isOfOneAccount({ account }: WireParams): boolean {
  return Array.isArray(account) && account.length === 1
}

/** An external message may be received several times, which only the transaction distinguishes. */
const messageId = ({ hash, created_lt, in_msg_tx_hash = '' }: Message): string =>
  created_lt === undefined ? `${hash} ${in_msg_tx_hash}` : hash

const boundedMessages = timedList({
  endpoint: blockchainData.messages,
  rowsOf: (result) => result.messages,
  idOf: messageId,
  lt: byLt('created_lt'),
  utime: byUtime('created_at'),
  // External messages have no time.
  watchParams: { exclude_externals: true },
})

/**
 * `/messages` is ordered by the lt of sending, then hash; with a utime parameter by the time of sending. External messages
 * have neither: no bound matches them. Newest first, older servers list them before all others; oldest first, after them;
 * newer servers list them where they were received. So without bounds the list has two segments, as older servers have.
 * External messages are paginated by offset, since no bound selects them.
 */
const messages: TimedList = {
  ...boundedMessages,
  segments(params) {
    if (!mayHaveExternals(params)) return boundedMessages.segments(params)
    const { sort = 'desc' } = params
    const externals = offsetSegment({
      endpoint: boundedMessages.endpoint.name,
      idOf: messageId,
      extraParams: { sort, only_externals: true },
    })
    if (params['only_externals'] === true) return [externals]
    const others = keysetSegment({
      ...boundedMessages.utime,
      key: byLt('created_lt'),
      extraParams: { exclude_externals: true },
    })
    return sort === 'asc' ? [others, externals] : [externals, others]
  },
}

const BOUNDS = ['start_lt', 'end_lt', 'start_utime', 'end_utime']

function mayHaveExternals(params: WireParams): boolean {
  const { source = 'null', direction, exclude_externals } = params
  const isBounded = BOUNDS.some((name) => params[name] !== undefined)
  return !isBounded && exclude_externals !== true && source === 'null' && direction !== 'out'
}

/**
 * `/blocks` is ordered by time, then workchain, shard and seqno, with any bounds, and unordered without `sort`. `start_lt`
 * and `end_lt` apply to the block's first lt. A query that takes too long returns fewer rows without an error.
 */
const blocks = timedList({
  endpoint: blockchainData.blocks,
  rowsOf: (result) => result.blocks,
  idOf: ({ workchain, shard, seqno }) => `${workchain}:${shard}:${seqno}`,
  lt: byUtime('gen_utime'),
  utime: byUtime('gen_utime'),
  canTruncate: true,
})

/**
 * `/actions` is ordered by the end of the action's trace, its lt or with a utime parameter its time, to which the bounds
 * apply too; then by trace, the action's own end, and id. With `action_id` or `trace_id` the server ignores all other
 * filters. The actions of a trace appear when it has been classified, some time after its transactions, and are replaced
 * when it is classified again.
 */
const actions = timedList({
  endpoint: actionsAndTraces.actions,
  rowsOf: (result) => result.actions,
  idOf: ({ trace_id = '', action_id }) => `${trace_id} ${action_id}`,
  lt: byLt('trace_end_lt'),
  utime: byUtime('trace_end_utime'),
  isByTrace: true,
  isUnordered: ({ action_id, trace_id }) => action_id !== undefined || trace_id !== undefined,
  readinessOf: readinessOfFinality,
})

/**
 * `/traces` is ordered by the end of the trace, its lt or with a utime parameter its time, to which the bounds apply too;
 * then by trace. A pending trace moves with every new transaction.
 */
const traceRules = {
  // An absent id may be an empty string.
  idOf: ({ trace_id = '', external_hash = '' }: Trace): string => trace_id || external_hash,
  lt: byLt('end_lt'),
  utime: byUtime('end_utime'),
  isByTrace: true,
}

const traces = timedList({
  ...traceRules,
  endpoint: actionsAndTraces.traces,
  rowsOf: (result) => result.traces,
  readinessOf: (trace: Trace, { include_actions }: WireParams) =>
    readinessOfTrace(trace, include_actions === true),
})

/** Like `/traces`, always with the actions. */
const events = timedList({
  ...traceRules,
  endpoint: actionsAndTraces.events,
  rowsOf: (result) => result.events,
  readinessOf: (trace: Trace) => readinessOfTrace(trace, true),
})

function readinessOfTrace({ trace_info }: Trace, hasActions: boolean): Readiness {
  if (trace_info.trace_state === 'pending') return 'growing'
  const isUnclassified = hasActions && trace_info.classification_state === 'unclassified'
  return isUnclassified ? 'incomplete' : 'ready'
}

/**
 * Returns the readiness from the server's finality. A listed row is in a block unless the server reports otherwise: servers
 * before mid-2026 report nothing, and newer ones may report unknown values.
 */
function readinessOfFinality(row: {
  readonly finality?: string | undefined
  readonly emulated?: boolean | undefined
}): Readiness {
  if (row.finality === 'pending' || row.emulated === true) return 'pending'
  return row.finality === 'confirmed' ? 'confirmed' : 'ready'
}

/**
 * Transfers and burns are ordered by the lt of their transaction, or with a utime parameter by its time, and by nothing
 * else. A transaction has at most one of them.
 */
const transferRules = {
  idOf: (row: { transaction_hash: string }): string => row.transaction_hash,
  lt: byLt('transaction_lt'),
  utime: byUtime('transaction_now'),
  isTieOrderOpen: true,
}

const jettonBurns = timedList({
  ...transferRules,
  endpoint: jettons.jettonBurns,
  rowsOf: (result) => result.jetton_burns,
})

const jettonTransfers = timedList({
  ...transferRules,
  endpoint: jettons.jettonTransfers,
  rowsOf: (result) => result.jetton_transfers,
})

const nftTransfers = timedList({
  ...transferRules,
  endpoint: nfts.nftTransfers,
  rowsOf: (result) => result.nft_transfers,
})

export const timedLists = {
  actions,
  blocks,
  events,
  jettonBurns,
  jettonTransfers,
  messages,
  nftTransfers,
  traces,
  transactions,
}

export type TimedListName = keyof typeof timedLists
