import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ManualClock } from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { readFixture } from '../v3/fixtures.js'

/** What a node does with a message. `lost`: takes it and never answers. `deaf`: never answers and does not take it. */
export type Reception = 'take' | 'reject' | 'duplicate' | 'lost' | 'deaf' | 'refuse-key' | 'busy'

/** A request as it arrived. */
interface Asked {
  /** As in `/api/v3/traces`. */
  path: string
  atMs: number
  query: URLSearchParams
  body: string
}

/** Forecasts and blocks, as an index shows them. */
type Finality = 'pending' | 'confirmed' | 'finalized'

/** A node behind API v2 and an index behind API v3 that lags behind it, for one message. */
export interface ChainStandIn {
  baseUrl: string
  asked: Asked[]
  /** What the node does with the message each time; the last one goes for all that follow. */
  receptions: Reception[]
  /** By how much the index is behind the node. */
  lagMs: number
  /** By how much what searches the index is behind what tells its newest block. */
  searchLagMs: number
  /** By how much what tells the account is behind the node. */
  accountLagMs: number
  /** Whether the account has no transaction but those of the message. */
  isNewAccount: boolean
  /** The index's answer to everything, in place of what it has: a status with the gateway's body. */
  fault: { status: number; body: string; headers?: Record<string, string> } | undefined
  /** Whether the index has a list of what is pending. */
  hasForecasts: boolean
  /** The message is in the node's chain from now on, in blocks of this finality. */
  show(finality: Finality): void
  /** It is not any more. */
  drop(): void
  /** How the trace is written when it is shown; a text of JSON. */
  trace: string
  /** Requests that are never answered. */
  readonly hanging: number
  /** The times at which the message arrived, since the start. */
  sentAtMs(): number[]
  /** Resolves when the message has arrived so many times. */
  waitForSends(count: number): Promise<void>
}

const SEQNO = 50_000_000
const BLOCK_MS = 400
const REJECTION = readSample()
/** Transactions of the account, and none. */
const LANDED = Buffer.alloc(32, 1).toString('base64')
const EARLIER = Buffer.alloc(32, 2).toString('base64')
const NO_HASH = Buffer.alloc(32).toString('base64')

