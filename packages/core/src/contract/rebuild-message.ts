import { beginCell, storeCommonMessageInfo, type Cell, type CommonMessageInfo } from '@ton/core'
import type { V3Result } from '../v3/client.js'
import { toAddress } from './addresses.js'
import { required, toCurrencies } from './fields.js'
import { readCell } from './read-cell.js'

type Message = V3Result<'messages'>['messages'][number]

/**
 * The cell of a message. Whoever made it was free to put state and body beside the rest or in cells of their own, which
 * the index does not tell; the hash does. Where none of the ways has that hash, the first is as good as any.
 */
export function rebuildMessage(message: Message, path: string): Cell {
  const body = required(contentOf(message, 'message_content', path), `${path}.message_content.body`)
  const init = contentOf(message, 'init_state', path)
  const expected = Buffer.from(message.hash, 'base64')
  const infos = infosOf(message, path)
  const layouts = layoutsOf(body, init)
  const cells = infos.flatMap((info) => layouts.flatMap((layout) => write(info, layout)))
  // With all parts in cells of their own there is always room for it.
  return cells.find((cell) => cell.hash().equals(expected)) ?? (cells[0] as Cell)
}

/** The state, if there is one, or the body; whether it is in a cell of its own. */
interface Part {
  cell: Cell
  isRef: boolean
}

/** Each way to write the parts; the first is with all of them in cells of their own. */
function layoutsOf(body: Cell, init: Cell | undefined): Part[][] {
  const bodies = [true, false].map((isRef) => ({ cell: body, isRef }))
  if (init === undefined) return bodies.map((part) => [part])
  return [true, false].flatMap((isRef) => bodies.map((part) => [{ cell: init, isRef }, part]))
}

/** No cell when the parts do not fit into one. */
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

/** What a message says about its way; more than one where the index leaves that open. */
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
  // Since the twelfth version of the virtual machine the place of the fee holds flags.
  const inItsPlace = new Set([ihrFee, flags === undefined || flags === '' ? ihrFee : BigInt(flags)])
  return [...inItsPlace].map((fee) => ({ ...info, ihrFee: fee }))
}

function whenCreated(message: Message, path: string): { createdLt: bigint; createdAt: number } {
  return {
    createdLt: required(message.created_lt, `${path}.created_lt`),
    createdAt: required(message.created_at, `${path}.created_at`),
  }
}
