import { Cell, type Address, type Transaction, type TupleItem } from '@ton/core'
import type { AccountView } from '../chain/account-view.js'
import { messageCell, normalizedHash } from '../chain/message-hash.js'
import { HttpError } from '../server/http-error.js'
import { base64Boc, base64Hash } from '../shared/encodings.js'
import { readList, readStack, UnsupportedEntryError } from '../v2/stack.js'
import { writeWalletFacts } from './accounts.js'
import type { Json } from './json.js'
import { accountOf } from './look-up.js'
import { flagOf, neededAddress } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'
import { walletOf } from '../chain/wallet-kinds.js'

/** The endpoints that the index forwards to a node, or that have the response format of API v2. */
export const legacyHandlers = {
  '/addressInformation': addressInformation,
  '/account': addressInformation,
  '/walletInformation': walletInformation,
  '/wallet': walletInformation,
  async '/runGetMethod'({ chain, body }) {
    const address = neededAddress(body['address'])
    const { method } = body
    if (typeof method !== 'string' || method === '') throw new HttpError(401, 'method is required')
    const { exitCode, gasUsed, stack } = await chain.runGetMethod(
      address,
      /^-?\d+$/.test(method) ? Number(method) : method,
      readArguments(body['stack']),
    )
    return { gas_used: gasUsed, exit_code: exitCode, stack: stack.map(writeTop) }
  },
  async '/message'({ chain, body }) {
    const message = neededCell(body, 'boc')
    await chain.send(message)
    return {
      message_hash: base64Hash(message.hash()),
      message_hash_norm: base64Hash(normalizedHash(message)),
    }
  },
  async '/estimateFee'({ chain, body }) {
    const info = { dest: neededAddress(body['address']), importFee: 0n }
    const [code, data] = [maybeCell(body, 'init_code'), maybeCell(body, 'init_data')]
    const message = messageCell({
      info: { type: 'external-in', ...info },
      body: neededCell(body, 'body'),
      ...(code && data && { init: { code, data } }),
    })
    const emulated = await chain.emulate(message, body['ignore_chksig'] === true)
    return { source_fees: writeFees(emulated), destination_fees: [] }
  },
} satisfies Record<string, RequestHandler>

interface RequestedAccount {
  address: Address
  view: AccountView | undefined
  isByNode: boolean
}

async function requestedAccount(request: V3Request): Promise<RequestedAccount> {
  const { chain, query } = request
  const address = neededAddress(query.get('address'))
  const isByNode = flagOf(query, 'use_v2')
  const view = isByNode ? await chain.account(address) : await accountOf(request, address)
  return { address, view, isByNode }
}

/** API v2 has no status for accounts that do not exist. */
function statusOf({ view, isByNode }: RequestedAccount): string {
  const status = view?.status ?? 'uninit'
  const word = status === 'nonexist' ? 'uninit' : status
  return isByNode && word === 'uninit' ? 'uninitialized' : word
}

async function addressInformation(request: V3Request): Promise<Json> {
  const account = await requestedAccount(request)
  const { view } = account
  return {
    balance: (view?.balance ?? 0n).toString(),
    code: view?.code === undefined ? null : base64Boc(view.code),
    data: view?.data === undefined ? null : base64Boc(view.data),
    last_transaction_lt: (view?.last.lt ?? 0n).toString(),
    last_transaction_hash: base64Hash(view?.last.hash ?? 0n),
    frozen_hash: view?.frozenHash === undefined ? null : base64Hash(view.frozenHash),
    status: statusOf(account),
  }
}

async function walletInformation(request: V3Request): Promise<Json> {
  const account = await requestedAccount(request)
  const { view } = account
  const wallet = view && walletOf(view)
  if (view?.code !== undefined && wallet === undefined) throw new HttpError(409, 'not a wallet')
  return {
    balance: (view?.balance ?? 0n).toString(),
    ...(wallet && writeWalletFacts(wallet)),
    last_transaction_lt: (view?.last.lt ?? 0n).toString(),
    last_transaction_hash: base64Hash(view?.last.hash ?? 0n),
    status: statusOf(account),
  }
}

function neededCell(body: V3Request['body'], name: string): Cell {
  const cell = maybeCell(body, name)
  if (cell === undefined) throw new HttpError(401, `${name} is required`)
  return cell
}

function maybeCell(body: V3Request['body'], name: string): Cell | undefined {
  const text = body[name]
  if (text === undefined || text === null || text === '') return undefined
  try {
    if (typeof text !== 'string') throw new TypeError('not a string')
    return Cell.fromBase64(text)
  } catch {
    throw new HttpError(422, `failed to parse request: ${name} is not a bag of cells`)
  }
}

/** Returns the fees of a transaction in nanocoins. */
function writeFees({ description, totalFees }: Transaction): Json {
  if (description.type !== 'generic') throw new HttpError(500, 'the message made no transaction')
  const { storagePhase, computePhase, actionPhase } = description
  const storage = storagePhase?.storageFeesCollected ?? 0n
  const gas = computePhase.type === 'vm' ? computePhase.gasFees : 0n
  const actions = actionPhase?.totalActionFees ?? 0n
  return {
    // The rest of the fees is for importing the message.
    in_fwd_fee: Number(totalFees.coins - storage - gas - actions),
    storage_fee: Number(storage),
    gas_fee: Number(gas),
    fwd_fee: Number(actionPhase?.totalFwdFees ?? 0n),
  }
}

/** Reads the arguments of API v3, which has three types, by the format of API v2. */
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

/** Writes a slice on top of the stack as a cell, unlike a slice inside a tuple. */
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
