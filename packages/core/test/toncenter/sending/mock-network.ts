import { EventEmitter, once } from 'node:events'
import { startMockApi, type MockReply } from '@tonplug/test-support/mock-api'
import { hang, respond } from '@tonplug/test-support/responses'
import type { FakeClock } from '@tonplug/testing'
import { readFixture } from '../v3/fixtures.js'

/**
 * Reactions of a node to a message. `lost`: accepts it and never responds. `ignore`: neither accepts it nor responds.
 * `reset`: reads the request and closes the connection.
 */
export type Reception =
  | 'take'
  | 'reject'
  | 'duplicate'
  | 'lost'
  | 'ignore'
  | 'reset'
  | 'refuse-key'
  | 'busy'
  | 'failed'
  | 'limited'
  | 'unavailable'

/** A request with the time of its arrival. */
interface TimedRequest {
  /** For example `/api/v3/traces`. */
  path: string
  atMs: number
  query: URLSearchParams
  body: string
}

/** Finality of the transactions of a trace in the index. */
type Finality = 'pending' | 'confirmed' | 'finalized'

/** A node behind API v2, and an index behind API v3 that lags behind the node, for one message. */
export interface MockNetwork {
  baseUrl: string
  requests: TimedRequest[]
  /** The node's reactions to the message, in order; the last one repeats. */
  receptions: Reception[]
  /** The delay of the index behind the node. */
  lagMs: number
  /** The further delay of searches in the index behind its newest block. */
  searchLagMs: number
  /** The delay of account states behind the node. */
  accountLagMs: number
  /** Reports that API v2 has the state of the account. */
  hasAccount: boolean
  /** Reports that the account has only the transactions of the message. */
  isNewAccount: boolean
  /** The response of the index to every request, if set. */
  fault: { status: number; body: string; headers?: Record<string, string> } | undefined
  /** Reports that the index has a list of pending traces. */
  hasForecasts: boolean
  /** Puts the message into the node's chain, in blocks of this finality. */
  show(finality: Finality): void
  /** Removes the message from the node's chain. */
  drop(): void
  /** The trace as JSON, once it is shown. */
  trace: string
  /** The number of requests that never get a response. */
  readonly hanging: number
  /** The times at which the message arrived, since the start. */
  sentAtMs(): number[]
  /** Resolves when the message has arrived that many times. */
  waitForSends(count: number): Promise<void>
}

const SEQNO = 50_000_000
const BLOCK_MS = 400
const REJECTION = rejection()
/** Hashes of the account's last transaction: after the message, before it, and on a new account. */
const LANDED = Buffer.alloc(32, 1).toString('base64')
const EARLIER = Buffer.alloc(32, 2).toString('base64')
const NO_HASH = Buffer.alloc(32).toString('base64')