/** @param hash the only one that the index finds the message by */
export async function startChain(clock: ManualClock, hash: string): Promise<ChainStandIn> {
  const startMs = clock.nowMs()
  /** What was shown from when on. */
  const shown: { fromMs: number; finality: Finality | undefined }[] = []
  const arrivals = new EventEmitter()
  let hanging = 0

  const chain: ChainStandIn = {
    baseUrl: '',
    asked: [],
    receptions: ['take'],
    lagMs: 0,
    searchLagMs: 0,
    accountLagMs: 0,
    isNewAccount: false,
    fault: undefined,
    hasForecasts: true,
    trace: JSON.stringify(capturedTrace()),
    show: (finality) => void shown.push({ fromMs: clock.nowMs(), finality }),
    async waitForSends(count) {
      while (chain.sentAtMs().length < count) await once(arrivals, 'send')
    },
    drop: () => void shown.push({ fromMs: clock.nowMs(), finality: undefined }),
    get hanging() {
      return hanging
    },
    sentAtMs: () =>
      chain.asked
        .filter(({ path }) => path === '/api/v2/sendBoc')
        .map(({ atMs }) => atMs - startMs),
  }

  const headOf = (atMs: number): { seqno: number; utime: number } => ({
    seqno: SEQNO + Math.floor((atMs - startMs) / BLOCK_MS),
    utime: Math.floor(atMs / 1000),
  })
  const at = (atMs: number): Finality | undefined =>
    shown.findLast(({ fromMs }) => fromMs <= atMs)?.finality
  const searchedMs = (): number => clock.nowMs() - chain.lagMs - chain.searchLagMs
  /** The account's last transaction: the message's own, once that is there. */
  const lastAt = (atMs: number): string => {
    if (at(atMs) !== undefined) return LANDED
    return chain.isNewAccount ? NO_HASH : EARLIER
  }
  const account = (): string => {
    const atMs = clock.nowMs() - chain.accountLagMs
    const hash = lastAt(atMs)
    return v2Account({ lt: hash === NO_HASH ? '0' : '48756545000001', hash }, headOf(atMs).utime)
  }
  const list = (asked: Asked, name: string, finalities: readonly Finality[]): string => {
    const finality = at(searchedMs())
    const transaction = asked.query.get('tx_hash')
    if (transaction !== null) {
      const isThere = transaction === EARLIER || transaction === lastAt(searchedMs())
      return `{"traces":[${isThere ? chain.trace : ''}],"address_book":{},"metadata":{}}`
    }
    const isAsked = asked.query.get(name) === hash
    if (!isAsked || finality === undefined || !finalities.includes(finality)) {
      return '{"traces":[],"address_book":{},"metadata":{}}'
    }
    const trace = chain.trace.replaceAll('"lt":', `"finality":"${finality}","lt":`)
    return `{"traces":[${trace}],"address_book":{},"metadata":{}}`
  }

  const answerNode = (asked: Asked, response: ServerResponse): void => {
    if (asked.path === '/api/v2/getAddressInformation') return say(response, 200, account())
    if (asked.path === '/api/v2/sendBoc') arrivals.emit('send')
    else {
      return say(response, 200, v2Head(headOf(clock.nowMs()).seqno))
    }
    const next = chain.receptions.length > 1 ? chain.receptions.shift() : chain.receptions[0]
    const reception = next ?? 'take'
    if (reception === 'lost' || reception === 'deaf') {
      hanging++
      response.on('close', () => hanging--)
      return
    }
    say(response, ...RECEPTIONS[reception])
  }
  const answerIndex = (asked: Asked, response: ServerResponse): void => {
    if (chain.fault !== undefined) {
      const { status, body, headers } = chain.fault
      return say(response, status, body, headers)
    }
    switch (asked.path) {
      case '/api/v3/masterchainInfo':
        return say(response, 200, v3Head(headOf(clock.nowMs() - chain.lagMs)))
      case '/api/v3/traces':
        return say(response, 200, list(asked, 'msg_hash', ['finalized']))
      case '/api/v3/pendingTraces':
        return chain.hasForecasts
          ? say(response, 200, list(asked, 'ext_msg_hash', ['pending', 'confirmed']))
          : say(
              response,
              404,
              '{"error":"internal server error: Cannot GET /api/v3/pendingTraces"}',
            )
      default:
        throw new TypeError(`no answer for ${asked.path}`)
    }
  }

  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://localhost')
      const asked = { path: url.pathname, atMs: clock.nowMs(), query: url.searchParams, body }
      chain.asked.push(asked)
      if (asked.path.startsWith('/api/v2')) answerNode(asked, response)
      else answerIndex(asked, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  chain.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return chain
}

/** The gateway's own refusals. */
export const REFUSED_KEY = '{"ok":false,"code":401,"error":"API key does not exist"}'
export const LIMITED = '{"ok":false,"code":429,"error":"Ratelimit exceeded"}'

const RECEPTIONS: Record<Exclude<Reception, 'lost' | 'deaf'>, [status: number, body: string]> = {
  take: [200, '{"ok":true,"result":{"@type":"ok"}}'],
  reject: [500, REJECTION],
  duplicate: [
    500,
    '{"ok":false,"code":500,"error":"LITE_SERVER_UNKNOWN: cannot apply external message to current state : duplicate message"}',
  ],
  'refuse-key': [401, REFUSED_KEY],
  busy: [504, '{"ok":false,"code":504,"error":"LITE_SERVER_NETWORK timeout"}'],
}

function say(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.sendDate = false
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

function v2Head(seqno: number): string {
  const hash = Buffer.alloc(32).toString('base64')
  const id = { workchain: -1, shard: '-9223372036854775808', root_hash: hash, file_hash: hash }
  const init = { ...id, shard: '0', seqno: 0 }
  const result = { last: { ...id, seqno }, state_root_hash: hash, init }
  return JSON.stringify({ ok: true, result })
}

function v2Account(last: { lt: string; hash: string }, utime: number): string {
  const state = { balance: '1', code: '', data: '', frozen_hash: '', state: 'uninitialized' }
  return JSON.stringify({
    ok: true,
    result: { ...state, last_transaction_id: last, sync_utime: utime },
  })
}

function v3Head({ seqno, utime }: { seqno: number; utime: number }): string {
  // The fixture has two blocks: the newest and the first one.
  const info = JSON.parse(readFixture('masterchainInfo.captured.json')) as { last: object }
  return JSON.stringify({ ...info, last: { ...info.last, seqno, gen_utime: String(utime) } })
}

/** A transfer of a jetton: five transactions, none of which says how final it is. */
export function capturedTrace(): { trace_info: object; [field: string]: unknown } {
  const { traces } = JSON.parse(readFixture('traces.captured.json')) as {
    traces: { trace_info: object }[]
  }
  const [trace] = traces
  if (trace === undefined) throw new TypeError('the fixture has no trace')
  return { ...trace }
}

function readSample(): string {
  const log = 'exitcode=33, steps=23, gas_used=0\nVM Log (truncated):\n...execute THROWIFNOT 33\n'
  const error = `LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by transaction 33A1:\n${log}`
  return JSON.stringify({ ok: false, error, code: 500 })
}
