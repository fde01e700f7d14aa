import { Cell, type TupleItem } from '@ton/core'
import { MessageRejectedError, type Chain } from '../chain.js'
import type { ApiReply, ApiRequest, ApiServer, ServedApi } from '../http-server.js'
import { normalizedHash } from '../message-hash.js'
import { rootOf, withDescendants, type RecordedTransaction } from '../recorded-transaction.js'
import { readAddress, Refusal } from '../refusal.js'
import { base64Boc, base64Hash, rawAddress, readHash } from '../spellings.js'
import { readList, readStack, UnsupportedEntryError } from '../v2/stack.js'
import { jettonIndex, jettonMetadata, jettonTransferRow, type JettonIndex } from './jettons.js'
import { isAskedMessage, messagesOf } from './messages.js'
import { isMessage, writeMessageRow, writeTrace } from './trace.js'
import { writeAccount, writeBlock, writeTransaction } from './write.js'

/** An index of a chain. */
export interface V3Server extends ServedApi {
  /**
   * How many of the newest blocks the index has not read yet: what is in them is pending.
   * Tests set it. @default 0
   */
  lagBlocks: number
  /** Whether the index tells the jettons of wallets in the `metadata` of traces. Tests set it. @default false */
  tellsJettons: boolean
}

interface Question {
  chain: Chain
  query: URLSearchParams
  body: ApiRequest['body']
  /** What the index has read. */
  indexed: readonly RecordedTransaction[]
  jettons: JettonIndex
  tellsJettons: boolean
  /** What is in blocks that it has not read. */
  pending: readonly RecordedTransaction[]
}

/** Serves a chain as API v3 does. */
export function mountV3Api(http: ApiServer, chain: Chain): V3Server {
  const jettons = jettonIndex(chain)
  const running = http.mount('/api/v3', async (request) => {
    const answer = PATHS[request.path]
    if (answer === undefined) return { status: 404, body: { error: 'Not Found' } }
    const newest = chain.blocks.at(-1 - server.lagBlocks)?.seqno ?? 0
    const { query, body } = request
    const indexed = chain.transactions.filter(({ seqno }) => seqno <= newest)
    const pending = chain.transactions.filter(({ seqno }) => seqno > newest)
    try {
      return {
        body: await answer({
          chain,
          query,
          body,
          jettons,
          indexed,
          pending,
          tellsJettons: server.tellsJettons,
        }),
      }
    } catch (error) {
      return refuse(error)
    }
  })
  const server: V3Server = Object.assign(running, { lagBlocks: 0, tellsJettons: false })
  return server
}

function refuse(error: unknown): ApiReply {
  if (error instanceof Refusal) return { status: error.status, body: { error: error.message } }
  if (error instanceof UnsupportedEntryError) return { status: 501, body: { error: error.message } }
  if (!(error instanceof MessageRejectedError)) throw error
  const what = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'
  const why = error.exitCode === undefined ? '' : `:\nexitcode=${error.exitCode}`
  return { status: 500, body: { error: `${what} : External message was not accepted${why}` } }
}

