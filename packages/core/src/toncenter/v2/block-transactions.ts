import type { ParametersOf } from '../endpoint/endpoint.js'
import type { Position } from '../paging/cursor.js'
import type { PagingStrategy } from '../paging/strategy.js'
import type { transactions } from './endpoints/transactions.js'

export type BlockParams = ParametersOf<(typeof transactions)['getBlockTransactions']>

/** The last delivered transaction: its lt and its account. */
export interface BlockPosition extends Position {
  readonly lt: string
  readonly account: string
}

/** A page of a block; `incomplete` if more follows. */
export interface BlockPage<Row> {
  incomplete: boolean
  transactions: Row[]
}

/**
 * Returns the paging strategy of a block's transactions. The server continues after an lt and an account: its parameter
 * `after_hash` is the hash of the account, not of the transaction.
 * Source: the v2 servers, getBlockTransactions.
 */
export function blockTransactionsPaging<Row>(
  endpoint: string,
  idOf: (row: Row) => { lt: bigint; account: string },
): PagingStrategy<BlockParams, BlockPage<Row>, Row, BlockPosition> {
  const positionOf = (row: Row): BlockPosition => {
    const { lt, account } = idOf(row)
    return { lt: lt.toString(), account }
  }
  const isAt = (row: Row, position: BlockPosition | undefined): boolean => {
    const { lt, account } = positionOf(row)
    return lt === position?.lt && account === position.account
  }
  return {
    endpoint,
    // A liteserver returns 256 at a time.
    pageSize: { default: 256, min: 1, max: 10_000, safe: 256 },
    sizeParameter: 'count',
    request: ({ params, position, pageSize }) => ({
      ...params,
      ...(position !== undefined && { after_lt: position.lt, after_hash: position.account }),
      count: pageSize,
    }),
    read: ({ transactions, incomplete }, { position }) => ({
      items: transactions.filter((row) => !isAt(row, position)),
      isLast: !incomplete,
    }),
    digestOf: ({ workchain, seqno }) => `${workchain}:${seqno}`,
    // There is at least one.
    after: (items) => positionOf(items.at(-1) as Row),
    parse: ({ lt, account }) =>
      typeof lt === 'string' && /^\d{1,19}$/.test(lt) && typeof account === 'string'
        ? { lt, account }
        : undefined,
  }
}
