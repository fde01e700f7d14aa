import { beginCell, storeCommonMessageInfo, type Cell, type CommonMessageInfo } from '@ton/core'
import type { V3Result } from '../toncenter/v3/client.js'
import { toAddress } from './addresses.js'
import { required, toCurrencies } from './fields.js'
import { readCell } from './read-cell.js'

type Message = V3Result<'messages'>['messages'][number]

/**
 * Rebuilds the cell of a message. State and body may be inline or in cells of their own; the index does not report which,
 * so each layout is tried until the hash matches. Returns the first layout when none matches.
 */
export function rebuildMessage(message: Message, path: string): Cell {
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
  const { source, destination } = message
  if (destination === undefined) {
    const src = toAddress(required(source, `${path}.source`))
    return [{ type: 'external-out', src, dest: null, ...whenCreated(message, path) }]
  }
  const dest = toAddress(destination)
  if (source === undefined)
    return [{ type: 'external-in', src: null, dest, importFee: message.import_fee ?? 0n }]
  const other = toCurrencies(message.value_extra_currencies)
  const info = {
    type: 'internal',
    ihrDisabled: required(message.ihr_disabled, `${path}.ihr_disabled`),
    bounce: required(message.bounce, `${path}.bounce`),
    bounced: required(message.bounced, `${path}.bounced`),
    src: toAddress(source),
    dest,
    value: { coins: required(message.value, `${path}.value`), ...(other && { other }) },
    forwardFee: required(message.fwd_fee, `${path}.fwd_fee`),
    ...whenCreated(message, path),
  } as const
  const { ihr_fee: ihrFee = 0n, extra_flags: flags } = message
  // Since TVM version 12 the field of the IHR fee holds flags.
  const candidates = new Set([ihrFee, flags === undefined || flags === '' ? ihrFee : BigInt(flags)])
  return [...candidates].map((fee) => ({ ...info, ihrFee: fee }))
}

function whenCreated(message: Message, path: string): { createdLt: bigint; createdAt: number } {
  return {
    createdLt: required(message.created_lt, `${path}.created_lt`),
    createdAt: required(message.created_at, `${path}.created_at`),
  }
}
