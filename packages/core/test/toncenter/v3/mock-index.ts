import {
  startMockApi,
  type ApiRequest,
  type MockReply,
  type Reply,
} from '@tonplug/test-support/mock-api'
import { endpointOrders, type EndpointOrder } from './index-orders.js'
import { writeBlock, writeTransaction, type IndexRow } from './index-rows.js'
import { createTable, type Table } from './index-table.js'

/** Faults that replace a response. */
export type Fault = 'drop' | 'cut' | 'timeout' | 'failed' | 'unavailable' | 'limited' | 'refused'

/** Behavior of an index. */
export interface IndexOptions {
  /** The rows at the start, by path, for example `/transactions`. */
  rows?: Readonly<Record<string, readonly IndexRow[]>>
  /** The largest `limit`; a larger one is refused. @default 1000 */
  maxLimit?: number
  /** The largest number of rows in a response, without an error for a larger `limit`. @default unlimited */
  mostRows?: (request: PageRequest) => number
  /** Selects paths that ignore `offset`. */
  isOffsetIgnored?: (path: string) => boolean
  /** The newest masterchain block. */
  head?: { seqno: number; utime: number }
  /** Called before each response; awaited. */
  beforeResponse?: (request: PageRequest) => Promise<void> | void
  /** Selects the fault of a request. */
  fault?: (request: PageRequest) => Fault | undefined
}

/** A request for a page. */
interface PageRequest {
  path: string
  query: URLSearchParams
  /** The number of rows in the response. */
  rows: number
  /** The number of rows that the server read. */
  work: number
  /** Reports whether the client closed the connection before the response was complete. */
  readonly isAborted: boolean
}

/** Plays the index of API v3. */
export interface MockIndex {
  baseUrl: string
  requests: PageRequest[]
  table(path: string): Table
  /** The newest masterchain block. */
  head: { seqno: number; utime: number }
  /** Blocks that are not written although later ones are. */
  missing: Set<number>
  /** The oldest masterchain block. */
  firstSeqno: number
}

/** Serves until the test ends an index that orders rows as the real one does. */
export async function startMockIndex(options: IndexOptions = {}): Promise<MockIndex> {
  const requests: PageRequest[] = []
  const tables = new Map<string, Table>()

  async function respond(request: ApiRequest): Promise<MockReply> {
    const { path, query } = request
    const page: PageRequest = {
      path,
      query,
      rows: 0,
      work: 0,
      get isAborted() {
        return request.isClosed
      },
    }
    requests.push(page)
    await options.beforeResponse?.(page)
    const fault = options.fault?.(page)
    if (fault === undefined) return reply(index, page, options)
    if (fault !== 'cut') return FAULTS[fault]
    const { body } = reply(index, page, options)
    return (message, response) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) })
      response.write(body.slice(0, body.length / 2), () => message.socket.destroy())
    }
  }

  const { baseUrl } = await startMockApi(respond)
  const index: MockIndex = {
    baseUrl,
    requests,
    head: options.head ?? { seqno: 1_000_000, utime: 2_000_000_000 },
    missing: new Set(),
    firstSeqno: 1,
    table(path) {
      const { tieOrder } = orderOf(path)
      const table = tables.get(path) ?? createTable(options.rows?.[path] ?? [], tieOrder)
      tables.set(path, table)
      return table
    },
  }
  return index
}

const FAULTS: Readonly<Record<Exclude<Fault, 'cut'>, MockReply>> = {
  drop: (message) => void message.socket.destroy(),
  unavailable: { status: 503, body: '<html>' },
  limited: { status: 429, body: '{"ok":false,"code":429,"error":"Ratelimit exceeded"}' },
  refused: { status: 401, body: '{"ok":false,"code":401,"error":"API key does not exist"}' },
  failed: failure(500, 'ERROR: relation is being moved'),
  timeout: failure(500, 'timeout: context deadline exceeded'),
}

interface JsonReply extends Reply {
  body: string
}

function reply(index: MockIndex, request: PageRequest, options: IndexOptions): JsonReply {
  const { path, query } = request
  if (path === '/masterchainInfo') return { body: masterchainInfo(index) }
  const { maxLimit = 1000, mostRows = () => Infinity, isOffsetIgnored = () => false } = options
  const wanted = Math.max(1, Number(query.get('limit') ?? 100))
  const limit = Math.min(wanted, mostRows(request))
  if (isOffsetIgnored(path)) query.delete('offset')
  if (wanted > maxLimit) return failure(500, `limit is not allowed: ${wanted} > ${maxLimit}`)
  if (path === '/transactionsByMasterchainBlock') return blockTransactions(index, request, limit)
  const order = orderOf(path)
  const found = index.table(path).query({ ...order.plan(query), limit: Math.max(1, limit) })
  const page = limit === 0 ? { ...found, rows: [] } : found
  request.rows = page.rows.length
  request.work = page.work
  return { body: order.wrap(page.rows.map(order.write).join(',')) }
}

function blockTransactions(index: MockIndex, request: PageRequest, limit: number): JsonReply {
  const seqno = Number(request.query.get('seqno'))
  const isThere =
    seqno <= index.head.seqno && seqno >= index.firstSeqno && !index.missing.has(seqno)
  if (!isThere) return failure(404, `masterchain block ${seqno} not found`)
  const { rows } = index.table('/transactions').query({
    axis: 'lt',
    isAscending: request.query.get('sort') === 'asc',
    least: undefined,
    most: undefined,
    where: ({ mc }) => mc === seqno,
    offset: Number(request.query.get('offset') ?? 0),
    limit,
  })
  request.rows = rows.length
  return { body: `{"transactions":[${rows.map(writeTransaction).join(',')}],"address_book":{}}` }
}

function masterchainInfo({ head, firstSeqno }: MockIndex): string {
  const block = (id: number, utime: number): string =>
    writeBlock({ id, utime, lt: id * 1000, account: 0 })
  return `{"last":${block(head.seqno, head.utime)},"first":${block(firstSeqno, 1)}}`
}

function orderOf(path: string): EndpointOrder {
  const order = endpointOrders[path]
  if (order === undefined) throw new TypeError(`no order for ${path}`)
  return order
}

function failure(status: number, error: string): JsonReply {
  return { status, body: JSON.stringify({ error }) }
}
