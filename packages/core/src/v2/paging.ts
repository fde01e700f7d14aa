import { createIterate, type Iterate } from '../paging/iterate.js'
import { createPageSource, type PageSource } from '../paging/page-source.js'
import type { PageCall, PagingStrategy } from '../paging/strategy.js'
import {
  accountHistory,
  type HistoryPage,
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
import type { ResultOf } from '../endpoint/endpoint.js'
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
    getTransactions: iterateAccount(open, 'getTransactions', (call) => async (params, options) => ({
      rows: await call(transactions.getTransactions, params, options),
    })),
    getTransactionsStd: iterateAccount(
      open,
      'getTransactionsStd',
      (call) => async (params, options) => {
        const page = await call(transactions.getTransactionsStd, params, options)
        return { rows: page.transactions, nextLt: page.previous_transaction_id.lt }
      },
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
  pageCall: (call: V2Call) => PageCall<HistoryParams, HistoryPage<Row>>,
): Iterate<AccountWalk, Row> {
  return createIterate(accountHistory<Row>(endpoint), (list) => {
    const call = open()
    const pages = (archival: boolean | undefined): PageSource<Row, HistoryPosition> =>
      createPageSource(
        { ...list, params: { ...list.params, archival } },
        confirmEmpty(call, pageCall(call)),
      )
    const { archival } = list.params
    if (typeof archival === 'boolean') return pages(archival)
    return withArchival({ recent: pages(undefined), archival: pages(true) })
  })
}

/**
 * An account whose newest page is empty has no transaction, or the server hides that it could not get it, as the Python
 * one does: the account's state tells. With `to_lt` an empty page is what most walks begin with, so nothing is asked.
 */
function confirmEmpty<Row>(
  call: V2Call,
  ask: PageCall<HistoryParams, HistoryPage<Row>>,
): PageCall<HistoryParams, HistoryPage<Row>> {
  return async (params, options) => {
    const page = await ask(params, options)
    const { address, lt, to_lt = 0 } = params
    if (page.rows.length > 0 || lt !== undefined || BigInt(to_lt) > 0n) return page
    const account = await call(accounts.getAddressInformation, { address }, options)
    return { ...page, nextLt: account.last_transaction_id.lt }
  }
}

function iterateBlock<Row>(
  open: () => V2Call,
  strategy: PagingStrategy<BlockParams, BlockPage<Row>, Row, BlockPosition>,
  pageCall: (call: V2Call) => PageCall<BlockParams, BlockPage<Row>>,
): Iterate<BlockWalk, Row> {
  return createIterate(strategy, (list) => createPageSource(list, pageCall(open())))
}
