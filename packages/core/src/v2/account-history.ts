import { HistoryNotAvailableError } from '../errors/api.js'
import type { PageAnswer, PageQuery, PagingStrategy, Position } from '../paging/strategy.js'
import type { ParametersOf } from './endpoint.js'
import type { transactions } from './endpoints/transactions.js'
import { previousLt } from './previous-lt.js'

/** What of a transaction says where it is in the history of its account. */
export interface HistoryRow {
  transaction_id: { lt: bigint; hash: string }
  data: string
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
): PagingStrategy<HistoryParams, readonly Row[], Row, HistoryPosition> {
  return {
    endpoint,
    // A page of one would be the repeated transaction alone.
    pageSize: { default: 100, min: 2, max: 1000, safe: 100 },
    sizeParameter: 'limit',
    request: ({ params, position, pageSize }) => ({ ...params, ...position, limit: pageSize }),
    read: (rows, query) => readPage(endpoint, rows, query),
    after: (items, count) => positionOf(items[count - 1]),
    parse: ({ lt, hash }) =>
      typeof lt === 'string' && /^\d{1,19}$/.test(lt) && typeof hash === 'string'
        ? { lt, hash }
        : undefined,
  }
}

function readPage<Row extends HistoryRow>(
  endpoint: string,
  rows: readonly Row[],
  { params, position, pageSize }: PageQuery<HistoryParams, HistoryPosition>,
): PageAnswer<Row> {
  const toLt = BigInt(params.to_lt ?? 0)
  const before = position === undefined ? undefined : BigInt(position.lt)
  const fresh = rows.filter(({ transaction_id: { lt } }) => before === undefined || lt < before)
  const items = fresh.filter(({ transaction_id }) => transaction_id.lt > toLt)
  const last = rows.at(-1)
  const isLast = items.length < fresh.length || last === undefined || isEnd(last)
  if (items.length === 0 && !isLast) throw cutShort(endpoint)
  return { items, isLast }

  function isEnd({ data, transaction_id }: Row): boolean {
    const previous = previousLt(data, transaction_id.lt)
    return previous === undefined ? rows.length < pageSize : previous <= toLt
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
