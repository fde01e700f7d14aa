import { beginCell, storeStateInit, type Cell } from '@ton/core'
import { base64Boc, base64Hash, rawAddress } from '../spellings.js'
import { decodeBody, nameOfOpcode } from './bodies.js'
import { factsOf } from './facts.js'
import type { Json } from './json.js'
import { writeCurrencies } from './write-currencies.js'

/** A message, as a transaction has it. */
export function writeMessage(cell: Cell): Json {
  const { message, hash, normalizedHash, bodyHash, opcode } = factsOf(cell)
  const { info, body, init } = message
  const isInternal = info.type === 'internal'
  const isFromOutside = info.type === 'external-in'
  return {
    hash,
    ...(isFromOutside && { hash_norm: normalizedHash }),
    source: isFromOutside ? null : rawAddress(info.src),
    destination: info.type === 'external-out' ? null : rawAddress(info.dest),
    value: isInternal ? info.value.coins.toString() : null,
    value_extra_currencies: isInternal ? writeCurrencies(info.value.other ?? []) : null,
    fwd_fee: isInternal ? info.forwardFee.toString() : null,
    ihr_fee: isInternal ? '0' : null,
    extra_flags: isInternal ? info.ihrFee.toString() : null,
    created_lt: isFromOutside ? null : info.createdLt.toString(),
    created_at: isFromOutside ? null : info.createdAt.toString(),
    opcode: opcode === undefined ? null : `0x${opcode.toString(16).padStart(8, '0')}`,
    decoded_opcode: (opcode !== undefined && nameOfOpcode(opcode)) || null,
    ihr_disabled: isInternal ? info.ihrDisabled : null,
    bounce: isInternal ? info.bounce : null,
    bounced: isInternal ? info.bounced : null,
    import_fee: isFromOutside ? '0' : null,
    message_content: { hash: bodyHash, body: base64Boc(body), decoded: decodeBody(body) ?? null },
    init_state: init ? writeCell(beginCell().store(storeStateInit(init)).endCell()) : null,
  }
}

function writeCell(cell: Cell): Json {
  return { hash: base64Hash(cell.hash()), body: base64Boc(cell), decoded: null }
}
