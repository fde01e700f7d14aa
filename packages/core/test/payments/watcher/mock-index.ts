import { createHash } from 'node:crypto'
import { comment } from '@ton/core'
import { onTestFinished } from 'vitest'
import { type ApiReply, type ApiRequest, readHash, startApiServer } from '@tonplug/simulator'
import { BEGIN, gatewayBody, openPaidChain, recipient } from './paid-chain.js'

type Json = Record<string, unknown>

/** An index of many equal payments: copies of a recorded one with their own hashes and times. */
export interface MockIndex {
  url: string
  requests: readonly ApiRequest[]
  /** Returns the hash of the body of a payment, by its number. */
  bodyHash(number: number): string
  /** The time of the newest block, Unix seconds. Tests change it. */
  head: number
  /** Returns the response that replaces the index's own. Tests set it. */
  fault: (request: ApiRequest) => ApiReply | undefined
}

const LT_STEP = 1_000_000n
const HASH = /^(?!te6cc)[A-Za-z0-9+/]{43}=$/
const LTS = new Set(['lt', 'start_lt', 'end_lt', 'created_lt', 'prev_trans_lt'])
const TIMES = new Set(['now', 'created_at', 'start_utime', 'end_utime', 'gen_utime'])

/** Variants of the served payments. */
export interface MockIndexOptions {
  /** Returns the comment of a payment. @default none */
  commentOf?: (number: number) => string
  /** Serves the payments as jetton transfers. @default false */
  isJetton?: boolean
}

/** Serves payments, one every `everySeconds`, until the test ends. */
export async function startMockIndex(
  payments: number,
  everySeconds: number,
  { commentOf, isJetton = false }: MockIndexOptions = {},
): Promise<MockIndex> {
  const template = await recordPayment()
  const utimeOf = (number: number): number => BEGIN + 60 + Math.floor(number * everySeconds)
  const writeOf = (row: Json, number: number): Json =>
    rewrite(row, { number, utime: utimeOf(number) })
  const byTransaction = new Map<string, number>()
  const byBody = new Map<string, number>()
  for (let number = 0; number < payments; number++) {
    byTransaction.set(hashOf(template.txHash, number), number)
    byBody.set(hashOf(template.bodyHash, number), number)
  }
  const known = (): number[] =>
    Array.from({ length: payments }, (_, number) => number).filter(
      (number) => utimeOf(number) <= index.head,
    )
  const ltOf = (number: number): bigint => template.lt + BigInt(number) * LT_STEP
  const select = (query: URLSearchParams): number[] => {
    const least = (name: string) => Number(query.get(name) ?? 0)
    const most = (name: string) => Number(query.get(name) ?? Infinity)
    const rows = known().filter((number) => {
      const [utime, lt] = [utimeOf(number), Number(ltOf(number))]
      return (
        utime >= least('start_utime') &&
        utime <= most('end_utime') &&
        lt >= least('start_lt') &&
        lt <= most('end_lt')
      )
    })
    if (query.get('sort') !== 'asc') rows.reverse()
    const start = least('offset')
    return rows.slice(start, start + Number(query.get('limit') ?? 10))
  }
  /** Writes a transaction or a trace, with the comment of the payment instead of the recorded body. */
  const withComment = (row: Json, number: number): Json => {
    if (commentOf === undefined) return writeOf(row, number)
    const cell = comment(commentOf(number))
    const content = { hash: cell.hash().toString('base64'), body: cell.toBoc().toString('base64') }
    const recorded = hashOf(template.bodyHash, number)
    return replaceContent(writeOf(row, number), recorded, { ...content, decoded: null })
  }
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/masterchainInfo': () => {
      const block = { ...template.block, gen_utime: String(index.head) }
      return { first: block, last: block }
    },
    '/jetton/transfers': (query) => {
      const rows = isJetton ? select(query) : []
      const jetton_transfers = rows.map((number) => ({
        ...rewrite(template.jettonTransfer, { number, utime: utimeOf(number) }),
        transaction_hash: hashOf(template.txHash, number),
        transaction_now: utimeOf(number),
        transaction_lt: String(ltOf(number)),
      }))
      return { jetton_transfers, address_book: {}, metadata: {} }
    },
    '/messages': (query) => {
      const number = byBody.get(readHash(query.get('body_hash') ?? ''))
      const rows = number === undefined || utimeOf(number) > index.head ? [] : [number]
      const messages = rows.map((one) => writeOf(template.message, one))
      return { messages, address_book: {}, metadata: {} }
    },
    '/transactions': (query) => {
      const rows = isJetton ? [] : select(query)
      const transactions = rows.map((number) => withComment(template.transaction, number))
      return { transactions, address_book: {} }
    },
    '/traces': (query) => {
      const numbers = query.getAll('tx_hash').flatMap((hash) => {
        const number = byTransaction.get(readHash(hash))
        return number === undefined || utimeOf(number) > index.head ? [] : [number]
      })
      const traces = numbers.map((number) => withComment(template.trace, number))
      return { traces, address_book: {}, metadata: {} }
    },
  }
  const server = await startApiServer()
  const api = server.mount('/api/v3', async (request) => {
    const reply = index.fault(request)
    if (reply !== undefined) return reply
    const answer = answers[request.path]
    return answer === undefined
      ? { status: 404, body: { error: 'Not Found' } }
      : { body: answer(request.query) }
  })
  onTestFinished(() => server.close())
  const index: MockIndex = {
    url: server.url,
    requests: api.requests,
    bodyHash: (number) => hashOf(template.bodyHash, number),
    head: BEGIN,
    fault: () => undefined,
  }
  return index
}

