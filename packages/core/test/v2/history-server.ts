import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The account whose history it is. */
export const ADDRESS = `0:${'AB'.repeat(32)}`
const LT_STEP = 1000n
const NOT_KEPT =
  'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time'

/** How an account's history behaves. Transactions are numbered from 1, the oldest; number n has lt n * 1000. */
export interface History {
  /** Transactions at the start. */
  size: number
  /** New transactions before each answer. */
  growth?: number
  /** Largest `limit`; a larger one is refused. @default 1000 */
  maxLimit?: number
  /** Rows in an answer at most, whatever `limit` says. */
  cap?: number
  /** The oldest number that nodes without an archive have. */
  kept?: number
  /** What those nodes do about older ones. @default 'refuse' */
  missing?: 'refuse' | 'cut'
  /** What an account without transactions is answered. @default 'empty' */
  unused?: 'empty' | 'refuse'
  /** Why every page is refused with 422, if it is. */
  refusal?: string
  /** Whether `data` is a transaction's bag of cells. @default true */
  hasData?: boolean
  /** Requests for history that are answered with an empty page, the first ones. */
  emptyPages?: number
  /** Whether a transaction at `to_lt` is answered too. */
  isBoundIncluded?: boolean
  /** Requests that are answered 503, the first ones. */
  failures?: number
  /** Called before each answer; awaited. */
  beforeAnswer?: (request: Asked) => Promise<void> | void
}

/** A request for a page of history. */
export interface Asked {
  path: string
  query: Record<string, string>
  /** Rows answered. */
  rows: number
  /** Whether the client gave up before the answer was complete. */
  isAborted: boolean
}

/** A stand-in for an account's history. */
export interface HistoryServer {
  url: string
  asked: Asked[]
  /** The newest number now. */
  newest(): number
  close(): Promise<void>
}

/** The number of a transaction. */
export function numberOf(row: { transaction_id: { lt: bigint } }): number {
  return Number(row.transaction_id.lt / LT_STEP)
}

/** The hash of a transaction. */
export function hashOf(number: number): string {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(number, 28)
  return bytes.toString('base64')
}

/** The lt of a transaction. */
export function ltOf(number: number): bigint {
  return BigInt(number) * LT_STEP
}

/** Starts a server that answers `getTransactions`, `getTransactionsStd` and `getAddressInformation`. */
export async function startHistoryServer(history: History): Promise<HistoryServer> {
  const asked: Asked[] = []
  let emptyPages = history.emptyPages ?? 0
  let newest = history.size
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost')
    const query = Object.fromEntries(url.searchParams)
    const entry: Asked = { path: url.pathname, query, rows: 0, isAborted: false }
    asked.push(entry)
    response.on('close', () => {
      entry.isAborted = !response.writableFinished
    })
    await history.beforeAnswer?.(entry)
    if (asked.length <= (history.failures ?? 0)) return void response.writeHead(503).end()
    newest += history.growth ?? 0
    if (url.pathname.endsWith('/getAddressInformation')) {
      return void response.end(success(accountState(newest)))
    }
    const page = readPage(history, newest, query)
    if ('status' in page) {
      const body = { ok: false, error: page.error, code: page.status }
      return void response.writeHead(page.status).end(JSON.stringify(body))
    }
    if (emptyPages-- > 0) page.numbers.length = 0
    entry.rows = page.numbers.length
    const isStd = url.pathname.endsWith('Std')
    response.end(success(isStd ? std(page.numbers, history) : `[${rows(page.numbers, history)}]`))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    newest: () => newest,
    close: async () => close(server),
  }
}

type Page = { numbers: number[] } | { status: number; error: string }

