import { encodeBase64 } from '../../../shared/base64.js'
import type { Cell } from '../../../shared/cells/cell.js'

const MAGIC = [0xb5, 0xee, 0x9c, 0x72]
/** Number of bytes of an index and of an offset. */
const INDEX_BYTES = 1
const OFFSET_BYTES = 2

/** Writes a small tree of cells as a bag of cells in base64: without index and checksum, at most 255 ordinary cells. */
export function encodeBoc(root: Cell): string {
  const cells = withDescendants(root)
  const written = cells.flatMap(({ bytes, bitLength, refs }) => [
    refs.length,
    Math.floor(bitLength / 8) + Math.ceil(bitLength / 8),
    ...bytes,
    ...refs.map((ref) => cells.indexOf(ref)),
  ])
  const header = [INDEX_BYTES, OFFSET_BYTES, cells.length, 1, 0]
  const size = [written.length >> 8, written.length & 0xff]
  return encodeBase64(Uint8Array.from([...MAGIC, ...header, ...size, 0, ...written]))
}

/** Returns each cell before those that it refers to. */
function withDescendants(cell: Cell): Cell[] {
  return [cell, ...cell.refs.flatMap(withDescendants)]
}
