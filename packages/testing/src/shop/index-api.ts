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
const RAN = { skipped: false, success: true, exit_code: 0 }
const FAILED = { skipped: false, success: false, exit_code: 709 }

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Query = URLSearchParams

/** The parts of a world that an index reads. */
export interface IndexedWorld {
  chain: { readonly transactions: readonly ChainTransaction[] }
  jettons: JettonWallets
}

/** Answers a request of API v3 about the transactions that the index shows at a time. @returns the JSON of the response */
export function answerV3(
  { chain, jettons }: IndexedWorld,
  { url, body }: { url: URL; body: string | undefined },
  nowMs: number,
): string {
  const { pathname, searchParams: query } = url
  const lists = prepare(chain.transactions, jettons)
  switch (pathname) {
    case '/api/v3/masterchainInfo':
      return `{"first":${writeBlock(0)},"last":${writeBlock(headOf(nowMs))}}`
    case '/api/v3/transactions': {
      const rows = rowsOf(lists.byAccount, addressesOf(query, 'account'), nowMs)
      return `{"transactions":[${page(query, rows).map(writeTransaction).join()}]}`
    }
    case '/api/v3/jetton/transfers': {
      const rows = rowsOf(lists.byPaidOwner, addressesOf(query, 'owner_address'), nowMs)
      const transfers = page(query, rows).map((one) => writeTransfer(one, jettons))
      return JSON.stringify({ jetton_transfers: transfers })
    }
    case '/api/v3/messages': {
      const rows = messageRows(query, lists, nowMs).slice(0, limitOf(query))
      return JSON.stringify({ messages: rows.map(writeMessageRow) })
    }
    case '/api/v3/traces': {
      const named = rowsOf(lists.byHash, valuesOf(query, 'tx_hash'), nowMs)
      const found = new Set(named.map(({ transaction }) => transaction.trace))
      const traces = [...found].slice(0, limitOf(query))
      const rows = traces.map((trace) => writeTrace(trace, nowMs)).join()
      return `{"traces":[${rows}],"metadata":${JSON.stringify(metadataOf(traces, jettons))}}`
    }
    case '/api/v3/runGetMethod':
      return JSON.stringify(runGetMethod(jettons, body))
    default:
      throw new Error(`the simulated index has no ${pathname}`)
  }
}

