import {
  beginCell,
  Dictionary,
  storeCommonMessageInfo,
  storeAccountStatus,
  storeCurrencyCollection,
  storeHashUpdate,
  storeTransactionDescription,
  type Cell,
  type CommonMessageInfo,
} from '@ton/core'
import type { V3Transaction } from '../v3/generated/types.js'
import { parseAddress } from '../../shared/address.js'
import { toAddress } from './addresses.js'
import { fieldsOf, hashToBigint, readCell, required, toCurrencies, translate } from './fields.js'
import { rebuildDescriptions } from './rebuild-description.js'

type Message = V3Transaction['out_msgs'][number]

const TAG = 0b0111
const STATUSES = {
  nonexist: 'non-existing',
  uninit: 'uninitialized',
  active: 'active',
  frozen: 'frozen',
} as const

/**
 * Rebuilds the cell of a transaction from the fields of API v3. Returns one or more candidates; only the hash shows which
 * one is correct. Source: `transaction$0111` in block.tlb.
 * @throws {ContractDataError} when a required field is missing.
 */
export function rebuildTransaction(transaction: V3Transaction): Cell[] {
  const messages = messagesOf(transaction)
  const { account_state_before: before, account_state_after: after } = transaction
  const { prev_trans_hash: previous = '' } = transaction
  const update = beginCell().store(
    storeHashUpdate({
      oldHash: stateHash(before, 'account_state_before'),
      newHash: stateHash(after, 'account_state_after'),
    }),
  )
  const other = toCurrencies(transaction.total_fees_extra_currencies)
  return rebuildDescriptions(transaction.description).map((description) =>
    beginCell()
      .storeUint(TAG, 4)
      .storeBuffer(Buffer.from(parseAddress(transaction.account).hash, 'hex'))
      .storeUint(transaction.lt, 64)
      .storeUint(previous === '' ? 0n : hashToBigint(previous), 256)
      .storeUint(transaction.prev_trans_lt ?? 0n, 64)
      .storeUint(transaction.now, 32)
      .storeUint(transaction.out_msgs.length, 15)
      .store(storeAccountStatus(translate(STATUSES, transaction.orig_status, 'orig_status')))
      .store(storeAccountStatus(translate(STATUSES, transaction.end_status, 'end_status')))
      .storeRef(messages)
      .store(storeCurrencyCollection({ coins: transaction.total_fees, ...(other && { other }) }))
      .storeRef(update)
      .storeRef(beginCell().store(storeTransactionDescription(description)))
      .endCell(),
  )
}

function stateHash(state: V3Transaction['account_state_before'], path: string): Buffer {
  return Buffer.from(required(required(state, path).hash, `${path}.hash`), 'base64')
}

function messagesOf({ in_msg: incoming, out_msgs: outgoing }: V3Transaction): Cell {
  const sent = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell())
  const inOrder = outgoing
    .map((message, index) => ({ message, path: `out_msgs[${index}]` }))
    .toSorted((a, b) => Number((a.message.created_lt ?? 0n) - (b.message.created_lt ?? 0n)))
  for (const [index, { message, path }] of inOrder.entries()) {
    sent.set(index, rebuildMessage(message, path))
  }
  return beginCell()
    .storeMaybeRef(incoming === undefined ? null : rebuildMessage(incoming, 'in_msg'))
    .storeDict(sent)
    .endCell()
}

/**
 * Rebuilds the cell of a message. State and body may be inline or in cells of their own; the index does not report which,
 * so each layout is tried until the hash matches. Returns the first layout when none matches.
 */
function rebuildMessage(message: Message, path: string): Cell {
  const body = required(contentOf(message, 'message_content', path), `${path}.message_content.body`)
  const init = contentOf(message, 'init_state', path)
  const expected = Buffer.from(message.hash, 'base64')
  const infos = infosOf(message, path)
  const layouts = layoutsOf(body, init)
  const cells = infos.flatMap((info) => layouts.flatMap((layout) => write(info, layout)))
  // The first layout, with all parts in cells of their own, always fits.
  return cells.find((cell) => cell.hash().equals(expected)) ?? (cells[0] as Cell)
}

/** The state or the body, and whether it is in a cell of its own. */
interface Part {
  cell: Cell
  isRef: boolean
}

/** Returns all layouts; the first has all parts in cells of their own. */
function layoutsOf(body: Cell, init: Cell | undefined): Part[][] {
  const bodies = [true, false].map((isRef) => ({ cell: body, isRef }))
  if (init === undefined) return bodies.map((part) => [part])
  return [true, false].flatMap((isRef) => bodies.map((part) => [{ cell: init, isRef }, part]))
}

/** Returns no cell when the parts do not fit. */
function write(info: CommonMessageInfo, parts: Part[]): Cell[] {
  const builder = beginCell()
    .store(storeCommonMessageInfo(info))
    .storeBit(parts.length > 1)
  for (const { cell, isRef } of parts) {
    const bits = isRef ? 0 : cell.bits.length
    const refs = isRef ? 1 : cell.refs.length
    if (builder.availableBits < bits + 1 || builder.availableRefs < refs) return []
    builder.storeBit(isRef)
    if (isRef) builder.storeRef(cell)
    else builder.storeSlice(cell.beginParse(true))
  }
  return [builder.endCell()]
}

function contentOf(
  message: Message,
  name: 'message_content' | 'init_state',
  path: string,
): Cell | undefined {
  const boc = message[name]?.body
  if (boc === undefined) return undefined
  return readCell(boc, { subject: 'transaction', path: `${path}.${name}.body` })
}

/** Returns the candidates for the message's header. */
function infosOf(message: Message, path: string): CommonMessageInfo[] {
  const read = fieldsOf(message, path)
  const { source, destination } = message
  const created = () => ({ createdLt: read('created_lt'), createdAt: read('created_at') })
  if (destination === undefined) {
    return [{ type: 'external-out', src: toAddress(read('source')), dest: null, ...created() }]
  }
  const dest = toAddress(destination)
  if (source === undefined) {
    return [{ type: 'external-in', src: null, dest, importFee: message.import_fee ?? 0n }]
  }
  const other = toCurrencies(message.value_extra_currencies)
  const info = {
    type: 'internal',
    ihrDisabled: read('ihr_disabled'),
    bounce: read('bounce'),
    bounced: read('bounced'),
    src: toAddress(source),
    dest,
    value: { coins: read('value'), ...(other && { other }) },
    forwardFee: read('fwd_fee'),
    ...created(),
  } as const
  const { ihr_fee: ihrFee = 0n, extra_flags: flags } = message
  // Since TVM version 12 the field of the IHR fee holds flags.
  const candidates = new Set([ihrFee, flags === undefined || flags === '' ? ihrFee : BigInt(flags)])
  return [...candidates].map((fee) => ({ ...info, ihrFee: fee }))
}