const PATHS: Readonly<Record<string, ((question: Question) => unknown) | undefined>> = {
  '/masterchainInfo'({ chain, indexed }) {
    const newest = indexed.at(-1)?.seqno
    const last = chain.blocks.find(({ seqno }) => seqno === newest) ?? chain.blocks[0]!
    return { last: writeBlock(last), first: writeBlock(chain.blocks[0]!) }
  },
  async '/accountStates'({ chain, query, indexed }) {
    const withBoc = query.get('include_boc') !== 'false'
    const addresses = query.getAll('address').map(readAddress)
    if (addresses.length === 0) throw new Refusal(401, 'address of account is required')
    const rows = []
    for (const address of addresses) {
      // The index knows an account by its transactions.
      if (!indexed.some((one) => one.address.equals(address))) continue
      rows.push(writeAccount(rawAddress(address), await chain.account(address), withBoc))
    }
    return { accounts: rows, address_book: {}, metadata: {} }
  },
  async '/addressInformation'({ chain, query }) {
    const account = await chain.account(readAddress(query.get('address') ?? ''))
    return {
      balance: account.balance.toString(),
      code: account.code === undefined ? null : base64Boc(account.code),
      data: account.data === undefined ? null : base64Boc(account.data),
      last_transaction_lt: account.last.lt.toString(),
      last_transaction_hash: base64Hash(account.last.hash),
      frozen_hash: account.frozenHash === undefined ? null : base64Hash(account.frozenHash),
      status: account.status === 'nonexist' ? 'uninit' : account.status,
    }
  },
  '/transactions'({ query, indexed }) {
    const seqno = query.get('mc_seqno')
    if (seqno !== null && !indexed.some((one) => one.seqno === Number(seqno))) {
      throw new Refusal(404, `masterchain block ${seqno} not found`)
    }
    return writeTransactions(
      page(
        query,
        indexed.filter((one) => isAsked(one, query)),
        byLt,
      ),
    )
  },
  '/transactionsByMasterchainBlock'({ query, indexed }) {
    const inBlock = indexed.filter(({ seqno }) => seqno === Number(query.get('seqno')))
    return writeTransactions(page(query, inBlock, byLt))
  },
  '/transactionsByMessage'({ query, indexed }) {
    const hashes = query.getAll('msg_hash').map(readHash)
    if (hashes.length === 0) throw new Refusal(422, 'at least one of msg_hash is required')
    const direction = query.get('direction')
    const found = indexed.filter(({ inMessage, outMessages }) =>
      hashes.some(
        (hash) =>
          (direction !== 'out' && isMessage(inMessage, hash)) ||
          (direction !== 'in' && outMessages.some((cell) => isMessage(cell, hash))),
      ),
    )
    return writeTransactions(page(query, found, byLt))
  },
  '/adjacentTransactions'({ query, indexed }) {
    const one = indexed.find(({ transaction }) => isHash(transaction.hash(), query.get('hash')))
    const direction = query.get('direction')
    const parents = one?.parent === undefined || direction === 'out' ? [] : [one.parent]
    const found = [...parents, ...(direction === 'in' ? [] : (one?.children ?? []))]
    if (found.length === 0) throw new Refusal(404, 'adjacent transactions not found')
    return writeTransactions(found.filter((near) => indexed.includes(near)))
  },
  '/messages'({ query, indexed }) {
    const hashes = query.getAll('msg_hash').map(readHash)
    const rows = messagesOf(indexed).filter(({ cell }) => isAskedMessage(cell, hashes, query))
    const shown = page(query, rows, ({ lt }) => lt)
    return {
      messages: shown.map(({ cell, receiver, sender }) => writeMessageRow(cell, receiver, sender)),
      address_book: {},
      metadata: {},
    }
  },
  async '/jetton/transfers'({ query, indexed, jettons }) {
    const owners = query.getAll('owner_address').map(readAddress)
    const found: { row: Record<string, unknown>; one: RecordedTransaction }[] = []
    for (const one of indexed) {
      if (!isInTime(one, query)) continue
      const transfer = await jettonTransferRow(jettons, one)
      if (transfer !== undefined && owners.some((owner) => owner.equals(transfer.to))) {
        found.push({ row: transfer.row, one })
      }
    }
    const shown = page(query, found, ({ one }) => byLt(one))
    return { jetton_transfers: shown.map(({ row }) => row), address_book: {}, metadata: {} }
  },
  async '/traces'({ query, indexed, jettons, tellsJettons }) {
    const written = writeTraces(query, tracesAsked(query, indexed), indexed)
    const metadata = tellsJettons ? await jettonMetadata(jettons, indexed) : {}
    return { ...written, metadata }
  },
  '/pendingTraces'({ query, indexed, pending }) {
    const account = query.get('account')
    const hashes = query.getAll('ext_msg_hash').map(readHash)
    if (account === null && hashes.length === 0) {
      throw new Refusal(422, 'account or ext_msg_hash is required')
    }
    const roots = [...new Set(pending.map(rootOf))].filter(
      (root) =>
        hashes.some((hash) => isMessage(root.inMessage, hash)) ||
        (account !== null && withDescendants(root).some((one) => isOf(one, account))),
    )
    return writeTraces(query, roots, [...indexed, ...pending])
  },
  '/pendingTransactions'({ query, pending }) {
    const accounts = query.getAll('account')
    if (accounts.length === 0) throw new Refusal(422, 'account is required')
    const found = pending.filter((one) => accounts.some((account) => isOf(one, account)))
    return writeTransactions(found)
  },
  async '/runGetMethod'({ chain, body }) {
    const method = String(body['method'])
    const { exitCode, gasUsed, stack } = await chain.runGetMethod(
      readAddress(String(body['address'])),
      /^-?\d+$/.test(method) ? Number(method) : method,
      readArguments(body['stack']),
    )
    return { gas_used: gasUsed, exit_code: exitCode, stack: stack.map(writeTop) }
  },
  async '/message'({ chain, body }) {
    const message = Cell.fromBase64(String(body['boc']))
    await chain.send(message)
    return {
      message_hash: base64Hash(message.hash()),
      message_hash_norm: base64Hash(normalizedHash(message)),
    }
  },
}

