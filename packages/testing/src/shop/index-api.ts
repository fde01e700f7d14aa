import { canonicalAddress } from '@tonplug/core'
import type { Fetch } from '@tonplug/core/toncenter'
import {
  blockOf,
  digest,
  feesOf,
  headOf,
  type ChainMessage,
  type ChainTrace,
  type ChainTransaction,
} from './chain.js'
import type { JettonWallets } from './jettons.js'

const DEFAULT_ROWS = 10
/** The exit code of a method that a contract does not have. */
const NO_METHOD = 11
const SHARD = '8000000000000000'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Query = URLSearchParams

/** The parts of a world that an index reads. */
export interface IndexedWorld {
  chain: { readonly transactions: readonly ChainTransaction[] }
  jettons: JettonWallets
}

/** Answers a request of API v3 about the transactions that the index shows at a time. */
export function answerV3(
  { chain, jettons }: IndexedWorld,
  { url, body }: { url: string; body: string | undefined },
  nowMs: number,
): Json {
  const { pathname, searchParams: query } = new URL(url)
  const shown = chain.transactions.filter(({ indexedAtMs }) => indexedAtMs <= nowMs)
  switch (pathname) {
    case '/api/v3/masterchainInfo':
      return { first: writeBlock(0), last: writeBlock(headOf(nowMs)) }
    case '/api/v3/transactions':
      return { transactions: page(query, accountRows(query, shown)).map(writeTransaction) }
    case '/api/v3/jetton/transfers':
      return {
        jetton_transfers: page(query, transferRows(query, shown, jettons)).map((one) =>
          writeTransfer(one, jettons),
        ),
      }
    case '/api/v3/messages':
      return { messages: messageRows(query, shown).slice(0, limitOf(query)) }
    case '/api/v3/traces': {
      const traces = traceRows(query, shown)
      return {
        traces: traces.map((trace) => writeTrace(trace, nowMs)),
        metadata: metadataOf(traces, jettons),
      }
    }
    case '/api/v3/runGetMethod':
      return runGetMethod(jettons, body)
    default:
      throw new Error(`the simulated index has no ${pathname}`)
  }
}

/** Returns a response with this body. */
export function respond(status: number, body: Json): Awaited<ReturnType<Fetch>> {
  const chunks = [Buffer.from(JSON.stringify(body))]
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  return {
    status,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    body: {
      getReader: () => ({
        read: async () => {
          const value = chunks.shift()
          return value === undefined ? { done: true } : { done: false, value }
        },
        cancel: async () => undefined,
      }),
    },
  }
}

function valuesOf(query: Query, name: string): string[] {
  return query.getAll(name).flatMap((value) => value.split(','))
}

function limitOf(query: Query): number {
  return Number(query.get('limit') ?? DEFAULT_ROWS)
}

function accountRows(query: Query, shown: readonly ChainTransaction[]): ChainTransaction[] {
  const accounts = new Set(valuesOf(query, 'account').map((one) => canonicalAddress(one)))
  return shown.filter(({ account }) => accounts.has(account))
}

/** Returns the transactions that sent jettons to owners. */
function transferRows(
  query: Query,
  shown: readonly ChainTransaction[],
  jettons: JettonWallets,
): ChainTransaction[] {
  const owners = new Set(valuesOf(query, 'owner_address').map((one) => canonicalAddress(one)))
  return shown.filter((one) => owners.has(jettons.paidBy(one)?.to ?? ''))
}

/** Returns the rows of a page within the requested bounds. */
function page(query: Query, rows: readonly ChainTransaction[]): ChainTransaction[] {
  const bound = (name: string, none: number): number => Number(query.get(name) ?? none)
  const [from, to] = [bound('start_utime', 0), bound('end_utime', Infinity)]
  const [fromLt, toLt] = [bound('start_lt', 0), bound('end_lt', Infinity)]
  const within = rows.filter(
    ({ utime, lt }) => utime >= from && utime <= to && lt >= fromLt && lt <= toLt,
  )
  const sign = query.get('sort') === 'asc' ? 1 : -1
  const sorted = within.toSorted((one, other) => sign * Number(one.lt - other.lt))
  const offset = bound('offset', 0)
  return sorted.slice(offset, offset + limitOf(query))
}

function messageRows(query: Query, shown: readonly ChainTransaction[]): Json[] {
  const bodies = new Set(valuesOf(query, 'body_hash'))
  const source = query.get('source')
  const direction = query.get('direction')
  const rows = shown.flatMap((one) => [
    ...(direction === 'out' ? [] : [{ message: one.received, in_msg_tx_hash: one.hash }]),
    ...(direction === 'in'
      ? []
      : one.sent.map((message) => ({ message, out_msg_tx_hash: one.hash }))),
  ])
  return rows
    .filter(({ message }) => bodies.has(message.bodyHash))
    .filter(({ message }) => source === null || message.source === canonicalAddress(source))
    .map(({ message, ...hashes }) => ({ ...writeMessage(message), ...hashes }))
}

function traceRows(query: Query, shown: readonly ChainTransaction[]): ChainTrace[] {
  const hashes = new Set(valuesOf(query, 'tx_hash'))
  const found = shown.filter(({ hash }) => hashes.has(hash)).map(({ trace }) => trace)
  return [...new Set(found)].slice(0, limitOf(query))
}

