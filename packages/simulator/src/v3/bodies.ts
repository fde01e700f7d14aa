import type { Address, Cell, Slice } from '@ton/core'
import { base64Boc } from '../shared/encodings.js'
import type { Json } from './json.js'

/** The opcodes of decoded bodies. Source: TEP-74; `jettonMint`: the minter contract. */
export const OPCODES = {
  textComment: 0x00000000,
  encryptedComment: 0x2167da4b,
  jettonMint: 0x00000015,
  jettonTransfer: 0x0f8a7ea5,
  jettonInternalTransfer: 0x178d4519,
  jettonNotify: 0x7362d09c,
  jettonBurn: 0x595f07bc,
  jettonBurnNotification: 0x7bdd97de,
  excess: 0xd53276db,
} as const

const NAMES: ReadonlyMap<number, string> = new Map([
  [OPCODES.textComment, 'text_comment'],
  [OPCODES.encryptedComment, 'encrypted_comment'],
  [OPCODES.jettonTransfer, 'jetton_transfer'],
  [OPCODES.jettonInternalTransfer, 'jetton_internal_transfer'],
  [OPCODES.jettonNotify, 'jetton_notify'],
  [OPCODES.jettonBurn, 'jetton_burn'],
  [OPCODES.jettonBurnNotification, 'jetton_burn_notification'],
  [OPCODES.excess, 'excess'],
])

/** Returns the name of an opcode; undefined when it is unknown. */
export function nameOfOpcode(opcode: number): string | undefined {
  return NAMES.get(opcode)
}

/** A jetton transfer that the owner requests from the jetton wallet. */
export interface JettonTransferBody {
  queryId: bigint
  amount: bigint
  destination: Address
  responseDestination: Address | null
  customPayload: Cell | null
  forwardCoins: bigint
  /** Null when it is empty. */
  forwardPayload: Cell | null
}

/** Reads a transfer request; returns undefined for any other body. */
export function readJettonTransfer(body: Cell): JettonTransferBody | undefined {
  return readBody(body, OPCODES.jettonTransfer, (slice) => ({
    queryId: slice.loadUintBig(64),
    amount: slice.loadCoins(),
    destination: slice.loadAddress(),
    responseDestination: slice.loadMaybeAddress(),
    customPayload: slice.loadMaybeRef(),
    forwardCoins: slice.loadCoins(),
    forwardPayload: readEither(slice),
  }))
}

/** The message between two jetton wallets, or from the master to a wallet when it mints. */
interface JettonInternalTransferBody {
  queryId: bigint
  amount: bigint
  from: Address | null
  responseAddress: Address | null
  forwardCoins: bigint
  forwardPayload: Cell | null
}

/** Reads an internal transfer; returns undefined for any other body. */
export function readJettonInternalTransfer(body: Cell): JettonInternalTransferBody | undefined {
  return readBody(body, OPCODES.jettonInternalTransfer, (slice) => ({
    queryId: slice.loadUintBig(64),
    amount: slice.loadCoins(),
    from: slice.loadMaybeAddress(),
    responseAddress: slice.loadMaybeAddress(),
    forwardCoins: slice.loadCoins(),
    forwardPayload: readEither(slice),
  }))
}

/** A burn that the owner requests from the jetton wallet. */
export interface JettonBurnBody {
  queryId: bigint
  amount: bigint
  responseDestination: Address | null
  customPayload: Cell | null
}

/** Reads a burn request; returns undefined for any other body. */
export function readJettonBurn(body: Cell): JettonBurnBody | undefined {
  return readBody(body, OPCODES.jettonBurn, (slice) => ({
    queryId: slice.loadUintBig(64),
    amount: slice.loadCoins(),
    responseDestination: slice.loadMaybeAddress(),
    customPayload: slice.remainingBits > 0 ? slice.loadMaybeRef() : null,
  }))
}

/** Returns the comment of a body or payload; undefined when it has none. */
export function commentIn(body: Cell | null): { text: string; isEncrypted: boolean } | undefined {
  if (body === null || body.isExotic) return undefined
  const slice = body.beginParse()
  const opcode = slice.remainingBits < 32 ? undefined : slice.loadUint(32)
  try {
    if (opcode === OPCODES.textComment && slice.remainingBits + slice.remainingRefs > 0) {
      return { text: slice.loadStringTail(), isEncrypted: false }
    }
    if (opcode === OPCODES.encryptedComment) {
      const bytes = slice.loadBuffer(Math.floor(slice.remainingBits / 8))
      return { text: bytes.toString('base64'), isEncrypted: true }
    }
  } catch {
    // The bits are not whole bytes.
  }
  return undefined
}

