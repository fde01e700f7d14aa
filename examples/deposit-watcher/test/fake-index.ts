import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Cell } from '@ton/core'
import { canonicalAddress } from '@tonplug/core'
import { onTestFinished } from 'vitest'
import { jettonWalletOf, masterchainInfo, methodResult } from './chain.js'
import type { TransactionRow } from './chain.js'

/** A request to the index. */
interface IndexRequest {
  path: string
  query: URLSearchParams
  /** The call of `/runGetMethod`. */
  call?: MethodCall | undefined
}

interface MethodCall {
  address: string
  method: string
  stack: { value: string }[]
}

/** A response that replaces the correct one. */
export interface Fault {
  status: number
  body: object
  headers?: Record<string, string>
}

/** Hooks of a test. They may be replaced while the index runs. */
export interface FakeIndexHooks {
  /** Called for each request. A returned fault replaces the correct response. */
  onRequest?: ((received: IndexRequest) => Fault | undefined | void) | undefined
  /** Called when a response was written to the network. */
  onResponse?: ((received: IndexRequest) => void) | undefined
}

/** A fake of the API v3 index, limited to the endpoints that the watcher uses. */
export interface FakeIndex extends FakeIndexHooks {
  url: string
  /** The time of the newest masterchain block, Unix seconds. */
  now: number
  /** True to return all rows, like a server that ignores unknown filters. */
  isFilterIgnored: boolean
  /** Adds a transaction. */
  addTransaction(row: TransactionRow): void
}

/** Starts an empty index for one test. Lists are sorted as by a real index: by time, then lt. */
export async function startFakeIndex(
  startNow: number,
  hooks: FakeIndexHooks = {},
): Promise<FakeIndex> {
  const transactions: TransactionRow[] = []
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (request, response) => void respond(request, response),
  )
  const index: FakeIndex = {
    ...hooks,
    url: '',
    now: startNow,
    isFilterIgnored: false,
    addTransaction: (row) => void transactions.push(row),
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost')
    const body = await text(request)
    const received = {
      path: url.pathname.replace('/api/v3', ''),
      query: url.searchParams,
      call: body === '' ? undefined : (JSON.parse(body) as MethodCall),
    }
    const fault = index.onRequest?.(received) ?? undefined
    const answer = fault ?? { status: 200, body: reply(received, index, transactions) }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body), () => index.onResponse?.(received))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server has an address object.
  index.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return index
}

function reply(
  { path, query, call }: IndexRequest,
  { now, isFilterIgnored }: FakeIndex,
  transactions: readonly TransactionRow[],
): object {
  switch (path) {
    case '/masterchainInfo':
      return masterchainInfo(now)
    case '/transactions': {
      const accounts = new Set(query.getAll('account').map(canonicalAddress))
      const wanted = transactions.filter(
        ({ account }) => isFilterIgnored || accounts.has(canonicalAddress(account)),
      )
      return { transactions: page(wanted, query), address_book: {} }
    }
    case '/runGetMethod': {
      const [owner] = call?.stack ?? []
      if (call?.method !== 'get_wallet_address' || owner === undefined) break
      const address = Cell.fromBase64(owner.value).beginParse().loadAddress()
      return methodResult(jettonWalletOf(address.toRawString(), call.address))
    }
  }
  throw new TypeError(`unexpected request for ${path}`)
}

/** Returns a page of the transactions, oldest first. */
function page(rows: readonly TransactionRow[], query: URLSearchParams): TransactionRow[] {
  const start = Number(query.get('start_utime') ?? 0)
  const end = Number(query.get('end_utime') ?? Infinity)
  const offset = Number(query.get('offset') ?? 0)
  return rows
    .filter(({ now }) => now >= start && now <= end)
    .sort((one, other) => one.now - other.now || Number(BigInt(one.lt) - BigInt(other.lt)))
    .slice(offset, offset + Number(query.get('limit') ?? 10))
}
