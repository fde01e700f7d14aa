import type { ResultOf } from '../endpoint/endpoint.js'
import type { Paginate } from '../paging/paginator.js'
import { paginateAccount, type HistoryFilter } from './account-history.js'
import { paginateBlock, type BlockFilter } from './block-transactions.js'
import type { V2Call } from './call.js'
import { transactions } from './endpoints/transactions.js'

type Endpoints = typeof transactions
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
