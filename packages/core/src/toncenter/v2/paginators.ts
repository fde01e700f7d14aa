import type { Paginate } from '../paging/paginator.js'
import { paginateAccount, type HistoryFilter } from './account-history.js'
import { paginateBlock, type BlockFilter } from './block-transactions.js'
import type { V2Call } from './call.js'
import { transactions } from './endpoints/transactions.js'
import type { V2Result } from './endpoint-types.js'

/** `paginate` of API v2 by endpoint. */
export interface V2Paginators {
  /**
   * All transactions of an account, newest first, from `lt` and `hash` or from the newest one, down to above `to_lt`. Those
   * that arrive after the first page are not included. `archival` is `'auto'` by default.
   */
  getTransactions: Paginate<HistoryFilter, V2Result<'getTransactions'>[number]>
  /** Like `getTransactions`. C++ server only. */
  getTransactionsStd: Paginate<
    HistoryFilter,
    V2Result<'getTransactionsStd'>['transactions'][number]
  >
  /** The ids of all transactions of a block. */
  getBlockTransactions: Paginate<
    BlockFilter,
    V2Result<'getBlockTransactions'>['transactions'][number]
  >
  /** All transactions of a block. */
  getBlockTransactionsExt: Paginate<
    BlockFilter,
    V2Result<'getBlockTransactionsExt'>['transactions'][number]
  >
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
