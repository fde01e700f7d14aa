import type { Endpoint, ParametersOf, ResultOf } from '../endpoint/endpoint.js'
import { createPageSource } from '../paging/page-source.js'
import { createPaginate, type Paginate } from '../paging/paginate.js'
import type { PageCall } from '../paging/strategy.js'
import type { Schema } from '../schema/fields.js'
import type { ParamsSchema } from '../schema/params-object.js'
import {
  accountHistory,
  withArchival,
  type HistoryPage,
  type HistoryParams,
  type HistoryRow,
} from './account-history.js'
import { blockTransactionsPaging, type BlockPage, type BlockParams } from './block-transactions.js'
import type { V2Call } from './call.js'
import { accounts } from './endpoints/accounts.js'
import { transactions } from './endpoints/transactions.js'

type Endpoints = typeof transactions
type HistoryFilter = Omit<HistoryParams, 'limit'>
type BlockFilter = Omit<BlockParams, 'count'>
type RowOf<Name extends 'getTransactionsStd' | 'getBlockTransactions' | 'getBlockTransactionsExt'> =
  ResultOf<Endpoints[Name]>['transactions'][number]

export interface V2Paginators {
  /**
   * All transactions of an account, newest first, from `lt` and `hash` or from the newest one, down to above `to_lt`. Those
   * that arrive after the first page are not included. `archival` is `'auto'` by default.
   */
  getTransactions: Paginate<HistoryFilter, ResultOf<Endpoints['getTransactions']>[number]>
  /** Like `getTransactions`. C++ server only. */
  getTransactionsStd: Paginate<HistoryFilter, RowOf<'getTransactionsStd'>>
  /** The ids of all transactions of a block. */
  getBlockTransactions: Paginate<BlockFilter, RowOf<'getBlockTransactions'>>
  /** All transactions of a block. */
  getBlockTransactionsExt: Paginate<BlockFilter, RowOf<'getBlockTransactionsExt'>>
}

/**
 * Creates `paginate` of each list.
 * @param open creates the call function of one paginator. It keeps to one server, since servers differ by some blocks.
 */
export function createV2Paginators(open: () => V2Call): V2Paginators {
  const { getTransactions, getTransactionsStd } = transactions
  const { getBlockTransactions, getBlockTransactionsExt } = transactions
  return {
    getTransactions: paginateAccount(open, getTransactions, (rows) => ({ rows })),
    getTransactionsStd: paginateAccount(open, getTransactionsStd, (page) => ({
      rows: page.transactions,
      nextLt: page.previous_transaction_id.lt,
    })),
    getBlockTransactions: paginateBlock(open, getBlockTransactions, (row) => row),
    getBlockTransactionsExt: paginateBlock(
      open,
      getBlockTransactionsExt,
      ({ transaction_id: { lt }, account, address }) => ({
        lt,
        account: account ?? address.account_address,
      }),
    ),
  }
}

function paginateAccount<E extends Endpoint, Row extends HistoryRow>(
  open: () => V2Call,
  endpoint: E,
  pageOf: (result: ResultOf<E>) => HistoryPage<Row>,
): Paginate<HistoryFilter, Row> {
  return createPaginate(accountHistory<Row>(endpoint.name), (list) => {
    const call = open()
    const request: PageCall<HistoryParams, HistoryPage<Row>> = async (params, options) => {
      // Both endpoints have these parameters.
      const page = pageOf(await call(endpoint, params as unknown as ParametersOf<E>, options))
      return confirmEmpty(call, page, params, options)
    }
    const pages = (archival: boolean | undefined) =>
      createPageSource({ ...list, params: { ...list.params, archival } }, request)
    const { archival } = list.params
    if (typeof archival === 'boolean') return pages(archival)
    return withArchival(pages(undefined), pages(true))
  })
}

/**
 * Confirms an empty newest page with the account's state: the account has no transaction, or the Python server hides that
 * it could not read it. With `to_lt` most loops start with an empty page, so nothing is confirmed.
 */
async function confirmEmpty<Row>(
  call: V2Call,
  page: HistoryPage<Row>,
  ...[params, options]: Parameters<PageCall<HistoryParams, HistoryPage<Row>>>
): Promise<HistoryPage<Row>> {
  const { address, lt, to_lt = 0 } = params
  if (page.rows.length > 0 || lt !== undefined || BigInt(to_lt) > 0n) return page
  const account = await call(accounts.getAddressInformation, { address }, options)
  return { ...page, nextLt: account.last_transaction_id.lt }
}

function paginateBlock<Row>(
  open: () => V2Call,
  endpoint: Endpoint<ParamsSchema, Schema<BlockPage<Row>>>,
  idOf: (row: NoInfer<Row>) => { lt: bigint; account: string },
): Paginate<BlockFilter, Row> {
  return createPaginate(blockTransactionsPaging<Row>(endpoint.name, idOf), (list) => {
    const call = open()
    return createPageSource(list, async (params, options) => call(endpoint, { ...params }, options))
  })
}
