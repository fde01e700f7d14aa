import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Address, Cell } from '@ton/core'
import { canonicalAddress } from '@tonplug/core'
import { onTestFinished } from 'vitest'
import { jettonWalletOf, masterchainInfo, methodResult, walletData } from './chain.js'
import type { TransactionRow, TransferRow } from './chain.js'

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
  /** Adds a jetton transfer. */
  addTransfer(row: TransferRow): void
}

interface Chain {
  transactions: TransactionRow[]
  transfers: TransferRow[]
}

/** Starts an empty index for one test. Lists are sorted as by a real index: by time, then lt. */
export async function startFakeIndex(
  startNow: number,
  hooks: FakeIndexHooks = {},
): Promise<FakeIndex> {
  const chain: Chain = { transactions: [], transfers: [] }
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (request, response) => void respond(request, response),
  )
  const index: FakeIndex = {
    ...hooks,
    url: '',
    now: startNow,
    isFilterIgnored: false,
    addTransaction: (row) => void chain.transactions.push(row),
    addTransfer: (row) => void chain.transfers.push(row),
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
    const answer = fault ?? { status: 200, body: reply(received, index, chain) }
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
  { transactions, transfers }: Chain,
): object {
  switch (path) {
    case '/masterchainInfo':
      return masterchainInfo(now)
    case '/transactions': {
      const hash = query.get('hash')
      const accounts = accountsOf(query, 'account')
      const rows =
        hash === null
          ? page(transactions, query, {
              isWanted: ({ account }) => isFilterIgnored || accounts.has(canonicalAddress(account)),
              keysOf: ({ now: time, lt }) => [time, BigInt(lt)],
            })
          : transactions.filter((row) => row.hash === hash)
      return { transactions: rows, address_book: {} }
    }
    case '/transactionsByMessage': {
      const hash = query.get('msg_hash')
      const rows = transactions.filter(({ in_msg: message }) => message?.hash === hash)
      return { transactions: rows, address_book: {} }
    }
    case '/jetton/transfers': {
      const owners = accountsOf(query, 'owner_address')
      const [master] = accountsOf(query, 'jetton_master')
      const rows = page(transfers, query, {
        isWanted: ({ destination, jetton_master }) =>
          isFilterIgnored ||
          (owners.has(canonicalAddress(destination)) && canonicalAddress(jetton_master) === master),
        keysOf: ({ transaction_now, transaction_lt }) => [transaction_now, BigInt(transaction_lt)],
      })
      return { jetton_transfers: rows, address_book: {}, metadata: {} }
    }
    case '/runGetMethod':
      return runGetMethod(call, transfers)
    default:
      throw new TypeError(`unexpected request for ${path}`)
  }
}

/** Runs the get-methods of the masters and wallets of all transfers. */
function runGetMethod(call: MethodCall | undefined, transfers: readonly TransferRow[]): object {
  const owner = call?.stack[0]
  if (call?.method === 'get_wallet_address' && owner !== undefined) {
    const address = Cell.fromBase64(owner.value).beginParse().loadAddress()
    return methodResult([jettonWalletOf(address.toRawString(), call.address)])
  }
  const transfer = transfers.find(
    ({ destination, jetton_master }) =>
      call !== undefined &&
      Address.parse(jettonWalletOf(destination, jetton_master)).equals(Address.parse(call.address)),
  )
  if (transfer === undefined) return { gas_used: 0, exit_code: -13, stack: [] }
  return walletData(transfer.destination, transfer.jetton_master)
}

interface Listing<Row> {
  isWanted: (row: Row) => boolean
  keysOf: (row: Row) => [now: number, lt: bigint]
}

/** Returns a page of the wanted rows, oldest first. */
function page<Row>(rows: readonly Row[], query: URLSearchParams, listing: Listing<Row>): Row[] {
  const { isWanted, keysOf } = listing
  const start = Number(query.get('start_utime') ?? 0)
  const end = Number(query.get('end_utime') ?? Infinity)
  const offset = Number(query.get('offset') ?? 0)
  const found = rows.filter(
    (row) => isWanted(row) && keysOf(row)[0] >= start && keysOf(row)[0] <= end,
  )
  found.sort((one, other) => {
    const [now, lt] = keysOf(one)
    const [otherNow, otherLt] = keysOf(other)
    return now - otherNow || Number(lt - otherLt)
  })
  return found.slice(offset, offset + Number(query.get('limit') ?? 10))
}

function accountsOf(query: URLSearchParams, name: string): Set<string> {
  return new Set(query.getAll(name).map(canonicalAddress))
}
