import type { ResultOf } from '../../endpoint/endpoint.js'
import type { WireParams } from '../../schema/check-params.js'
import { blockchainData } from '../endpoints/blockchain-data.js'
import { withoutAccounts } from '../narrow.js'
import { byLt, byUtime } from './axes.js'
import { offsetLeg } from './offset-leg.js'
import type { RowList } from './row-list.js'
import { readinessOfFinality, timedList } from './timed-list.js'

type Row = ResultOf<typeof blockchainData.transactions>['transactions'][number]

const idOf = ({ hash }: Row): string => hash

/**
 * `/transactions` is ordered by lt, then by account; with a utime parameter by time, then lt, then account, but within
 * a masterchain block by lt again, unless one account is asked for. One account's order is the same with the account
 * ahead. With `hash` the order is by hash, and with `lt` by account. lt and time bounds are inclusive. Several
 * accounts may have transactions with one lt. `exclude_account` is not looked at.
 * Source: the index server of API v3, query of transactions.
 */
export const transactionList = timedList({
  endpoint: blockchainData.transactions,
  rowsOf: ({ transactions }) => transactions,
  idOf,
  lt: byLt('lt'),
  utime: byUtime('now'),
  isUnordered: ({ hash, lt }) => hash !== undefined || lt !== undefined,
  isAlwaysByLt: (params) => params['mc_seqno'] !== undefined && accountsOf(params).length !== 1,
  oldestOf(params) {
    // It was checked: decimal digits.
    const startLt = BigInt((params['start_lt'] as string | undefined) ?? 0)
    const isOfOne = accountsOf(params).length === 1
    return ({ prev_trans_lt: previous }: Row) =>
      isOfOne && previous !== undefined && (previous === 0n || previous < startLt)
  },
  keep: (rows, params) => withoutAccounts({ transactions: rows }, params).transactions,
  ownParams: ['exclude_account'],
  readinessOf: readinessOfFinality,
})

/** By lt, then by account; a block does not change. Source: the index server of API v3. */
export const blockTransactionList: RowList<
  typeof blockchainData.transactionsByMasterchainBlock,
  Row
> = {
  endpoint: blockchainData.transactionsByMasterchainBlock,
  rowsOf: ({ transactions }) => transactions,
  legsOf: () => [
    offsetLeg({
      endpoint: blockchainData.transactionsByMasterchainBlock.name,
      idOf,
      isFixed: true,
    }),
  ],
}

/** By lt, the newest first, then by account; without parameters to bound it. Source: the index server of API v3. */
export const messageTransactionList: RowList<typeof blockchainData.transactionsByMessage, Row> = {
  endpoint: blockchainData.transactionsByMessage,
  rowsOf: ({ transactions }) => transactions,
  legsOf: () => [offsetLeg({ endpoint: blockchainData.transactionsByMessage.name, idOf })],
}

function accountsOf({ account }: WireParams): readonly unknown[] {
  return Array.isArray(account) ? account : []
}
