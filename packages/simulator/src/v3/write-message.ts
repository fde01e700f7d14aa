import { beginCell, storeStateInit, type Cell } from '@ton/core'
import { base64Boc, base64Hash, rawAddress } from '../shared/encodings.js'
import { decodeBody, nameOfOpcode } from './bodies.js'
import { factsOf } from './facts.js'
import type { Json } from './json.js'
import { writeCurrencies } from './write-currencies.js'

/** Writes a message of a transaction. */
export function writeMessage(cell: Cell): Json {
  const { message, hash, normalizedHash, bodyHash, opcode } = factsOf(cell)
  const { info, body, init } = message
  const isInternal = info.type === 'internal'
  const isExternal = info.type === 'external-in'
  return {
    hash,
    ...(isExternal && { hash_norm: normalizedHash }),
    source: isExternal ? null : rawAddress(info.src),
    destination: info.type === 'external-out' ? null : rawAddress(info.dest),
    value: isInternal ? info.value.coins.toString() : null,
    value_extra_currencies: isInternal ? writeCurrencies(info.value.other ?? []) : null,
    fwd_fee: isInternal ? info.forwardFee.toString() : null,
    ihr_fee: isInternal ? '0' : null,
    extra_flags: isInternal ? info.ihrFee.toString() : null,
    created_lt: isExternal ? null : info.createdLt.toString(),
    created_at: isExternal ? null : info.createdAt.toString(),
    opcode: opcode === undefined ? null : `0x${opcode.toString(16).padStart(8, '0')}`,
    decoded_opcode: (opcode !== undefined && nameOfOpcode(opcode)) || null,
    ihr_disabled: isInternal ? info.ihrDisabled : null,
    bounce: isInternal ? info.bounce : null,
    bounced: isInternal ? info.bounced : null,
    import_fee: isExternal ? '0' : null,
    message_content: { hash: bodyHash, body: base64Boc(body), decoded: decodeBody(body) ?? null },
    init_state: init ? writeCell(beginCell().store(storeStateInit(init)).endCell()) : null,
  }
}

function writeCell(cell: Cell): Json {
  return { hash: base64Hash(cell.hash()), body: base64Boc(cell), decoded: null }
}
