import { decodeBase64 } from '../../shared/base64.js'
import { undefinedOn } from '../../shared/undefined-on.js'

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 …
const TAG = 0b0111
const LT_BIT = 4 + 256
const PREVIOUS_LT_BIT = LT_BIT + 64 + 256
const NEEDED_BYTES = Math.ceil((PREVIOUS_LT_BIT + 64) / 8)

const MAGIC = 0xb5ee9c72
const HAS_INDEX = 0x80
const HAS_HASHES = 0x10
/** Enough for the header, an index of many cells, and the root cell. */
const READ_CHARACTERS = 2048

/**
 * Returns the lt of the previous transaction of the account, 0 for the first one. It is in the root cell of `data`, so one
 * transaction shows if older ones exist.
 * @param lt the transaction's own lt, which must match the cell
 * @returns `undefined` for an unsupported bag of cells
 */
export function previousLt(data: string, lt: bigint): bigint | undefined {
  const root = readRootCell(data)
  if (root === undefined || root.byteLength < NEEDED_BYTES) return undefined
  if (root.getUint8(0) >> 4 !== TAG || readUint64(root, LT_BIT) !== lt) return undefined
  return readUint64(root, PREVIOUS_LT_BIT)
}

/** Returns the data of the root cell if it is the first cell, as servers write it. */
function readRootCell(base64: string): DataView | undefined {
  const bytes = undefinedOn(DOMException, () => decodeBase64(base64.slice(0, READ_CHARACTERS)))
  if (bytes === undefined) return undefined
  const view = new DataView(bytes.buffer)
  if (view.byteLength < 6 || view.getUint32(0) !== MAGIC) return undefined
  const flags = view.getUint8(4)
  const indexSize = flags & 7
  const offsetSize = view.getUint8(5)
  const cells = readUint(view, 6, indexSize)
  const roots = readUint(view, 6 + indexSize, indexSize)
  const rootList = 6 + 3 * indexSize + offsetSize
  if (roots !== 1 || readUint(view, rootList, indexSize) !== 0) return undefined
  const index = (flags & HAS_INDEX) === 0 ? 0 : cells * offsetSize
  const start = rootList + indexSize + index
  if (start + 2 > view.byteLength || (view.getUint8(start) & HAS_HASHES) !== 0) return undefined
  const length = Math.ceil(view.getUint8(start + 1) / 2)
  if (start + 2 + length > view.byteLength) return undefined
  return new DataView(view.buffer, start + 2, length)
}

/** Reads a big-endian integer; NaN past the end. */
function readUint(view: DataView, at: number, size: number): number {
  if (at + size > view.byteLength) return Number.NaN
  let value = 0
  for (let offset = 0; offset < size; offset++) value = value * 256 + view.getUint8(at + offset)
  return value
}

/** Reads 64 bits that start in the middle of a byte. */
function readUint64(view: DataView, bit: number): bigint {
  const at = bit >> 3
  const high = view.getBigUint64(at) << 4n
  return BigInt.asUintN(64, high) | BigInt(view.getUint8(at + 8) >> 4)
}
