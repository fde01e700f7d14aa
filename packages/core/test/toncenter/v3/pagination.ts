import type { Cursor } from '../../../src/toncenter/paging/cursor.js'
import type { Paginator, PaginateOptions } from '../../../src/toncenter/paging/paginator.js'
import type { TransportOptions } from '../../../src/toncenter/transport/options.js'
import { createV3Client, type V3Client } from '../../../src/toncenter/v3/client.js'
import type { ListName } from '../../../src/toncenter/v3/paging/lists.js'
import { idOfHash, type IndexRow } from './index-rows.js'
import { startMockIndex, type IndexOptions, type MockIndex } from './mock-index.js'

/** An index until the test ends, and a client of it that tries nothing again unless told so. */
export async function serve(
  index: IndexOptions,
  options: TransportOptions = { retry: { maxAttempts: 1 } },
): Promise<{ server: MockIndex; v3: V3Client }> {
  const server = await startMockIndex(index)
  return { server, v3: createV3Client({ baseUrl: server.baseUrl, rps: Infinity, ...options }) }
}

/** The walks whose rows have an lt and a time, by path. */
export const TIMED = {
  actions: '/actions',
  blocks: '/blocks',
  events: '/events',
  jettonBurns: '/jetton/burns',
  jettonTransfers: '/jetton/transfers',
  messages: '/messages',
  nftTransfers: '/nft/transfers',
  traces: '/traces',
  transactions: '/transactions',
} as const

/** The walks by offset, by path. */
export const DIRECTORIES = {
  dnsActiveAuctions: '/dns/activeAuctions',
  dnsRecords: '/dns/records',
  jettonMasters: '/jetton/masters',
  jettonWallets: '/jetton/wallets',
  multisigOrders: '/multisig/orders',
  multisigWallets: '/multisig/wallets',
  nftCollections: '/nft/collections',
  nftItems: '/nft/items',
  topAccountsByBalance: '/topAccountsByBalance',
  vesting: '/vesting',
} as const

/** Starts a walk, whatever the endpoint. */
export function paginate(
  v3: V3Client,
  name: ListName,
  params: object = {},
  options: PaginateOptions = {},
): Paginator<object> {
  // Each endpoint has its own parameters and rows; these tests look at ids only.
  const walk = v3[name].paginate as (params: object, options: PaginateOptions) => Paginator<object>
  return walk(params, options)
}

/** The id of a row, whatever it is. */
export function idOf(row: object): number {
  const read = (name: string): unknown => Reflect.get(row, name)
  const hash = read('action_id') ?? read('hash') ?? read('transaction_hash') ?? read('trace_id')
  if (typeof hash === 'string') return idOfHash(hash)
  if (typeof read('root_hash') === 'string') return idOfHash(String(read('root_hash')))
  const address = read('nft_item_address') ?? read('address') ?? read('account')
  return Number.parseInt(String(address).slice(2), 16)
}

/** The ids of all that a walk delivers. */
export async function collect(walk: AsyncIterable<object>): Promise<number[]> {
  const ids: number[] = []
  for await (const row of walk) ids.push(idOf(row))
  return ids
}

/** The cursor as another process would get it. */
export function stored(walk: { cursor(): Cursor }): Cursor {
  return JSON.parse(JSON.stringify(walk.cursor())) as Cursor
}

export const START_UTIME = 1_700_000_000

/** A row with the given number: seven share an lt, ten a second. */
export function rowOf(id: number): IndexRow {
  return { id, lt: ltOf(id), utime: utimeOf(id), account: id }
}

export function ltOf(id: number): number {
  return 1000 * Math.ceil(id / 7)
}

export function utimeOf(id: number): number {
  return START_UTIME + Math.floor(id / 10)
}

/** Rows from number 1 on. */
export function rowsUpTo(count: number): IndexRow[] {
  return Array.from({ length: count }, (_, index) => rowOf(index + 1))
}

/** The numbers from 1 on. */
export function idsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

export function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other)
}