/** Decodes a body; returns undefined when its format is unknown. */
export function decodeBody(body: Cell): Json | undefined {
  if (body.isExotic) return undefined
  if (body.bits.length === 0 && body.refs.length === 0) return { '@type': 'empty_cell' }
  const comment = commentIn(body)
  if (comment !== undefined) {
    return {
      type: comment.isEncrypted ? 'encrypted_comment' : 'text_comment',
      comment: comment.text,
    }
  }
  const slice = body.beginParse()
  const name = slice.remainingBits < 32 ? undefined : nameOfOpcode(slice.preloadUint(32))
  const fields = fieldsOf(body)
  return fields && { '@type': name, ...fields }
}

function fieldsOf(body: Cell): Json | undefined {
  const read = readJetton(body)
  if (read === undefined) return notificationFieldsOf(body)
  return {
    query_id: read.queryId.toString(),
    amount: writeAmount(read.amount),
    ...('destination' in read && { destination: writeAddress(read.destination) }),
    ...('from' in read && {
      from: writeAddress(read.from),
      response_address: writeAddress(read.responseAddress),
    }),
    ...('customPayload' in read && {
      response_destination: writeAddress(read.responseDestination),
      custom_payload: writeMaybe(read.customPayload),
    }),
    ...('forwardCoins' in read && {
      forward_ton_amount: writeAmount(read.forwardCoins),
      forward_payload: writePayload(read.forwardPayload),
    }),
  }
}

function readJetton(
  body: Cell,
): JettonTransferBody | JettonInternalTransferBody | JettonBurnBody | undefined {
  return readJettonTransfer(body) ?? readJettonInternalTransfer(body) ?? readJettonBurn(body)
}

function notificationFieldsOf(body: Cell): Json | undefined {
  return (
    readBody(body, OPCODES.jettonNotify, (slice) => ({
      query_id: slice.loadUintBig(64).toString(),
      amount: writeAmount(slice.loadCoins()),
      sender: writeAddress(slice.loadMaybeAddress()),
      forward_payload: writePayload(readEither(slice)),
    })) ??
    readBody(body, OPCODES.jettonBurnNotification, (slice) => ({
      query_id: slice.loadUintBig(64).toString(),
      amount: writeAmount(slice.loadCoins()),
      sender: writeAddress(slice.loadMaybeAddress()),
      response_destination: writeAddress(slice.loadMaybeAddress()),
    })) ??
    readBody(body, OPCODES.excess, (slice) => ({ query_id: slice.loadUintBig(64).toString() }))
  )
}

function readBody<Result>(
  body: Cell,
  opcode: number,
  read: (slice: Slice) => Result,
): Result | undefined {
  if (body.isExotic) return undefined
  const slice = body.beginParse()
  if (slice.remainingBits < 32 || slice.loadUint(32) !== opcode) return undefined
  try {
    return read(slice)
  } catch {
    // Data follows the opcode.
    return undefined
  }
}

/** Returns a payload, stored in place or in a reference; null when it is empty. */
function readEither(slice: Slice): Cell | null {
  const isApart = slice.remainingBits > 0 && slice.loadBit()
  const payload = isApart ? slice.loadRef() : slice.asCell()
  return payload.bits.length === 0 && payload.refs.length === 0 ? null : payload
}

function writeAmount(value: bigint): Json {
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
  return { '@type': 'var_uint', len: bytes.toString(), value: value.toString() }
}

function writeAddress(address: Address | null): Json {
  if (address === null) return { '@type': 'addr_none' }
  return {
    '@type': 'addr_std',
    anycast: { '@type': 'nothing_from_maybe' },
    workchain_id: address.workChain.toString(),
    address: address.hash.toString('hex').toUpperCase(),
  }
}

function writeMaybe(cell: Cell | null): Json {
  if (cell === null) return { '@type': 'nothing_from_maybe' }
  return { '@type': 'just_from_maybe', value: base64Boc(cell) }
}

function writePayload(cell: Cell | null): Json {
  if (cell === null) return { '@type': 'first_from_either', value: { '@type': 'empty_cell' } }
  const value = decodeBody(cell) ?? { '@type': 'unknown', boc: base64Boc(cell) }
  return { '@type': 'first_from_either', value }
}
