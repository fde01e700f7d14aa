import type { Endpoint, ParametersOf } from '../../endpoint/endpoint.js'
import { ServerError } from '../../errors/api.js'
import { InvalidParamsError } from '../../errors/params.js'
import { createIterate, type Iterate } from '../../paging/iterate.js'
import { createPageSource } from '../../paging/page-source.js'
import { markOf } from '../../paging/params-mark.js'
import { checkParams, type WireParams } from '../../schema/check-params.js'
import type { ResponseMeta } from '../../transport/transport.js'
import type { V3Call } from '../call.js'
import type { V3Endpoints } from '../endpoints/table.js'
import { isBeforeEnd } from './key-leg.js'
import { lists, type ListName, type RowOf } from './lists.js'
import { listPaging, type RowList } from './row-list.js'

/** What a walk of an endpoint takes: its parameters, but for those that choose a page. */
export type WalkParameters<Name extends ListName> = Omit<
  ParametersOf<V3Endpoints[Name]>,
  'limit' | 'offset'
>

type V3Iterate<Name extends ListName> = Iterate<WalkParameters<Name>, RowOf<Name>>

/**
 * The walks of API v3, by the endpoint that they page through. A walk delivers every row that was there when it began
 * once, in the order of the endpoint; rows that the index learns of meanwhile are not waited for, and `follow` is what
 * goes on with them.
 *
 * Lists with an lt or a time are paged by it, so a page costs the same wherever it is. All others are paged by offset:
 * the server skips what came before, so later pages cost more. Rows that are added to such a list meanwhile do no harm,
 * nor do up to 1000 that go away between two pages; where rows change places, as in an order by balance, one that
 * jumps over the walk's place is missed. Some have no order at all: masters, collections and items by their own
 * addresses, and collections by owners. For these let `pageSize` be as large as their number.
 */
export interface V3Iterates {
  /** Actions of a filter. Those of a trace that is classified anew meanwhile may come twice or not at all. */
  actions: V3Iterate<'actions'>
  /** Blocks of a filter, by time. */
  blocks: V3Iterate<'blocks'>
  /** Domains. Paged by offset. */
  dnsRecords: V3Iterate<'dnsRecords'>
  /** As the walk of `traces`. */
  events: V3Iterate<'events'>
  /** Burns of jettons. */
  jettonBurns: V3Iterate<'jettonBurns'>
  /** Kinds of jettons. Paged by offset. */
  jettonMasters: V3Iterate<'jettonMasters'>
  /** Transfers of jettons. */
  jettonTransfers: V3Iterate<'jettonTransfers'>
  /** Jetton wallets. Paged by offset; without `sort` they keep their places. */
  jettonWallets: V3Iterate<'jettonWallets'>
  /** The blocks that a masterchain block brought. Paged by offset, where the server looks at it. */
  masterchainBlockShards: V3Iterate<'masterchainBlockShards'>
  /**
   * Messages of a filter. Those from outside have no lt: without bounds they come first, or last when the oldest come
   * first, and are paged by offset. `exclude_externals` leaves them out.
   */
  messages: V3Iterate<'messages'>
  /** Orders of multi-signature wallets. Paged by offset. */
  multisigOrders: V3Iterate<'multisigOrders'>
  /** Multi-signature wallets. Paged by offset. */
  multisigWallets: V3Iterate<'multisigWallets'>
  /** Collections of NFTs. Paged by offset. */
  nftCollections: V3Iterate<'nftCollections'>
  /** NFTs. Paged by offset; one that is sold meanwhile changes its place in the lists of owners. */
  nftItems: V3Iterate<'nftItems'>
  /** Transfers of NFTs. */
  nftTransfers: V3Iterate<'nftTransfers'>
  /** Accounts by balance. Paged by offset; balances change, and with them the places. */
  topAccountsByBalance: V3Iterate<'topAccountsByBalance'>
  /** Traces of a filter. A pending one moves on while it grows, so it may come twice or not at all. */
  traces: V3Iterate<'traces'>
  /** Transactions of a filter. `exclude_account` is looked at here, since servers do not. */
  transactions: V3Iterate<'transactions'>
  /** All transactions of a masterchain block. Paged by offset; a block does not change. */
  transactionsByMasterchainBlock: V3Iterate<'transactionsByMasterchainBlock'>
  /**
   * The transactions that sent or received a message. Paged by offset; for an opcode that is common, walk
   * `messages` with `opcode` instead.
   */
  transactionsByMessage: V3Iterate<'transactionsByMessage'>
  /** Vesting contracts. Paged by offset. */
  vesting: V3Iterate<'vesting'>
}

/**
 * Makes the walks of a client.
 * @param open makes what calls endpoints for one walk: always the same server, since servers differ by some blocks
 */
export function createV3Iterates(open: () => V3Call): V3Iterates {
  // The table's lists with a walk of each: what V3Iterates says, name by name.
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [
      name,
      // What a list's functions take is what its own endpoint answers.
      iterateList(list as unknown as RowList<Endpoint, unknown>, open),
    ]),
  ) as unknown as V3Iterates
}

function iterateList<Row>(
  list: RowList<Endpoint, Row>,
  open: () => V3Call,
): Iterate<Readonly<Record<string, unknown>>, Row> {
  const { endpoint } = list
  const check = (given: unknown): WireParams => checkParams(endpoint.name, endpoint.params, given)
  const strategy = { ...listPaging(list), markOf: (given: unknown) => markIfRight(check, given) }
  const iterate = createIterate(strategy, (walk) => {
    const call = open()
    let root: string | undefined
    // Which server gave a cursor is not known.
    let isElsewhere = walk.isResumed
    const onResponse = ({ baseUrl }: ResponseMeta): void => {
      root ??= baseUrl
      if (baseUrl !== root) isElsewhere = true
    }
    return async (position, options) => {
      const params = check(walk.params)
      const source = createPageSource({ ...walk, params }, async (pageParams, pageOptions) =>
        // They are those of this endpoint, with a place in the list.
        call(endpoint, pageParams as ParametersOf<Endpoint>, { ...pageOptions, onResponse }),
      )
      const page = await source(position, options)
      const end = page.after(page.items.length)
      if (isElsewhere && page.isLast && isBeforeEnd(end)) throw serverBehind(endpoint.name)
      return page
    }
  })
  return (params = {}, options) => {
    if (params['offset'] !== undefined) throw offsetRefused(endpoint.name)
    return iterate(params, options)
  }
}

function markIfRight(check: (given: unknown) => WireParams, given: unknown): string | undefined {
  try {
    return markOf(check(given))
  } catch (error) {
    // It is told when the first page is wanted.
    if (error instanceof InvalidParamsError) return undefined
    throw error
  }
}

function serverBehind(endpoint: string): ServerError {
  return new ServerError({
    endpoint,
    attempts: 1,
    status: 200,
    reason:
      'the list ends before the row that was its newest when the walk began; this server is behind',
    requestId: undefined,
    isRetryable: true,
  })
}

function offsetRefused(endpoint: string): InvalidParamsError {
  const problem = 'is not a parameter of a walk; see the option cursor'
  return new InvalidParamsError({ endpoint, issues: [{ path: 'offset', problem }] })
}