/** What a server makes of the query: it starts at `lt`, that one included, and stops above `to_lt`. */
function readPage(history: History, newest: number, query: Record<string, string>): Page {
  if (history.refusal !== undefined) return { status: 422, error: history.refusal }
  const limit = Number(query['limit'] ?? 10)
  const { maxLimit = 1000, cap = Infinity, kept = 1, missing = 'refuse' } = history
  if (limit < 1 || limit > maxLimit) {
    return { status: 422, error: `failed to validate request: limit should be 1 to ${maxLimit}` }
  }
  const start = query['lt'] === undefined ? newest : Number(BigInt(query['lt']) / LT_STEP)
  if (query['lt'] !== undefined && query['hash'] !== hashOf(start)) {
    return { status: 500, error: NOT_KEPT }
  }
  if (start === 0 && history.unused === 'refuse') return { status: 500, error: NOT_KEPT }
  const toLt = Number(BigInt(query['to_lt'] ?? 0) / LT_STEP)
  const bound = history.isBoundIncluded === true ? toLt - 1 : toLt
  const numbers: number[] = []
  for (let number = start; number > bound && numbers.length < Math.min(limit, cap); number--) {
    const isKept = number >= kept || query['archival'] === 'true'
    if (!isKept && missing === 'refuse') return { status: 500, error: NOT_KEPT }
    if (!isKept) break
    numbers.push(number)
  }
  return { numbers }
}

function success(result: string): string {
  return `{"ok":true,"result":${result},"@extra":"1:_:0.1"}`
}

function rows(numbers: number[], history: History): string {
  return numbers.map((number) => row(number, history.hasData ?? true)).join(',')
}

function std(numbers: number[], history: History): string {
  const text = rows(numbers, history)
    .replaceAll(/"(source|destination)":("[^"]*")/g, '"$1":{"account_address":$2}')
    .replaceAll('ext.message', 'raw.message')
  const last = numbers.at(-1) ?? 1
  const previous = `{"lt":"${ltOf(last - 1)}","hash":"${hashOf(last - 1)}"}`
  return `{"@type":"raw.transactions","transactions":[${text}],"previous_transaction_id":${previous}}`
}

/** One transaction as the C++ server writes it: about 1.3 kB. */
function row(number: number, hasData: boolean): string {
  const data = hasData ? bagOfCells(number) : 'te6ccgEBAQEAAgAAAA=='
  const body = hashOf(number + 1_000_000)
  const message = `"hash":"${body}","value":"${number}000000001","extra_currencies":[],"fwd_fee":"266669","ihr_fee":"0","created_lt":"${ltOf(number) - 1n}","body_hash":"${body}","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAQEAAgAAAEysuc0=","init_state":""},"message":"AA==\\n"`
  return `{"@type":"ext.transaction","address":{"@type":"accountAddress","account_address":"${ADDRESS}"},"account":"${ADDRESS}","utime":${1_700_000_000 + number},"data":"${data}","transaction_id":{"@type":"internal.transactionId","lt":"${ltOf(number)}","hash":"${hashOf(number)}"},"fee":"310130","storage_fee":"130","other_fee":"310000","in_msg":{"@type":"ext.message",${message},"source":"","destination":"${ADDRESS}"},"out_msgs":[{"@type":"ext.message",${message},"source":"${ADDRESS}","destination":"${ADDRESS}"}]}`
}

/** A bag of one cell: the fields of a transaction up to prev_trans_lt, then zeros. */
function bagOfCells(number: number): string {
  const bits = [
    '0111',
    'ab'.repeat(32),
    ltOf(number).toString(16).padStart(16, '0'),
    Buffer.from(hashOf(number - 1), 'base64').toString('hex'),
    ltOf(number - 1)
      .toString(16)
      .padStart(16, '0'),
  ]
  const cell = Buffer.from(`7${bits.slice(1).join('')}0`, 'hex')
  const header = Buffer.from([0xb5, 0xee, 0x9c, 0x72, 0x01, 0x01, 0x01, 0x01, 0x00])
  const sizes = Buffer.from([cell.length + 2, 0x00, 0x00, cell.length * 2])
  return Buffer.concat([header, sizes, cell]).toString('base64')
}

function accountState(newest: number): string {
  const id = `{"lt":"${ltOf(newest)}","hash":"${hashOf(newest)}"}`
  return `{"@type":"raw.fullAccountState","balance":"0","extra_currencies":[],"code":"","data":"","last_transaction_id":${id},"frozen_hash":"","sync_utime":1700000000,"state":"uninitialized"}`
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