/** Serves until the test ends. @param hash the only hash that the index finds the message by */
export async function startMockNetwork(clock: FakeClock, hash: string): Promise<MockNetwork> {
  const startMs = clock.nowMs()
  /** The finality of the message by time. */
  const shown: { fromMs: number; finality: Finality | undefined }[] = []
  const arrivals = new EventEmitter()
  let hanging = 0

  const network: MockNetwork = {
    baseUrl: '',
    requests: [],
    receptions: ['take'],
    lagMs: 0,
    searchLagMs: 0,
    accountLagMs: 0,
    hasAccount: true,
    isNewAccount: false,
    fault: undefined,
    hasForecasts: true,
    trace: JSON.stringify(capturedTrace()),
    show: (finality) => void shown.push({ fromMs: clock.nowMs(), finality }),
    async waitForSends(count) {
      while (network.sentAtMs().length < count) await once(arrivals, 'send')
    },
    drop: () => void shown.push({ fromMs: clock.nowMs(), finality: undefined }),
    get hanging() {
      return hanging
    },
    sentAtMs: () =>
      network.requests
        .filter(({ path }) => path === '/api/v2/sendBoc')
        .map(({ atMs }) => atMs - startMs),
  }

  const headOf = (atMs: number): { seqno: number; utime: number } => ({
    seqno: SEQNO + Math.floor((atMs - startMs) / BLOCK_MS),
    utime: Math.floor(atMs / 1000),
  })
  const at = (atMs: number): Finality | undefined =>
    shown.findLast(({ fromMs }) => fromMs <= atMs)?.finality
  const searchedMs = (): number => clock.nowMs() - network.lagMs - network.searchLagMs
  /** The account's last transaction: the message's own, once that is there. */
  const lastAt = (atMs: number): string => {
    if (at(atMs) !== undefined) return LANDED
    return network.isNewAccount ? NO_HASH : EARLIER
  }
  const account = (): string => {
    const atMs = clock.nowMs() - network.accountLagMs
    const hash = lastAt(atMs)
    return v2Account({ lt: hash === NO_HASH ? '0' : '48756545000001', hash }, headOf(atMs).utime)
  }
  const list = (
    query: URLSearchParams,
    name: string,
    finalities: readonly Finality[],
  ): MockReply => {
    const tracesOf = (trace: string): string =>
      `{"traces":[${trace}],"address_book":{},"metadata":{}}`
    const finality = at(searchedMs())
    const transaction = query.get('tx_hash')
    if (transaction !== null) {
      const isThere = transaction === EARLIER || transaction === lastAt(searchedMs())
      return tracesOf(isThere ? network.trace : '')
    }
    const isRequested = query.get(name) === hash
    if (!isRequested || finality === undefined || !finalities.includes(finality)) {
      return tracesOf('')
    }
    return tracesOf(network.trace.replaceAll('"lt":', `"finality":"${finality}","lt":`))
  }

  const nextReception = (): Reception => {
    const [reception = 'take'] = network.receptions
    if (network.receptions.length > 1) network.receptions.shift()
    return reception
  }

  const { baseUrl } = await startMockApi(({ url, query, text, closed }): MockReply => {
    const [path = ''] = url.split('?')
    network.requests.push({ path, atMs: clock.nowMs(), query, body: text })
    switch (path) {
      case '/api/v2/getAddressInformation':
        return network.hasAccount ? account() : RECEPTIONS.busy
      case '/api/v2/sendBoc': {
        arrivals.emit('send')
        const reception = nextReception()
        if (reception === 'reset') return (_, response) => void response.destroy()
        if (reception !== 'lost' && reception !== 'ignore') return RECEPTIONS[reception]
        hanging++
        void closed.then(() => hanging--)
        return hang
      }
    }
    if (path.startsWith('/api/v2')) return v2Head(headOf(clock.nowMs()).seqno)
    if (network.fault !== undefined) return network.fault
    switch (path) {
      case '/api/v3/masterchainInfo':
        return v3Head(headOf(clock.nowMs() - network.lagMs))
      case '/api/v3/traces':
        return list(query, 'msg_hash', ['finalized'])
      case '/api/v3/pendingTraces':
        return network.hasForecasts
          ? list(query, 'ext_msg_hash', ['pending', 'confirmed'])
          : respond(404, { error: 'internal server error: Cannot GET /api/v3/pendingTraces' })
      default:
        throw new TypeError(`the mock network has no ${path}`)
    }
  })
  network.baseUrl = baseUrl
  return network
}

/** Refusals of the API gateway. */
export const REFUSED_KEY = '{"ok":false,"code":401,"error":"API key does not exist"}'
export const LIMITED = '{"ok":false,"code":429,"error":"Ratelimit exceeded"}'

const RECEPTIONS: Record<Exclude<Reception, 'lost' | 'ignore' | 'reset'>, MockReply> = {
  take: '{"ok":true,"result":{"@type":"ok"}}',
  reject: respond(500, REJECTION),
  duplicate: respond(
    500,
    '{"ok":false,"code":500,"error":"LITE_SERVER_UNKNOWN: cannot apply external message to current state : duplicate message"}',
  ),
  'refuse-key': respond(401, REFUSED_KEY),
  busy: respond(504, '{"ok":false,"code":504,"error":"LITE_SERVER_NETWORK timeout"}'),
  failed: respond(500, '{"ok":false,"code":500,"error":"LITE_SERVER_NOTREADY: not in db"}'),
  limited: respond(429, LIMITED),
  unavailable: respond(503, '{"ok":false,"code":503,"error":"unexpected exception"}'),
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

/** Returns a recorded jetton transfer: five transactions without a finality. */
export function capturedTrace(): { trace_info: object; [field: string]: unknown } {
  const { traces } = JSON.parse(readFixture('traces.captured.json')) as {
    traces: { trace_info: object }[]
  }
  const [trace] = traces
  if (trace === undefined) throw new TypeError('the fixture has no trace')
  return { ...trace }
}

function rejection(): string {
  const log = 'exitcode=33, steps=23, gas_used=0\nVM Log (truncated):\n...execute THROWIFNOT 33\n'
  const error = `LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by transaction 33A1:\n${log}`
  return JSON.stringify({ ok: false, error, code: 500 })
}
