import { createIterate, type Iterate } from '../paging/iterate.js'
import { createPageSource, type PageSource } from '../paging/page-source.js'
import type { PageCall, PagingStrategy } from '../paging/strategy.js'
import {
  accountHistory,
  type HistoryParams,
  type HistoryPosition,
  type HistoryRow,
} from './account-history.js'
import { withArchival } from './archival-source.js'
import {
  blockTransactionsPaging,
  type BlockPage,
  type BlockParams,
  type BlockPosition,
} from './block-transactions.js'
import type { V2Call } from './call.js'
import type { ResultOf } from './endpoint.js'
import { accounts } from './endpoints/accounts.js'
import { transactions } from './endpoints/transactions.js'

type Endpoints = typeof transactions
type AccountWalk = Omit<HistoryParams, 'limit'>
type BlockWalk = Omit<BlockParams, 'count'>
type RowOf<Name extends 'getTransactionsStd' | 'getBlockTransactions' | 'getBlockTransactionsExt'> =
  ResultOf<Endpoints[Name]>['transactions'][number]

/** The walks of API v2, by the endpoint that they page through. */
export interface V2Iterates {
  /**
   * All transactions of an account, newest first, from `lt` and `hash` or from the newest on, down to above `to_lt`.
   * Those that arrive after the first page are not part of it. `archival` is `'auto'` unless given.
   */
  getTransactions: Iterate<AccountWalk, ResultOf<Endpoints['getTransactions']>[number]>
  /** As the walk of `getTransactions`. C++ server only. */
  getTransactionsStd: Iterate<AccountWalk, RowOf<'getTransactionsStd'>>
  /** The ids of all transactions of a block. */
  getBlockTransactions: Iterate<BlockWalk, RowOf<'getBlockTransactions'>>
  /** All transactions of a block. */
  getBlockTransactionsExt: Iterate<BlockWalk, RowOf<'getBlockTransactionsExt'>>
}

/**
 * Makes the walks of a client.
 * @param open makes what calls endpoints for one walk: always the same server, since servers differ by some blocks
 */
export function createV2Iterates(open: () => V2Call): V2Iterates {
  return {
    getTransactions: iterateAccount(
      open,
      'getTransactions',
      (call) => async (params, options) => call(transactions.getTransactions, params, options),
    ),
    getTransactionsStd: iterateAccount(
      open,
      'getTransactionsStd',
      (call) => async (params, options) =>
        (await call(transactions.getTransactionsStd, params, options)).transactions,
    ),
    getBlockTransactions: iterateBlock(
      open,
      blockTransactionsPaging<RowOf<'getBlockTransactions'>>('getBlockTransactions', (row) => row),
      (call) => async (params, options) => call(transactions.getBlockTransactions, params, options),
    ),
    getBlockTransactionsExt: iterateBlock(
      open,
      blockTransactionsPaging<RowOf<'getBlockTransactionsExt'>>(
        'getBlockTransactionsExt',
        ({ transaction_id, account, address }) => ({
          lt: transaction_id.lt,
          account: account ?? address.account_address,
        }),
      ),
      (call) => async (params, options) =>
        call(transactions.getBlockTransactionsExt, params, options),
    ),
  }
}

function iterateAccount<Row extends HistoryRow>(
  open: () => V2Call,
  endpoint: string,
  pageCall: (call: V2Call) => PageCall<HistoryParams, Row[]>,
): Iterate<AccountWalk, Row> {
  return createIterate(accountHistory<Row>(endpoint), (list) => {
    const call = open()
    const pages = (archival: boolean | undefined): PageSource<Row, HistoryPosition> =>
      createPageSource({ ...list, params: { ...list.params, archival } }, pageCall(call))
    const { address, lt, archival } = list.params
    if (typeof archival === 'boolean') return pages(archival)
    return withArchival({
      recent: pages(undefined),
      archival: pages(true),
      isFromNewest: lt === undefined,
      async isEmpty(options) {
        const state = await call(accounts.getAddressInformation, { address }, options)
        return state.last_transaction_id.lt === 0n
      },
    })
  })
}

function iterateBlock<Row>(
  open: () => V2Call,
  strategy: PagingStrategy<BlockParams, BlockPage<Row>, Row, BlockPosition>,
  pageCall: (call: V2Call) => PageCall<BlockParams, BlockPage<Row>>,
): Iterate<BlockWalk, Row> {
  return createIterate(strategy, (list) => createPageSource(list, pageCall(open())))
}