/** Returns a response with this body. */
export function respond(status: number, json: string): Awaited<ReturnType<Fetch>> {
  const chunks = [Buffer.from(json)]
  return {
    status,
    headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
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

function addressesOf(query: Query, name: string): string[] {
  return valuesOf(query, name).map((one) => canonicalAddress(one))
}

/** A row of a list. */
interface Row {
  /** Its place among all rows. */
  place: number
  transaction: ChainTransaction
}

/** A message, and the transaction that received or sent it. */
interface MessageRow extends Row {
  message: ChainMessage
  direction: 'in' | 'out'
}

/** Transactions by what requests name. */
interface Lists {
  /** The number of transactions in them. */
  count: number
  byAccount: Map<string, Row[]>
  byHash: Map<string, Row[]>
  /** The transactions that sent jettons, by the owners who received them. */
  byPaidOwner: Map<string, Row[]>
  byBody: Map<string, MessageRow[]>
}

const prepared = new WeakMap<readonly ChainTransaction[], Lists>()

/** Returns the lists of all transactions; later calls add the new ones. */
function prepare(transactions: readonly ChainTransaction[], jettons: JettonWallets): Lists {
  let lists = prepared.get(transactions)
  if (lists === undefined) {
    const [byAccount, byHash, byPaidOwner, byBody] = [new Map(), new Map(), new Map(), new Map()]
    lists = { count: 0, byAccount, byHash, byPaidOwner, byBody }
    prepared.set(transactions, lists)
  }
  for (; lists.count < transactions.length; lists.count++) {
    const transaction = transactions[lists.count]
    if (transaction !== undefined) addTo(lists, transaction, jettons)
  }
  return lists
}

function addTo(lists: Lists, transaction: ChainTransaction, jettons: JettonWallets): void {
  const { account, hash, received, sent } = transaction
  const row = { place: lists.count, transaction }
  const owner = jettons.paidBy(transaction)?.to
  addRow(lists.byAccount, account, row)
  addRow(lists.byHash, hash, row)
  if (owner !== undefined) addRow(lists.byPaidOwner, owner, row)
  const messages = [received, ...sent]
  for (const [index, message] of messages.entries()) {
    const place = lists.count + index / messages.length
    const direction = index === 0 ? 'in' : 'out'
    addRow(lists.byBody, message.bodyHash, { place, transaction, message, direction })
  }
}

function addRow<One>(rows: Map<string, One[]>, key: string, row: One): void {
  const known = rows.get(key)
  if (known === undefined) rows.set(key, [row])
  else known.push(row)
}

/** Returns the rows that the index shows at a time, oldest first. */
function rowsOf<One extends Row>(
  rows: ReadonlyMap<string, One[]>,
  keys: readonly string[],
  nowMs: number,
): One[] {
  const isShown = ({ transaction }: Row): boolean => transaction.indexedAtMs <= nowMs
  const [first, ...others] = new Set(keys)
  if (first === undefined) return []
  const found = (rows.get(first) ?? []).filter(isShown)
  if (others.length === 0) return found
  for (const key of others) found.push(...(rows.get(key) ?? []).filter(isShown))
  return found.toSorted((one, other) => one.place - other.place)
}

/** Returns the rows of a page within the requested bounds. */
function page(query: Query, rows: readonly Row[]): ChainTransaction[] {
  const bound = (name: string, none: number): number => Number(query.get(name) ?? none)
  const [from, to] = [bound('start_utime', 0), bound('end_utime', Infinity)]
  const [fromLt, toLt] = [bound('start_lt', 0), bound('end_lt', Infinity)]
  const transactions = rows.map(({ transaction }) => transaction)
  const within = transactions.filter(
    ({ utime, lt }) => utime >= from && utime <= to && lt >= fromLt && lt <= toLt,
  )
  const sign = query.get('sort') === 'asc' ? 1 : -1
  const sorted = within.toSorted((one, other) => sign * Number(one.lt - other.lt))
  const offset = bound('offset', 0)
  return sorted.slice(offset, offset + limitOf(query))
}

function messageRows(query: Query, { byBody }: Lists, nowMs: number): MessageRow[] {
  const source = query.get('source')
  const direction = query.get('direction')
  return rowsOf(byBody, valuesOf(query, 'body_hash'), nowMs)
    .filter((row) => direction === null || row.direction === direction)
    .filter(({ message }) => source === null || message.source === canonicalAddress(source))
}

function writeMessageRow({ message, direction, transaction: { hash } }: MessageRow): Json {
  const written = writeMessage(message)
  return direction === 'in'
    ? { ...written, in_msg_tx_hash: hash }
    : { ...written, out_msg_tx_hash: hash }
}

/** Traces as JSON. They are pending until the index shows all of their transactions. */
const writtenTraces = new WeakMap<ChainTrace, { count: number; json: string }>()

/** Returns the JSON of a trace. */
function writeTrace(trace: ChainTrace, nowMs: number): string {
  const known = trace.transactions.filter((one) => one.indexedAtMs <= nowMs)
  const count = known.length
  const written = writtenTraces.get(trace)
  if (written?.count === count) return written.json
  const missing = trace.transactions.length - count
  const [root] = trace.transactions
  if (root === undefined) throw new RangeError('a trace has a first transaction')
  const node = (one: ChainTransaction): Json => ({
    tx_hash: one.hash,
    in_msg_hash: one.received.hash,
    children: known.filter((other) => one.sent.includes(other.received)).map(node),
  })
  const facts = {
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
      transactions: count,
      pending_messages: missing,
    },
    is_incomplete: false,
    actions: [],
    trace: node(root),
    transactions_order: known.map(({ hash }) => hash),
  }
  const rows = known.map((one) => `${JSON.stringify(one.hash)}:${writeTransaction(one)}`)
  const json = `${JSON.stringify(facts).slice(0, -1)},"transactions":{${rows.join()}}}`
  writtenTraces.set(trace, { count, json })
  return json
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

const writtenTransactions = new WeakMap<ChainTransaction, string>()

/** Returns the JSON of a transaction, which does not change after its step. */
function writeTransaction(one: ChainTransaction): string {
  const written = writtenTransactions.get(one)
  if (written !== undefined) return written
  const json = JSON.stringify({
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
      aborted: one.isAborted,
      destroyed: false,
      compute_ph: { ...(one.isAborted ? FAILED : RAN), gas_used: '0', gas_fees: '0' },
      ...(one.isAborted
        ? { bounce: { type: 'ok' } }
        : { action: { success: true, result_code: 0 } }),
    },
    in_msg: writeMessage(one.received),
    out_msgs: one.sent.map(writeMessage),
    emulated: false,
    finality: 'finalized',
  })
  writtenTransactions.set(one, json)
  return json
}

function writeMessage(message: ChainMessage): { [key: string]: Json } {
  const { source, destination, value, createdLt, hash, bodyHash, bodyBoc, isReturned } = message
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
    bounced: isInternal ? isReturned : null,
    message_content: { hash: bodyHash, body: bodyBoc, decoded: null },
  }
}

function writeBlock(utime: number): string {
  const seqno = blockOf(utime)
  return JSON.stringify({
    workchain: -1,
    shard: SHARD,
    seqno,
    root_hash: digest(`root ${seqno}`),
    file_hash: digest(`file ${seqno}`),
    start_lt: String(seqno * 1000),
    end_lt: String(seqno * 1000 + 999),
    gen_utime: utime,
  })
}
