import type { PagingStrategy, Position } from '../paging/strategy.js'
import type { ParametersOf } from '../endpoint/endpoint.js'
import type { transactions } from './endpoints/transactions.js'

/** The parameters of one page of a block. */
export type BlockParams = ParametersOf<(typeof transactions)['getBlockTransactions']>

/** The last transaction delivered: its lt and the account it is on. */
export interface BlockPosition extends Position {
  readonly lt: string
  readonly account: string
}

/** A page of a block; `incomplete` when more follows. */
export interface BlockPage<Row> {
  incomplete: boolean
  transactions: Row[]
}

/**
 * How the transactions of a block are walked. The server goes on after an lt and an account: its parameter
 * `after_hash` is the hash of the account, not of the transaction.
 * Source: the v2 servers, getBlockTransactions.
 */
export function blockTransactionsPaging<Row>(
  endpoint: string,
  placeOf: (row: Row) => { lt: bigint; account: string },
): PagingStrategy<BlockParams, BlockPage<Row>, Row, BlockPosition> {
  const positionOf = (row: Row): BlockPosition => {
    const { lt, account } = placeOf(row)
    return { lt: lt.toString(), account }
  }
  const isAt = (row: Row, position: BlockPosition | undefined): boolean => {
    const { lt, account } = positionOf(row)
    return lt === position?.lt && account === position.account
  }
  return {
    endpoint,
    // A liteserver hands out 256 at a time.
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
    markOf: ({ workchain, seqno }) => `${workchain}:${seqno}`,
    // The walk asks for places behind an item of the page only.
    after: (items, count) => positionOf(items[count - 1] as Row),
    parse: ({ lt, account }) =>
      typeof lt === 'string' && /^\d{1,19}$/.test(lt) && typeof account === 'string'
        ? { lt, account }
        : undefined,
  }
}