interface Template {
  transaction: Json
  message: Json
  trace: Json
  jettonTransfer: Json
  block: Json
  txHash: string
  bodyHash: string
  lt: bigint
}

/** Records a payment in the format of the index. */
async function recordPayment(): Promise<Template> {
  const shop = await openPaidChain([])
  const body = gatewayBody(1)
  await shop.pay(1, { body })
  const ask = async (path: string): Promise<Json> =>
    // Responses of the server of these tests.
    (await (await fetch(`${shop.v3Server.url}/api/v3${path}`)).json()) as Json
  const bodyHash = body.hash().toString('base64')
  const one = async (path: string, list: string): Promise<Json> =>
    ((await ask(path))[list] as Json[])[0]!
  const transaction = await one(`/transactions?account=${recipient}`, 'transactions')
  const txHash = String(transaction['hash'])
  const message = await one(`/messages?body_hash=${encodeURIComponent(bodyHash)}`, 'messages')
  const trace = await one(`/traces?tx_hash=${encodeURIComponent(txHash)}`, 'traces')
  await shop.payJetton(1, 5n)
  const jettonTransfer = await one(
    `/jetton/transfers?owner_address=${recipient}`,
    'jetton_transfers',
  )
  const block = (await ask('/masterchainInfo'))['last'] as Json
  const lt = BigInt(String(transaction['lt']))
  return { transaction, message, trace, jettonTransfer, block, txHash, bodyHash, lt }
}

function rewrite(row: Json, copy: { number: number; utime: number }): Json {
  const entries = Object.entries(row).map(([name, one]) => [
    HASH.test(name) ? hashOf(name, copy.number) : name,
    rewriteValue(one, copy, name),
  ])
  return Object.fromEntries(entries)
}

/** Replaces the content of the messages whose body has a hash. */
function replaceContent(row: Json, bodyHash: string, content: Json): Json {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace)
    return isObject(value) ? replaceContent(value, bodyHash, content) : value
  }
  if (row['hash'] === bodyHash && 'body' in row) return content
  return Object.fromEntries(Object.entries(row).map(([name, one]) => [name, replace(one)]))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function rewriteValue(
  value: unknown,
  copy: { number: number; utime: number },
  key: string,
): unknown {
  if (Array.isArray(value)) return value.map((one) => rewriteValue(one, copy, key))
  if (typeof value === 'object' && value !== null) return rewrite({ ...value }, copy)
  if (LTS.has(key) && typeof value === 'string') {
    return String(BigInt(value) + BigInt(copy.number) * LT_STEP)
  }
  if (TIMES.has(key) && typeof value === 'number') return copy.utime
  if (TIMES.has(key) && typeof value === 'string') return String(copy.utime)
  return typeof value === 'string' && HASH.test(value) ? hashOf(value, copy.number) : value
}

function hashOf(hash: string, number: number): string {
  return createHash('sha256').update(`${hash} ${number}`).digest('base64')
}
