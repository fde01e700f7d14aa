import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { canonicalAddress } from '@tonplug/core'
import { onTestFinished } from 'vitest'
import { masterchainInfo } from './chain.js'
import type { TransactionRow, TransferRow } from './chain.js'

/** A request, before it is answered. */
interface Asked {
  path: string
  query: URLSearchParams
}

/** An answer in place of the right one. */
export interface Fault {
  status: number
  body: object
  headers?: Record<string, string>
}

/** What a test makes of requests. It may change it while the index runs. */
export interface StandInHooks {
  /** Called for each request; an answer of its own is sent in place of the right one. */
  onAsked?: ((asked: Asked) => Fault | undefined | void) | undefined
  /** Called when an answer has been handed to the network. */
  onAnswered?: ((asked: Asked) => void) | undefined
}

/** A stand-in for the index of API v3, as far as the watcher asks it. */
export interface IndexStandIn extends StandInHooks {
  url: string
  /** The time of the newest masterchain block, Unix seconds. */
  now: number
  /** Whether it answers all rows, as a server does with filters that it does not know. */
  isFilterIgnored: boolean
  /** Shows a transaction from now on. */
  show(row: TransactionRow): void
  /** Lists a transfer of jettons from now on. */
  list(row: TransferRow): void
}

interface Chain {
  transactions: TransactionRow[]
  transfers: TransferRow[]
}

/** Starts an empty index for one test. Lists have the order of the real one: by time, then lt. */
export async function startIndexStandIn(
  startNow: number,
  hooks: StandInHooks = {},
): Promise<IndexStandIn> {
  const chain: Chain = { transactions: [], transfers: [] }
  const server = createServer((request, response) => answer(request, response))
  const index: IndexStandIn = {
    ...hooks,
    url: '',
    now: startNow,
    isFilterIgnored: false,
    show: (row) => void chain.transactions.push(row),
    list: (row) => void chain.transfers.push(row),
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://localhost')
    const asked = { path: url.pathname.replace('/api/v3', ''), query: url.searchParams }
    const fault = index.onAsked?.(asked) ?? undefined
    const { status, body, headers } = fault ?? { status: 200, body: reply(asked, index, chain) }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body), () => index.onAnswered?.(asked))
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
  { path, query }: Asked,
  { now, isFilterIgnored }: IndexStandIn,
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
    default:
      throw new TypeError(`the watcher does not ask for ${path}`)
  }
}

interface Listing<Row> {
  isWanted: (row: Row) => boolean
  keysOf: (row: Row) => [now: number, lt: bigint]
}

/** Rows of a filter, the oldest first. */
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