function tracesAsked(
  query: URLSearchParams,
  indexed: readonly RecordedTransaction[],
): RecordedTransaction[] {
  const account = query.get('account')
  const traceIds = query.getAll('trace_id').map(readHash)
  const transactions = query.getAll('tx_hash').map(readHash)
  const messages = query.getAll('msg_hash').map(readHash)
  const asked = indexed.filter((one) => {
    const hash = base64Hash(one.transaction.hash())
    if (account !== null && !isOf(one, account)) return false
    if (traceIds.length > 0 && !traceIds.includes(base64Hash(rootOf(one).transaction.hash()))) {
      return false
    }
    if (transactions.length > 0 && !transactions.includes(hash)) return false
    const cells = [one.inMessage, ...one.outMessages]
    return messages.length === 0 || messages.some((id) => cells.some((cell) => isMessage(cell, id)))
  })
  return [...new Set(asked.map(rootOf))]
}

function writeTraces(
  query: URLSearchParams,
  roots: readonly RecordedTransaction[],
  known: readonly RecordedTransaction[],
): object {
  const shown = page(query, roots, byLt)
  const hasActions = query.get('include_actions') === 'true'
  const traces = shown.map((root) => writeTrace(root, (one) => known.includes(one), hasActions))
  return { traces, address_book: {}, metadata: {} }
}

function isAsked({ address, transaction, seqno }: RecordedTransaction, query: URLSearchParams) {
  const accounts = query.getAll('account').map(readAddress)
  const hashes = query.getAll('hash')
  const { lt } = transaction
  return (
    (accounts.length === 0 || accounts.some((account) => account.equals(address))) &&
    (hashes.length === 0 || hashes.some((hash) => isHash(transaction.hash(), hash))) &&
    (query.get('mc_seqno') ?? `${seqno}`) === `${seqno}` &&
    (query.get('lt') ?? `${lt}`) === `${lt}` &&
    isInTime({ transaction }, query)
  )
}

function isInTime(
  { transaction: { lt, now } }: Pick<RecordedTransaction, 'transaction'>,
  query: URLSearchParams,
): boolean {
  return (
    lt >= BigInt(query.get('start_lt') ?? lt) &&
    lt <= BigInt(query.get('end_lt') ?? lt) &&
    now >= Number(query.get('start_utime') ?? now) &&
    now <= Number(query.get('end_utime') ?? now)
  )
}

/** A page of rows by lt, newest first unless asked otherwise. */
function page<Row>(
  query: URLSearchParams,
  rows: readonly Row[],
  ltOf: (row: Row) => bigint,
): Row[] {
  const limit = Math.max(1, Number(query.get('limit') ?? 10))
  if (limit > 1000) throw new Refusal(500, `limit is not allowed: ${limit} > 1000`)
  const sign = query.get('sort') === 'asc' ? 1 : -1
  const sorted = rows.toSorted((a, b) => sign * Number(ltOf(a) - ltOf(b)))
  const offset = Math.max(0, Number(query.get('offset') ?? 0))
  return sorted.slice(offset, offset + limit)
}

function byLt({ transaction }: RecordedTransaction): bigint {
  return transaction.lt
}

function writeTransactions(rows: readonly RecordedTransaction[]): unknown {
  return { transactions: rows.map(writeTransaction), address_book: {} }
}

function isOf({ address }: RecordedTransaction, account: string): boolean {
  return address.equals(readAddress(account))
}

function isHash(hash: Buffer, asked: string | null): boolean {
  return asked !== null && base64Hash(hash) === readHash(asked)
}

/** API v3 hands its arguments on to API v2, and knows three types. */
function readArguments(stack: unknown): TupleItem[] {
  const entries = (stack ?? []) as readonly { type: string; value: unknown }[]
  return readStack(
    entries.map(({ type, value }) => {
      if (type === 'num') return ['num', value]
      if (type === 'cell') return ['tvm.Cell', value]
      if (type === 'slice') return ['tvm.Slice', value]
      throw new UnsupportedEntryError(`unsupported stack entry type ${type}`)
    }),
  )
}

/** On top of the stack a slice comes as a cell; inside a tuple it does not. */
function writeTop(item: TupleItem): unknown {
  return writeEntry(item.type === 'slice' ? { type: 'cell', cell: item.cell } : item)
}

function writeEntry(item: TupleItem): unknown {
  switch (item.type) {
    case 'int':
      return { type: 'num', value: writeNumber(item.value) }
    case 'cell':
    case 'slice':
      return { type: item.type, value: base64Boc(item.cell) }
    case 'null':
    case 'tuple': {
      const list = readList(item)
      if (list !== undefined) return { type: 'list', value: list.map(writeEntry) }
      return { type: 'tuple', value: (item.type === 'tuple' ? item.items : []).map(writeEntry) }
    }
    default:
      return { type: 'unsupported', value: null }
  }
}

function writeNumber(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}