/** Writes a trace. It is pending until the index shows all of its transactions. */
function writeTrace(trace: ChainTrace, nowMs: number): Json {
  const known = trace.transactions.filter((one) => one.indexedAtMs <= nowMs)
  const missing = trace.transactions.length - known.length
  const [root] = trace.transactions
  if (root === undefined) throw new RangeError('a trace has a first transaction')
  const node = (one: ChainTransaction): Json => ({
    tx_hash: one.hash,
    in_msg_hash: one.received.hash,
    children: known.filter((other) => one.sent.includes(other.received)).map(node),
  })
  return {
    trace_id: trace.id,
    external_hash: root.received.hash,
    mc_seqno_start: String(blockOf(root.utime)),
    mc_seqno_end: String(blockOf(root.utime)),
    start_lt: String(root.lt),
    start_utime: root.utime,
    end_lt: String(trace.transactions.at(-1)?.lt),
    end_utime: root.utime,
    trace_info: {
      trace_state: missing === 0 ? 'complete' : 'pending',
      messages: trace.transactions.length,
      transactions: known.length,
      pending_messages: missing,
    },
    is_incomplete: false,
    actions: [],
    trace: node(root),
    transactions_order: known.map(({ hash }) => hash),
    transactions: Object.fromEntries(known.map((one) => [one.hash, writeTransaction(one)])),
  }
}

/** Writes the jetton wallets of traces, as the index knows them. */
function metadataOf(traces: readonly ChainTrace[], jettons: JettonWallets): Json {
  const wallets = new Set(traces.flatMap((one) => one.transactions.map(({ account }) => account)))
  const rows = [...wallets].flatMap((wallet) => {
    const owned = jettons.ownedBy(wallet)
    if (owned === undefined) return []
    const extra = { jetton: owned.master.toUpperCase(), owner: owned.owner.toUpperCase() }
    const token = { type: 'jetton_wallets', valid: true, extra }
    return [[wallet.toUpperCase(), { is_indexed: true, token_info: [token] }] as const]
  })
  return Object.fromEntries(rows)
}

function writeTransfer(one: ChainTransaction, jettons: JettonWallets): Json {
  const payment = jettons.paidBy(one)
  if (payment === undefined) throw new RangeError('the transaction sends jettons')
  const { from, to, rawAmount, master } = payment
  return {
    query_id: '0',
    source: from.toUpperCase(),
    destination: to.toUpperCase(),
    amount: String(rawAmount),
    source_wallet: one.account.toUpperCase(),
    jetton_master: master.toUpperCase(),
    transaction_hash: one.hash,
    transaction_lt: String(one.lt),
    transaction_now: one.utime,
    transaction_aborted: false,
    trace_id: one.trace.id,
  }
}

function runGetMethod(jettons: JettonWallets, body: string | undefined): Json {
  // Written by the client of API v3.
  const { address, method, stack } = JSON.parse(body ?? '{}') as MethodCall
  const answer = jettons.run(canonicalAddress(address), method, stack)
  return { gas_used: 0, exit_code: answer === undefined ? NO_METHOD : 0, stack: answer ?? [] }
}

interface MethodCall {
  address: string
  method: string
  stack: { value: string }[]
}

function writeTransaction(one: ChainTransaction): Json {
  return {
    account: one.account.toUpperCase(),
    hash: one.hash,
    lt: String(one.lt),
    now: one.utime,
    mc_block_seqno: blockOf(one.utime),
    trace_id: one.trace.id,
    prev_trans_hash: one.previous?.hash ?? digest(''),
    prev_trans_lt: String(one.previous?.lt ?? 0),
    total_fees: String(feesOf()),
    description: {
      type: 'ord',
      aborted: false,
      destroyed: false,
      compute_ph: { skipped: false, success: true, exit_code: 0, gas_used: '0', gas_fees: '0' },
      action: { success: true, result_code: 0 },
    },
    in_msg: writeMessage(one.received),
    out_msgs: one.sent.map(writeMessage),
    emulated: false,
    finality: 'finalized',
  }
}

function writeMessage(message: ChainMessage): { [key: string]: Json } {
  const { source, destination, value, createdLt, hash, bodyHash, bodyBoc } = message
  const isInternal = source !== undefined
  return {
    hash,
    source: source?.toUpperCase() ?? null,
    destination: destination.toUpperCase(),
    value: isInternal ? String(value) : null,
    fwd_fee: isInternal ? '0' : null,
    ihr_fee: isInternal ? '0' : null,
    created_lt: isInternal ? String(createdLt) : null,
    bounce: isInternal ? false : null,
    bounced: isInternal ? false : null,
    message_content: { hash: bodyHash, body: bodyBoc, decoded: null },
  }
}

function writeBlock(utime: number): Json {
  const seqno = blockOf(utime)
  return {
    workchain: -1,
    shard: SHARD,
    seqno,
    root_hash: digest(`root ${seqno}`),
    file_hash: digest(`file ${seqno}`),
    start_lt: String(seqno * 1000),
    end_lt: String(seqno * 1000 + 999),
    gen_utime: utime,
  }
}
