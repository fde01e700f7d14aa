import {
  addressOf,
  writeAction,
  writeBlock,
  writeContract,
  writeJettonBurn,
  writeJettonTransfer,
  writeMessage,
  writeNftTransfer,
  writeTrace,
  writeTransaction,
  type IndexRow,
  type WriteRow,
} from './index-rows.js'
import type { TableQuery, TieOrder } from './index-table.js'

/** Order, filters and format of the list of a path. */
export interface EndpointOrder {
  write: WriteRow
  /** Puts the written rows into an answer. */
  wrap(rows: string): string
  tieOrder: TieOrder
  plan(query: URLSearchParams): Omit<TableQuery, 'limit'>
}

const byLtThenAccount: TieOrder = (one, other, isAscending) => {
  const byLt = (one.lt ?? 0) - (other.lt ?? 0)
  if (byLt !== 0) return isAscending ? byLt : -byLt
  return one.account - other.account || one.id - other.id
}

const byIdAlong: TieOrder = (one, other, isAscending) =>
  isAscending ? one.id - other.id : other.id - one.id

const byId: TieOrder = (one, other) => one.id - other.id

function wrapIn(list: string): (rows: string) => string {
  return (rows) => `{"${list}":[${rows}],"address_book":{},"metadata":{}}`
}

/** With a utime parameter by time, otherwise by lt. */
function planTimed(query: URLSearchParams): Omit<TableQuery, 'limit'> {
  const isTimed = query.has('start_utime') || query.has('end_utime')
  return planBy(isTimed ? 'utime' : 'lt', query)
}

function planBy(axis: 'lt' | 'utime', query: URLSearchParams): Omit<TableQuery, 'limit'> {
  const bound = (name: string): number | undefined =>
    query.has(name) ? Number(query.get(name)) : undefined
  const lt = { least: bound('start_lt'), most: bound('end_lt') }
  const utime = { least: bound('start_utime'), most: bound('end_utime') }
  const isWithin = (value: number | null, { least, most }: typeof lt): boolean =>
    (least === undefined && most === undefined) ||
    (value !== null && value >= (least ?? -Infinity) && value <= (most ?? Infinity))
  const accounts = [...query.getAll('account'), ...query.getAll('destination')]
  return {
    axis,
    isAscending: query.get('sort') === 'asc',
    ...(axis === 'lt' ? lt : utime),
    where: (row: IndexRow) =>
      isWithin(row.lt, lt) &&
      isWithin(row.utime, utime) &&
      (accounts.length === 0 || accounts.includes(addressOf(row.account))) &&
      (!query.has('source') || row.lt !== null) &&
      (query.get('exclude_externals') !== 'true' || row[axis] !== null) &&
      (query.get('only_externals') !== 'true' || row[axis] === null),
    offset: Number(query.get('offset') ?? 0),
  }
}

function planTransactions(query: URLSearchParams): Omit<TableQuery, 'limit'> {
  const hash = query.get('hash')
  const lt = query.get('lt')
  const mc = query.get('mc_seqno')
  const plan = mc === null ? planTimed(query) : planBy('lt', query)
  return {
    ...plan,
    // By lt alone, then by account: the table's own order of ties.
    ...(lt !== null && { axis: 'lt', least: Number(lt), most: Number(lt), isAscending: true }),
    ...(hash !== null && { axis: 'id' }),
    where: (row) => plan.where(row) && (mc === null || row.mc === Number(mc)),
  }
}

/** A list in the order of ids that knows `offset` only. */
function directory(list: string | undefined): EndpointOrder {
  return {
    write: writeContract,
    wrap: list === undefined ? (rows) => `[${rows}]` : wrapIn(list),
    tieOrder: byId,
    plan: (query) => ({
      axis: 'id',
      isAscending: true,
      least: undefined,
      most: undefined,
      where: () => true,
      offset: Number(query.get('offset') ?? 0),
    }),
  }
}

function timed(list: string, write: WriteRow, tieOrder: TieOrder): EndpointOrder {
  return { write, wrap: wrapIn(list), tieOrder, plan: planTimed }
}

/** The orders by path. Source: the queries of the server of API v3. */
export const endpointOrders: Readonly<Record<string, EndpointOrder>> = {
  '/actions': timed('actions', writeAction, byIdAlong),
  '/blocks': {
    ...timed('blocks', writeBlock, byIdAlong),
    plan: (query) => {
      if (!query.has('sort')) throw new TypeError('blocks without `sort` have no defined order')
      return planBy('utime', query)
    },
  },
  '/dns/activeAuctions': directory('auctions'),
  '/dns/records': directory('records'),
  '/events': timed('events', writeTrace, byIdAlong),
  '/jetton/burns': timed('jetton_burns', writeJettonBurn, byId),
  '/jetton/masters': directory('jetton_masters'),
  '/jetton/transfers': timed('jetton_transfers', writeJettonTransfer, byId),
  '/jetton/wallets': directory('jetton_wallets'),
  '/masterchainBlockShards': {
    ...timed('blocks', writeBlock, byId),
    plan: (query) => ({ ...planBy('lt', query), isAscending: true }),
  },
  '/messages': timed('messages', writeMessage, byIdAlong),
  '/multisig/orders': directory('orders'),
  '/multisig/wallets': directory('multisigs'),
  '/nft/collections': directory('nft_collections'),
  '/nft/items': directory('nft_items'),
  '/nft/transfers': timed('nft_transfers', writeNftTransfer, byId),
  '/topAccountsByBalance': directory(undefined),
  '/traces': timed('traces', writeTrace, byIdAlong),
  '/transactions': {
    ...timed('transactions', writeTransaction, byLtThenAccount),
    plan: planTransactions,
  },
  '/transactionsByMessage': {
    ...timed('transactions', writeTransaction, byLtThenAccount),
    plan: (query) => ({ ...planBy('lt', query), least: undefined, most: undefined }),
  },
  '/vesting': directory('vesting_contracts'),
}
