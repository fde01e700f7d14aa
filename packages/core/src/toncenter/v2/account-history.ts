import type { Endpoint, ParametersOf, ResultOf } from '../endpoint/endpoint.js'
import { isApiError } from '../errors/api.js'
import type { Position } from '../paging/cursor.js'
import { incompleteList } from '../paging/errors.js'
import type { Page, ReadPage } from '../paging/pages.js'
import { createPaginate, type Paginate } from '../paging/paginator.js'
import { accountHashParam } from '../schema/params.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { V2Call } from './call.js'
import { accounts } from './endpoints/accounts.js'
import type { V2Parameters } from './endpoint-types.js'
import { previousLt } from './previous-lt.js'

/** The fields of a transaction that determine its position in the history of its account. */
interface HistoryRow {
  transaction_id: { lt: bigint; hash: string }
  data: string
}

interface HistoryPage<Row> {
  rows: readonly Row[]
  /** The lt of the next transaction, 0 at the end, if the server reports it. */
  nextLt?: bigint | undefined
}

type HistoryParams = V2Parameters<'getTransactions'>

/** The parameters of `paginate` for the history of an account. */
export type HistoryFilter = Omit<V2Parameters<'getTransactions'>, 'limit'>

/** The last delivered transaction. */
interface HistoryPosition extends Position {
  readonly lt: string
  readonly hash: string
}

/**
 * Creates `paginate` of an account's history, newest first. The server starts with the requested transaction, so each page
 * but the first repeats a delivered one; lt strictly decreases, so that one and newer ones are removed. New transactions are
 * not part of the loop.
 * Source: the v2 servers, getTransactions.
 * @param open creates the call function of one paginator
 */
export function paginateAccount<E extends Endpoint, Row extends HistoryRow>(
  open: () => V2Call,
  endpoint: E,
  pageOf: (result: ResultOf<E>) => HistoryPage<Row>,
): Paginate<HistoryFilter, Row> {
  return createPaginate<HistoryFilter, Row, HistoryPosition>({
    endpoint: endpoint.name,
    // A page of one would have only the repeated transaction.
    sizes: { default: 100, min: 2, max: 1000, safe: 100, parameter: 'limit' },
    digestOf: ({ address }) => accountHashParam.read(address, () => undefined),
    parse: ({ lt, hash }) =>
      typeof lt === 'string' && /^\d{1,19}$/.test(lt) && typeof hash === 'string'
        ? { lt, hash }
        : undefined,
    open({ archival: nodes, ...filter }) {
      const call = open()
      let archival = typeof nodes === 'boolean' ? nodes : undefined
      const read: ReadPage<Row, HistoryPosition> = async ({ position, pageSize }, options) => {
        const params = { ...filter, archival, ...position, limit: pageSize }
        // Both endpoints have these parameters.
        const result = await call(endpoint, params as unknown as ParametersOf<E>, options)
        const page = await confirmEmpty(call, pageOf(result), params, options)
        return selectRows(endpoint.name, page, filter, position)
      }
      return async (query, options) => {
        try {
          return await read(query, options)
        } catch (error) {
          const isMissing = isApiError(error, 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE')
          if (!isMissing || archival !== undefined) throw error
          // All further pages are older.
          archival = true
          return await read(query, options)
        }
      }
    },
  })
}

/**
 * Confirms an empty newest page with the account's state: the account has no transaction, or the Python server hides that
 * it could not read it. With `to_lt` most loops start with an empty page, so nothing is confirmed.
 */
async function confirmEmpty<Row>(
  call: V2Call,
  page: HistoryPage<Row>,
  { address, lt, to_lt = 0 }: HistoryParams,
  options: RequestOptions,
): Promise<HistoryPage<Row>> {
  if (page.rows.length > 0 || lt !== undefined || BigInt(to_lt) > 0n) return page
  const account = await call(accounts.getAddressInformation, { address }, options)
  return { ...page, nextLt: account.last_transaction_id.lt }
}

/** Selects the rows of a page that were not delivered and are newer than `to_lt`. */
function selectRows<Row extends HistoryRow>(
  endpoint: string,
  { rows, nextLt }: HistoryPage<Row>,
  filter: HistoryFilter,
  position: HistoryPosition | undefined,
): Page<Row, HistoryPosition> {
  const toLt = BigInt(filter.to_lt ?? 0)
  const before = position === undefined ? undefined : BigInt(position.lt)
  const newRows = rows.filter(({ transaction_id: { lt } }) => before === undefined || lt < before)
  const items = newRows.filter(({ transaction_id }) => transaction_id.lt > toLt)
  const isLast = items.length < newRows.length || isEnd(rows.at(-1))
  if (items.length === 0 && !isLast) {
    const reason = 'the response ends before the first transaction of the account'
    throw incompleteList(endpoint, 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE', reason)
  }
  return { items, isLast, after: (count) => positionOf(items[count - 1]) ?? position }

  function isEnd(last: Row | undefined): boolean {
    // A server that has the start transaction returns at least that one.
    if (last === undefined) return BigInt(position?.lt ?? filter.lt ?? nextLt ?? 0) <= toLt
    const next = previousLt(last.data, last.transaction_id.lt) ?? nextLt
    // If the next lt is unknown, only a page without new rows is the end: a short page may be truncated.
    return next === undefined ? newRows.length === 0 : next <= toLt
  }
}

function positionOf(row: HistoryRow | undefined): HistoryPosition | undefined {
  return row && { lt: row.transaction_id.lt.toString(), hash: row.transaction_id.hash }
}
