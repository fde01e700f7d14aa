import { HistoryNotAvailableError } from '../errors/api.js'
import type { PageAnswer, PageQuery, PagingStrategy, Position } from '../paging/strategy.js'
import type { ParametersOf } from '../endpoint/endpoint.js'
import type { transactions } from './endpoints/transactions.js'
import { accountHashParam } from '../schema/params.js'
import { previousLt } from './previous-lt.js'

/** What of a transaction says where it is in the history of its account. */
export interface HistoryRow {
  transaction_id: { lt: bigint; hash: string }
  data: string
}

/** One page of an account's history. */
export interface HistoryPage<Row> {
  rows: readonly Row[]
  /** The lt of the transaction that follows, 0 when none does, where the server tells it. */
  nextLt?: bigint | undefined
}

/** The parameters of one page of an account's history. */
export type HistoryParams = ParametersOf<(typeof transactions)['getTransactions']>

/** The last transaction delivered. */
export interface HistoryPosition extends Position {
  readonly lt: string
  readonly hash: string
}

/**
 * How the history of an account is walked, newest first. The server begins with the transaction that is asked for,
 * so every page but the first repeats one that was delivered; lt falls strictly, so that one and whatever is newer is
 * dropped. Transactions that arrive meanwhile are newer than the walk and not part of it.
 * Source: the v2 servers, getTransactions.
 */
export function accountHistory<Row extends HistoryRow>(
  endpoint: string,
): PagingStrategy<HistoryParams, HistoryPage<Row>, Row, HistoryPosition> {
  return {
    endpoint,
    // A page of one would be the repeated transaction alone.
    pageSize: { default: 100, min: 2, max: 1000, safe: 100 },
    sizeParameter: 'limit',
    request: ({ params, position, pageSize }) => ({ ...params, ...position, limit: pageSize }),
    read: (page, query) => readPage(endpoint, page, query),
    after: (items, count) => positionOf(items[count - 1]),
    markOf: ({ address }) => accountHashParam.read(address, () => undefined),
    parse: ({ lt, hash }) =>
      typeof lt === 'string' && /^\d{1,19}$/.test(lt) && typeof hash === 'string'
        ? { lt, hash }
        : undefined,
  }
}

function readPage<Row extends HistoryRow>(
  endpoint: string,
  { rows, nextLt }: HistoryPage<Row>,
  { params, position }: PageQuery<HistoryParams, HistoryPosition>,
): PageAnswer<Row, HistoryPosition> {
  const toLt = BigInt(params.to_lt ?? 0)
  const before = position === undefined ? undefined : BigInt(position.lt)
  const fresh = rows.filter(({ transaction_id: { lt } }) => before === undefined || lt < before)
  const items = fresh.filter(({ transaction_id }) => transaction_id.lt > toLt)
  const isLast = items.length < fresh.length || isEnd(rows.at(-1))
  if (items.length === 0 && !isLast) throw cutShort(endpoint)
  return { items, isLast }

  function isEnd(last: Row | undefined): boolean {
    if (last === undefined) return hasNoStart()
    const { data, transaction_id } = last
    const next = previousLt(data, transaction_id.lt) ?? nextLt
    // Where nothing tells what follows, only a page without anything new does: a short one may have been cut short.
    return next === undefined ? fresh.length === 0 : next <= toLt
  }

  /** A server that has the transaction it shall start at answers at least that one. */
  function hasNoStart(): boolean {
    const start = position?.lt ?? params.lt ?? nextLt ?? 0n
    return BigInt(start) <= toLt
  }
}

function positionOf(row: HistoryRow | undefined): HistoryPosition {
  // The walk asks for places behind an item of the page only.
  const { lt, hash } = (row as HistoryRow).transaction_id
  return { lt: lt.toString(), hash }
}

function cutShort(endpoint: string): HistoryNotAvailableError {
  return new HistoryNotAvailableError({
    endpoint,
    attempts: 1,
    status: 200,
    reason: 'the answer ends before the first transaction of the account',
    requestId: undefined,
  })
}
