import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import {
  type ApiReply,
  type ApiRequest,
  readHash,
  startApiServer,
} from '@tonplug/testing/simulator'
import { BEGIN, gatewayBody, openPaidChain, recipient } from './paid-chain.js'

type Json = Record<string, unknown>

/** An index of many payments that are all alike: each a copy of a real one, with hashes and times of its own. */
export interface IndexStandIn {
  url: string
  requests: readonly ApiRequest[]
  /** The hash of the body of a payment, by its number. */
  bodyHash(number: number): string
  /** How far the index has come, Unix seconds. Tests move it. */
  head: number
  /** Answers in place of the index, when it answers at all. Tests set it. */
  fault: (request: ApiRequest) => ApiReply | undefined
}

const LT_STEP = 1_000_000n
const HASH = /^(?!te6cc)[A-Za-z0-9+/]{43}=$/
const LTS = new Set(['lt', 'start_lt', 'end_lt', 'created_lt', 'prev_trans_lt'])
const TIMES = new Set(['now', 'created_at', 'start_utime', 'end_utime', 'gen_utime'])

/** Serves so many payments, one each `everySeconds`, until the test ends. */
export async function startIndexStandIn(
  payments: number,
  everySeconds: number,
): Promise<IndexStandIn> {
  const template = await recordPayment()
  const utimeOf = (number: number): number => BEGIN + 60 + Math.floor(number * everySeconds)
  const writeOf = (row: unknown, number: number): unknown =>
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
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/masterchainInfo': () => {
      const block = { ...template.block, gen_utime: String(index.head) }
      return { first: block, last: block }
    },
    '/jetton/transfers': () => ({ jetton_transfers: [], address_book: {}, metadata: {} }),
    '/messages': (query) => {
      const number = byBody.get(readHash(query.get('body_hash') ?? ''))
      const rows = number === undefined || utimeOf(number) > index.head ? [] : [number]
      const messages = rows.map((one) => writeOf(template.message, one))
      return { messages, address_book: {}, metadata: {} }
    },
    '/transactions': (query) => {
      const least = (name: string) => Number(query.get(name) ?? 0)
      const most = (name: string) => Number(query.get(name) ?? Infinity)
      const rows = known().filter((number) => {
        const [utime, lt] = [utimeOf(number), Number(template.lt + BigInt(number) * LT_STEP)]
        return (
          utime >= least('start_utime') &&
          utime <= most('end_utime') &&
          lt >= least('start_lt') &&
          lt <= most('end_lt')
        )
      })
      const start = least('offset')
      if (query.get('sort') !== 'asc') rows.reverse()
      const page = rows.slice(start, start + Number(query.get('limit') ?? 10))
      const transactions = page.map((number) => writeOf(template.transaction, number))
      return { transactions, address_book: {} }
    },
    '/traces': (query) => {
      const numbers = query.getAll('tx_hash').flatMap((hash) => {
        const number = byTransaction.get(readHash(hash))
        return number === undefined || utimeOf(number) > index.head ? [] : [number]
      })
      const traces = numbers.map((number) => writeOf(template.trace, number))
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
  const index: IndexStandIn = {
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
  block: Json
  txHash: string
  bodyHash: string
  lt: bigint
}

/** A payment as an index tells it. */
async function recordPayment(): Promise<Template> {
  const shop = await openPaidChain([])
  const body = gatewayBody(1)
  await shop.pay(1, { body })
  const ask = async (path: string): Promise<Json> =>
    // Answers of the server of these tests.
    (await (await fetch(`${shop.v3Server.url}/api/v3${path}`)).json()) as Json
  const bodyHash = body.hash().toString('base64')
  const one = async (path: string, list: string): Promise<Json> =>
    ((await ask(path))[list] as Json[])[0]!
  const transaction = await one(`/transactions?account=${recipient}`, 'transactions')
  const txHash = String(transaction['hash'])
  const message = await one(`/messages?body_hash=${encodeURIComponent(bodyHash)}`, 'messages')
  const trace = await one(`/traces?tx_hash=${encodeURIComponent(txHash)}`, 'traces')
  const block = (await ask('/masterchainInfo'))['last'] as Json
  const lt = BigInt(String(transaction['lt']))
  return { transaction, message, trace, block, txHash, bodyHash, lt }
}

function rewrite(value: unknown, copy: { number: number; utime: number }, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => rewrite(one, copy, key))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, one]) => [
      HASH.test(name) ? hashOf(name, copy.number) : name,
      rewrite(one, copy, name),
    ])
    return Object.fromEntries(entries)
  }
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
