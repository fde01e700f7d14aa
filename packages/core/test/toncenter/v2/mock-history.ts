import { startMockApi, type ApiRequest, type Reply } from '@tonplug/test-support/mock-api'
import { refuse } from '@tonplug/test-support/responses'

/** The account whose history it is. */
export const ADDRESS = `0:${'AB'.repeat(32)}`
const LT_STEP = 1000n
const NOT_KEPT =
  'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time'

/** Behavior of an account's history. Transactions are numbered from 1, the oldest; number n has lt n * 1000. */
export interface History {
  /** The number of transactions at the start. */
  size: number
  /** The number of new transactions before each response. */
  growth?: number
  /** The largest `limit`; a larger one is refused. @default 1000 */
  maxLimit?: number
  /** The largest number of rows in a response, whatever `limit` says. */
  cap?: number
  /** The oldest number that nodes without an archive have. */
  kept?: number
  /** The response of those nodes to older ones. @default 'refuse' */
  missing?: 'refuse' | 'cut'
  /** The response for an account without transactions. @default 'empty' */
  unused?: 'empty' | 'refuse'
  /** Refuses every page with 422 and this error. */
  refusal?: string
  /** Writes a transaction's bag of cells into `data`. @default true */
  hasData?: boolean
  /** The number of first requests for history that get an empty page. */
  emptyPages?: number
  /** Includes a transaction at `to_lt`. */
  isBoundIncluded?: boolean
  /** The number of first requests that get status 503. */
  failures?: number
  /** Called before each response; awaited. */
  beforeResponse?: (request: PageRequest) => Promise<void> | void
}

/** A request for a page of history. */
export interface PageRequest {
  path: string
  query: Record<string, string>
  /** The number of rows in the response. */
  rows: number
  /** Reports whether the client closed the connection before the response was complete. */
  readonly isAborted: boolean
}

/** Plays API v2 for the history of one account. */
export interface MockHistory {
  baseUrl: string
  requests: PageRequest[]
  /** The newest number now. */
  newest(): number
  /** Closes the server before the test ends. */
  close: () => Promise<void>
}

/** Returns the number of a transaction. */
export function numberOf(row: { transaction_id: { lt: bigint } }): number {
  return Number(row.transaction_id.lt / LT_STEP)
}

/** Returns the hash of a transaction. */
export function hashOf(number: number): string {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(number, 28)
  return bytes.toString('base64')
}

/** Returns the lt of a transaction. */
export function ltOf(number: number): bigint {
  return BigInt(number) * LT_STEP
}

/** Serves `getTransactions`, `getTransactionsStd` and `getAddressInformation` until the test ends. */
export async function startMockHistory(history: History): Promise<MockHistory> {
  const requests: PageRequest[] = []
  let emptyPages = history.emptyPages ?? 0
  let newest = history.size

  async function respond(request: ApiRequest): Promise<Reply | string> {
    const query = Object.fromEntries(request.query)
    const page: PageRequest = {
      path: request.path,
      query,
      rows: 0,
      get isAborted() {
        return request.isClosed
      },
    }
    requests.push(page)
    await history.beforeResponse?.(page)
    if (requests.length <= (history.failures ?? 0)) return { status: 503, body: '' }
    newest += history.growth ?? 0
    if (request.path === '/getAddressInformation') return success(accountState(newest))
    const found = readPage(history, newest, query)
    if ('status' in found) return refuse(found.status, found.error)
    if (emptyPages-- > 0) found.numbers.length = 0
    page.rows = found.numbers.length
    const isStd = request.path.endsWith('Std')
    return success(isStd ? std(found.numbers, history) : `[${rows(found.numbers, history)}]`)
  }

  const { baseUrl, close } = await startMockApi(respond)
  return { baseUrl, requests, newest: () => newest, close }
}

type Page = { numbers: number[] } | { status: number; error: string }

/** Reads a page as a server does: from `lt`, that one included, down to above `to_lt`. */
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
