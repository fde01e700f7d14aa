import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
export const SEQNO = 87_000_123

const hash = 'W3HuLEh6eSvQCUHUgL0irxtGBWkg4oxb2oYjugqrV+8='
const block = {
  workchain: -1,
  shard: '-9223372036854775808',
  seqno: SEQNO,
  root_hash: hash,
  file_hash: hash,
}

/** A request as it arrived. */
interface Arrived {
  endpoint: string
  apiKey: string | undefined
}

/** A local server of API v2, and of API v3 as far as the tests of its client need it. */
export interface ApiServer {
  baseUrl: string
  arrived: Arrived[]
  /** Resolves when an endpoint is asked next. */
  arrival: (endpoint: string) => Promise<unknown>
  /** Resolves when a sender next goes away before its answer. */
  departure: () => Promise<unknown>
}

/** What a server does, other than answering at once from a block made just now. */
export interface ApiBehaviour {
  balance?: string
  /** How old its last block is; `'unknown'` leaves the time out. */
  lagSeconds?: number | 'unknown'
  /** What endpoints wait for before they answer. */
  holds?: Readonly<Record<string, Promise<void>>>
  /** The answer of API v3 to `/traces`. */
  traces?: object
  /** Refuses everything in these words. */
  refusal?: { status: number; error: string }
}

/** Serves until the test ends. */
export async function startApi(behaviour: ApiBehaviour = {}): Promise<ApiServer> {
  const arrived: Arrived[] = []
  const arrivals = new EventEmitter()
  const server = createServer((request, response) => {
    const endpoint = /\/api\/v[23]\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
    arrived.push({ endpoint, apiKey: request.headers['x-api-key']?.toString() })
    arrivals.emit(endpoint)
    response.once('close', () => {
      if (!response.writableFinished) arrivals.emit('departure')
    })
    const { holds, refusal } = behaviour
    const body =
      refusal === undefined
        ? bodyOf(request.url ?? '', endpoint, behaviour)
        : { ok: false, error: refusal.error, code: refusal.status }
    void Promise.resolve(holds?.[endpoint]).then(() =>
      response
        .writeHead(refusal?.status ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => stop(server))
  // It listens on TCP.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    arrived,
    arrival: (endpoint) => once(arrivals, endpoint),
    departure: () => once(arrivals, 'departure'),
  }
}

function bodyOf(url: string, endpoint: string, behaviour: ApiBehaviour): object {
  if (endpoint === 'traces' && behaviour.traces !== undefined) return behaviour.traces
  if (url.includes('/api/v2/')) {
    return { ok: true, result: resultOf(endpoint, behaviour), '@extra': 'x' }
  }
  switch (endpoint) {
    case 'masterchainInfo':
      return { last: indexBlock(SEQNO), first: indexBlock(1) }
    case 'transactionsByMasterchainBlock':
      return { transactions: [], address_book: {} }
    default:
      throw new Error(`the test server has no ${endpoint}`)
  }
}

function indexBlock(seqno: number): object {
  return {
    workchain: -1,
    shard: '8000000000000000',
    seqno,
    root_hash: hash,
    file_hash: hash,
    start_lt: '63870000000000',
    end_lt: '63870000000004',
    gen_utime: '1780000000',
    prev_blocks: [],
  }
}

function resultOf(endpoint: string, { balance = '1', lagSeconds = 0 }: ApiBehaviour): unknown {
  switch (endpoint) {
    case 'getAddressBalance':
    // The balance is all that the tests ask for in this way.
    case 'jsonRPC':
      return balance
    case 'getAddressInformation':
      return {
        balance,
        code: '',
        data: '',
        last_transaction_id: { lt: '1', hash },
        sync_utime: 1,
        state: 'uninitialized',
      }
    case 'getMasterchainInfo':
      return { last: block, state_root_hash: hash, init: { ...block, seqno: 0 } }
    case 'getBlockHeader':
      return headerMadeAt(
        lagSeconds === 'unknown' ? undefined : Math.floor(Date.now() / 1000) - lagSeconds,
      )
    default:
      throw new Error(`the test server has no ${endpoint}`)
  }
}

function headerMadeAt(gen_utime: number | undefined): object {
  return {
    id: block,
    global_id: -239,
    version: 0,
    after_merge: false,
    after_split: false,
    before_split: false,
    want_merge: true,
    want_split: false,
    validator_list_hash_short: 1,
    catchain_seqno: 1,
    min_ref_mc_seqno: 1,
    is_key_block: false,
    prev_key_block_seqno: 1,
    start_lt: '63870000000000',
    end_lt: '63870000000004',
    gen_utime,
  }
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
