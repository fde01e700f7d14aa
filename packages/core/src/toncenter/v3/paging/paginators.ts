import { undefinedOn } from '../../../shared/undefined-on.js'
import { InvalidParamsError } from '../../errors/api.js'
import { digestOf } from '../../paging/cursor.js'
import { incompleteList, invalidOption } from '../../paging/errors.js'
import { createPaginate, type Paginate } from '../../paging/paginator.js'
import { checkParams, type WireParams } from '../../schema/params-object.js'
import type { V3EndpointName, V3Parameters, V3Row } from '../endpoint-types.js'
import type { ServerCalls } from '../server-calls.js'
import { isBeforeEnd } from '../../paging/keyset-segment.js'
import { lists } from './lists.js'
import { listSizes, readListPage, type RowList } from '../../paging/row-list.js'
import { parseListPosition, type ListPosition } from '../../paging/segment.js'

/** The parameters of `paginate`: all parameters of the endpoint that select no page. */
export type V3PaginateParameters<Name extends V3EndpointName> = Omit<
  V3Parameters<Name>,
  'limit' | 'offset' | 'after'
>

/** The `paginate` of an endpoint. */
export type V3Paginate<Name extends V3EndpointName> = Paginate<
  V3PaginateParameters<Name>,
  V3Row<Name>
>

/**
 * `paginate` of API v3 by endpoint. A paginator delivers each row that existed when it started once, in the order of the
 * endpoint. It does not wait for rows that are added later; use `watch` for them.
 *
 * Lists with an lt or a time are paginated by it, so each page costs the same. All others are paginated by offset: the
 * server skips the previous rows, so later pages cost more. Rows that are added to such a list are harmless, as are up to
 * 1000 rows that are removed between two pages. If rows change their order, for example by balance, a row that moves past
 * the current position is missed. Some lists have no order: masters, collections and items by their own addresses, and
 * collections by owners. For these set `pageSize` to at least the number of rows.
 */
export interface V3Paginators {
  /** Actions. If a trace is classified again, its actions may be delivered twice or not at all. */
  actions: V3Paginate<'actions'>
  /** Blocks by time. */
  blocks: V3Paginate<'blocks'>
  /** Auctions of domains. By offset; a new bid changes the end of an auction. */
  dnsActiveAuctions: V3Paginate<'dnsActiveAuctions'>
  /** DNS records. By offset. */
  dnsRecords: V3Paginate<'dnsRecords'>
  /** Traces with their actions, like `traces`. */
  events: V3Paginate<'events'>
  /** Jetton burns. */
  jettonBurns: V3Paginate<'jettonBurns'>
  /** Jetton masters. By offset. */
  jettonMasters: V3Paginate<'jettonMasters'>
  /** Jetton transfers. */
  jettonTransfers: V3Paginate<'jettonTransfers'>
  /** Jetton wallets. By offset; their order is fixed without `sort`. */
  jettonWallets: V3Paginate<'jettonWallets'>
  /** A masterchain block and its shard blocks. By offset, if the server supports it. */
  masterchainBlockShards: V3Paginate<'masterchainBlockShards'>
  /**
   * Messages. External messages have no lt: without bounds they come first, or last in ascending order, and are paginated
   * by offset, also where the server has them in between. `exclude_externals` leaves them out.
   */
  messages: V3Paginate<'messages'>
  /** Orders of multisig wallets. By offset. */
  multisigOrders: V3Paginate<'multisigOrders'>
  /** Multisig wallets. By offset. */
  multisigWallets: V3Paginate<'multisigWallets'>
  /** NFT collections. By offset. */
  nftCollections: V3Paginate<'nftCollections'>
  /** NFTs. By offset; an NFT that is sold changes its position in lists by owner. */
  nftItems: V3Paginate<'nftItems'>
  /** NFT transfers. */
  nftTransfers: V3Paginate<'nftTransfers'>
  /** Accounts by balance. By offset; their order changes with their balances. */
  topAccountsByBalance: V3Paginate<'topAccountsByBalance'>
  /** Traces. A pending trace moves while it grows, so it may be delivered twice or not at all. */
  traces: V3Paginate<'traces'>
  /** Transactions. The client applies `exclude_account`, which servers ignore. */
  transactions: V3Paginate<'transactions'>
  /** All transactions of a masterchain block. By offset; a block does not change. */
  transactionsByMasterchainBlock: V3Paginate<'transactionsByMasterchainBlock'>
  /** Transactions that sent or received a message. By offset; for a common opcode use `messages` with `opcode` instead. */
  transactionsByMessage: V3Paginate<'transactionsByMessage'>
  /** Vesting contracts. By offset. */
  vesting: V3Paginate<'vesting'>
}

/**
 * Creates `paginate` of each list.
 * @param open creates the calls of one paginator. They keep to one server, since servers differ by some blocks.
 */
export function createV3Paginators(open: () => ServerCalls): V3Paginators {
  const paginates = Object.entries(lists).map(([name, list]) => [name, paginateList(list, open)])
  // One entry for each list in the table, as V3Paginators declares by name.
  return Object.fromEntries(paginates) as unknown as V3Paginators
}

function paginateList(list: RowList, open: () => ServerCalls): Paginate<WireParams, unknown> {
  const { name, params: schema } = list.endpoint
  const check = (given: unknown): WireParams => checkParams(name, schema, given)
  const paginate = createPaginate<WireParams, unknown, ListPosition>({
    endpoint: name,
    sizes: listSizes,
    // The first page reports invalid parameters.
    digestOf: (given) => undefinedOn(InvalidParamsError, () => digestOf(check(given))),
    parse: parseListPosition,
    open(given, isResumed) {
      const { call, hasServerChanged } = open()
      return async (query, options) => {
        const load = async (params: WireParams): Promise<readonly unknown[]> =>
          list.rowsOf(await call(list.endpoint, params, options))
        const page = await readListPage(list, { ...query, params: check(given) }, load)
        // The server of a cursor is unknown.
        const mayBeBehind = isResumed || hasServerChanged()
        if (mayBeBehind && page.isLast && isBeforeEnd(page.after(page.items.length))) {
          const reason =
            'the list ends before the row that was its newest when the loop started; this server is behind'
          throw incompleteList(name, 'ERR_TONPLUG_SERVER', reason)
        }
        return page
      }
    },
  })
  return (params = {}, options) => {
    if (params['offset'] !== undefined) {
      throw invalidOption(name, 'offset', 'is not a parameter of paginate(); use the option cursor')
    }
    return paginate(params, options)
  }
}
