import type { Endpoint } from '../endpoint/endpoint.js'
import type { Position } from '../paging/cursor.js'
import { createPaginate, type Paginate } from '../paging/paginator.js'
import type { Schema } from '../schema/fields.js'
import { shardParam } from '../schema/params.js'
import type { ParamsSchema } from '../schema/params-object.js'
import type { V2Call } from './call.js'
import type { V2Parameters } from './endpoint-types.js'

/** The parameters of `paginate` for the transactions of a block. */
export type BlockFilter = Omit<V2Parameters<'getBlockTransactions'>, 'count'>

/** The last delivered transaction: its lt and its account. */
interface BlockPosition extends Position {
  readonly lt: string
  readonly account: string
}

/** A page of a block; `incomplete` if more follows. */
interface BlockPage<Row> {
  incomplete: boolean
  transactions: Row[]
}

/**
 * Creates `paginate` of a block's transactions. The server continues after an lt and an account: its parameter `after_hash`
 * is the hash of the account, not of the transaction.
 * Source: the v2 servers, getBlockTransactions.
 * @param open creates the call function of one paginator
 */
export function paginateBlock<Row>(
  open: () => V2Call,
  endpoint: Endpoint<ParamsSchema, Schema<BlockPage<Row>>>,
  idOf: (row: NoInfer<Row>) => { lt: bigint; account: string },
): Paginate<BlockFilter, Row> {
  const positionOf = (row: Row): BlockPosition => {
    const { lt, account } = idOf(row)
    return { lt: lt.toString(), account }
  }
  return createPaginate<BlockFilter, Row, BlockPosition>({
    endpoint: endpoint.name,
    // A liteserver returns 256 at a time.
    sizes: { default: 256, min: 1, max: 10_000, safe: 256, parameter: 'count' },
    digestOf({ workchain, shard, seqno }) {
      const decimal = shardParam.read(shard, () => undefined)
      return decimal && `${workchain}:${decimal}:${seqno}`
    },
    parse: ({ lt, account }) =>
      typeof lt === 'string' && /^\d{1,19}$/.test(lt) && typeof account === 'string'
        ? { lt, account }
        : undefined,
    open(filter) {
      const call = open()
      return async ({ position, pageSize: count }, options) => {
        const start = position && { after_lt: position.lt, after_hash: position.account }
        const page = await call(endpoint, { ...filter, ...start, count }, options)
        const items = page.transactions.filter((row) => {
          const { lt, account } = positionOf(row)
          return lt !== position?.lt || account !== position.account
        })
        const after = (delivered: number): BlockPosition | undefined => {
          const last = items[delivered - 1]
          return last === undefined ? position : positionOf(last)
        }
        return { items, isLast: !page.incomplete, after }
      }
    },
  })
}
