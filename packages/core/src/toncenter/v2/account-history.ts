import type { ParametersOf } from '../endpoint/endpoint.js'
import { ApiError, isApiError } from '../errors/api.js'
import type { Position } from '../paging/cursor.js'
import type { PageSource } from '../paging/page-source.js'
import type { PageQuery, PageResult, PagingStrategy } from '../paging/strategy.js'
import { accountHashParam } from '../schema/params.js'
import type { transactions } from './endpoints/transactions.js'
import { previousLt } from './previous-lt.js'

/** The fields of a transaction that determine its position in the history of its account. */
export interface HistoryRow {
  transaction_id: { lt: bigint; hash: string }
  data: string
}

export interface HistoryPage<Row> {
  rows: readonly Row[]
  /** The lt of the next transaction, 0 at the end, if the server reports it. */
  nextLt?: bigint | undefined
}

export type HistoryParams = ParametersOf<(typeof transactions)['getTransactions']>

/** The last delivered transaction. */
export interface HistoryPosition extends Position {
  readonly lt: string
  readonly hash: string
}

/**
 * Returns the paging strategy of an account's history, newest first. The server starts with the requested transaction, so
 * each page but the first repeats a delivered one; lt strictly decreases, so that one and newer ones are removed. New
 * transactions are not part of the loop.
 * Source: the v2 servers, getTransactions.
 */
export function accountHistory<Row extends HistoryRow>(
  endpoint: string,
): PagingStrategy<HistoryParams, HistoryPage<Row>, Row, HistoryPosition> {
  return {
    endpoint,
    // A page of one would have only the repeated transaction.
    pageSize: { default: 100, min: 2, max: 1000, safe: 100 },
    sizeParameter: 'limit',
    request: ({ params, position, pageSize }) => ({ ...params, ...position, limit: pageSize }),
    read: (page, query) => readPage(endpoint, page, query),
    after: (items) => positionOf(items.at(-1)),
    digestOf: ({ address }) => accountHashParam.read(address, () => undefined),
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
): PageResult<Row, HistoryPosition> {
  const toLt = BigInt(params.to_lt ?? 0)
  const before = position === undefined ? undefined : BigInt(position.lt)
  const newRows = rows.filter(({ transaction_id: { lt } }) => before === undefined || lt < before)
  const items = newRows.filter(({ transaction_id }) => transaction_id.lt > toLt)
  const isLast = items.length < newRows.length || isEnd(rows.at(-1))
  if (items.length === 0 && !isLast) throw truncated(endpoint)
  return { items, isLast }

  function isEnd(last: Row | undefined): boolean {
    if (last === undefined) return hasNoStart()
    const { data, transaction_id } = last
    const next = previousLt(data, transaction_id.lt) ?? nextLt
    // If the next lt is unknown, only a page without new rows is the end: a short page may be truncated.
    return next === undefined ? newRows.length === 0 : next <= toLt
  }

  /** A server that has the start transaction returns at least that one. */
  function hasNoStart(): boolean {
    const start = position?.lt ?? params.lt ?? nextLt ?? 0n
    return BigInt(start) <= toLt
  }
}

function positionOf(row: HistoryRow | undefined): HistoryPosition {
  // A paginator requests only positions after an item of the page.
  const { lt, hash } = (row as HistoryRow).transaction_id
  return { lt: lt.toString(), hash }
}

function truncated(endpoint: string): ApiError {
  return new ApiError({
    code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    endpoint,
    attempts: 1,
    status: 200,
    reason: 'the response ends before the first transaction of the account',
    requestId: undefined,
  })
}

/**
 * Reads pages from any node and, from the first page that it does not have, from archival nodes only: all further pages are
 * older. Source: the v2 servers, getTransactions.
 */
export function withArchival<Row>(
  anyNode: PageSource<Row, HistoryPosition>,
  archival: PageSource<Row, HistoryPosition>,
): PageSource<Row, HistoryPosition> {
  let source = anyNode
  return async (position, options) => {
    try {
      return await source(position, options)
    } catch (error) {
      if (!isApiError(error, 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE') || source === archival)
        throw error
    }
    source = archival
    return await source(position, options)
  }
}
