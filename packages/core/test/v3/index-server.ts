import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpointOrders, type EndpointOrder } from './index-orders.js'
import { writeBlock, writeTransaction, type IndexRow } from './index-rows.js'
import { createTable, type Table } from './index-table.js'

/** What may become of a request in place of its answer. */
export type Fault = 'drop' | 'cut' | 'timeout' | 'failed' | 'unavailable' | 'limited' | 'refused'

/** How an index behaves. */
export interface IndexOptions {
  /** The rows at the start, by path, as in `/transactions`. */
  rows?: Readonly<Record<string, readonly IndexRow[]>>
  /** Largest `limit`. @default 1000 */
  maxLimit?: number
  /** The most rows of an answer, without an error for those who ask for more. @default as many as they ask for */
  mostRows?: (request: Asked) => number
  /** Paths whose `offset` is not looked at. */
  isOffsetIgnored?: (path: string) => boolean
  /** The newest masterchain block. */
  head?: { seqno: number; utime: number }
  /** Called before each answer; awaited. */
  beforeAnswer?: (request: Asked) => Promise<void> | void
  /** What goes wrong with a request. */
  fault?: (request: Asked) => Fault | undefined
}

/** A request for a page. */
interface Asked {
  path: string
  query: URLSearchParams
  /** Rows answered. */
  rows: number
  /** Rows that the server looked at. */
  work: number
  /** Whether the client gave up before the answer was complete. */
  isAborted: boolean
}

/** A stand-in for the index of API v3. */
export interface IndexServer {
  url: string
  asked: Asked[]
  table(path: string): Table
  /** The newest masterchain block, and those that are not written although later ones are. */
  head: { seqno: number; utime: number }
  missing: Set<number>
  /** The oldest masterchain block. */
  firstSeqno: number
  close(): Promise<void>
}

/** Starts an index that orders rows as the real one does. */
export async function startIndexServer(options: IndexOptions = {}): Promise<IndexServer> {
  const asked: Asked[] = []
  const tables = new Map<string, Table>()
  const server = createServer((request, response) => void answer(request, response))
  const index: IndexServer = {
    url: '',
    asked,
    head: options.head ?? { seqno: 1_000_000, utime: 2_000_000_000 },
    missing: new Set(),
    firstSeqno: 1,
    table(path) {
      const { tieOrder } = orderOf(path)
      const table = tables.get(path) ?? createTable(options.rows?.[path] ?? [], tieOrder)
      tables.set(path, table)
      return table
    },
    close: async () => close(server),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost')
    const path = url.pathname.replace('/api/v3', '')
    const entry = { path, query: url.searchParams, rows: 0, work: 0, isAborted: false }
    asked.push(entry)
    response.on('close', () => {
      entry.isAborted = !response.writableFinished
    })
    await options.beforeAnswer?.(entry)
    response.setHeader('content-type', 'application/json')
    const fault = options.fault?.(entry)
    if (fault === 'drop') return void request.socket.destroy()
    if (fault === 'unavailable') return void response.writeHead(503).end('<html>')
    if (fault === 'limited') return void response.writeHead(429).end(LIMITED)
    if (fault === 'refused') return void response.writeHead(401).end(REFUSED)
    if (fault === 'failed') return refuse(response, 500, 'ERROR: relation is being moved')
    if (fault === 'timeout') return refuse(response, 500, 'timeout: context deadline exceeded')
    const { status = 200, text } = reply(index, entry, options)
    if (fault === 'cut') {
      response.writeHead(status, { 'content-length': Buffer.byteLength(text) })
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy())
      return
    }
    response.writeHead(status).end(text)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  index.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return index
}

const REFUSED = '{"ok":false,"code":401,"error":"API key does not exist"}'
const LIMITED = '{"ok":false,"code":429,"error":"Ratelimit exceeded"}'

interface Reply {
  status?: number
  text: string
}

function reply(index: IndexServer, asked: Asked, options: IndexOptions): Reply {
  const { path, query } = asked
  if (path === '/masterchainInfo') return { text: masterchainInfo(index) }
  const { maxLimit = 1000, mostRows = () => Infinity, isOffsetIgnored = () => false } = options
  const wanted = Math.max(1, Number(query.get('limit') ?? 100))
  const limit = Math.min(wanted, mostRows(asked))
  if (isOffsetIgnored(path)) query.delete('offset')
  if (wanted > maxLimit) return failure(500, `limit is not allowed: ${wanted} > ${maxLimit}`)
  if (path === '/transactionsByMasterchainBlock') return blockTransactions(index, asked, limit)
  const order = orderOf(path)
  const found = index.table(path).query({ ...order.plan(query), limit: Math.max(1, limit) })
  const page = limit === 0 ? { ...found, rows: [] } : found
  asked.rows = page.rows.length
  asked.work = page.work
  return { text: order.wrap(page.rows.map(order.write).join(',')) }
}

function blockTransactions(index: IndexServer, asked: Asked, limit: number): Reply {
  const seqno = Number(asked.query.get('seqno'))
  const isThere =
    seqno <= index.head.seqno && seqno >= index.firstSeqno && !index.missing.has(seqno)
  if (!isThere) return failure(404, `masterchain block ${seqno} not found`)
  const { rows } = index.table('/transactions').query({
    axis: 'lt',
    isAscending: asked.query.get('sort') === 'asc',
    least: undefined,
    most: undefined,
    where: ({ mc }) => mc === seqno,
    offset: Number(asked.query.get('offset') ?? 0),
    limit,
  })
  asked.rows = rows.length
  return { text: `{"transactions":[${rows.map(writeTransaction).join(',')}],"address_book":{}}` }
}

function masterchainInfo({ head, firstSeqno }: IndexServer): string {
  const block = (id: number, utime: number): string =>
    writeBlock({ id, utime, lt: id * 1000, account: 0 })
  return `{"last":${block(head.seqno, head.utime)},"first":${block(firstSeqno, 1)}}`
}

function orderOf(path: string): EndpointOrder {
  const order = endpointOrders[path]
  if (order === undefined) throw new TypeError(`no order for ${path}`)
  return order
}

function failure(status: number, error: string): Reply {
  return { status, text: JSON.stringify({ error }) }
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status).end(failure(status, error).text)
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
