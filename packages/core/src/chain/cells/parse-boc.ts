import { decodeBase64 } from '../../shared/base64.js'
import { CellError, countLevels, type Cell } from './cell.js'

const GENERIC = 0xb5ee9c72
const INDEXED = 0x68ff65f3
const INDEXED_CRC = 0xacc3a728
const MAX_REFS = 4
/** Maximum depth of cells in the network. Deeper trees would overflow the call stack. */
const MAX_DEPTH = 1024
/** A reference count that means that the cell is absent from the bag. */
const ABSENT = 7

// CRC-32C (Castagnoli), reflected.
const CRC_POLYNOMIAL = 0x82f63b78

interface Header {
  cellCount: number
  root: number
  hasChecksum: boolean
  /** Number of bytes per reference. */
  refBytes: number
  /** Offset and length of the cells in bytes. */
  cellsAt: number
  cellsLength: number
}

/** A cell whose references are indexes. */
interface RawCell {
  bytes: Uint8Array
  bitLength: number
  isExotic: boolean
  refs: number[]
}

/**
 * Parses a bag of cells with one root from base64.
 * @throws {CellError} for an invalid string.
 */
export function decodeBoc(text: string): Cell {
  let bytes: Uint8Array
  try {
    bytes = decodeBase64(text)
  } catch {
    throw new CellError('expected base64')
  }
  return parseBoc(bytes)
}

/**
 * Parses a bag of cells with one root, in any of its three formats.
 * @throws {CellError} for invalid bytes.
 */
export function parseBoc(bytes: Uint8Array): Cell {
  const header = readHeader(bytes)
  checkLength(bytes, header)
  const raw: RawCell[] = []
  let at = header.cellsAt
  for (let index = 0; index < header.cellCount; index++) {
    at = readRawCell(bytes, at, { refBytes: header.refBytes, index, raw })
  }
  if (at !== header.cellsAt + header.cellsLength) throw new CellError('the cells end elsewhere')
  return link(raw, header.root)
}

function readHeader(bytes: Uint8Array): Header {
  const form = integer(bytes, 0, 4)
  if (form !== GENERIC && form !== INDEXED && form !== INDEXED_CRC) {
    throw new CellError('expected the magic number of a bag of cells')
  }
  const isGeneric = form === GENERIC
  const flags = integer(bytes, 4, 1)
  const refBytes = isGeneric ? flags & 7 : flags
  const offsetBytes = integer(bytes, 5, 1)
  if (refBytes < 1 || refBytes > 4 || offsetBytes < 1 || offsetBytes > 6) {
    throw new CellError('its sizes are out of bounds')
  }
  const cellCount = integer(bytes, 6, refBytes)
  const rootCount = integer(bytes, 6 + refBytes, refBytes)
  if (rootCount !== 1) throw new CellError(`it has ${rootCount} roots`)
  const cellsLength = integer(bytes, 6 + refBytes * 3, offsetBytes)
  const rootAt = 6 + refBytes * 3 + offsetBytes
  const indexAt = isGeneric ? rootAt + refBytes : rootAt
  const hasIndex = isGeneric ? (flags & 0x80) !== 0 : true
  return {
    cellCount,
    // The older formats have no root index: the root is the first cell.
    root: isGeneric ? integer(bytes, rootAt, refBytes) : 0,
    hasChecksum: isGeneric ? (flags & 0x40) !== 0 : form === INDEXED_CRC,
    refBytes,
    cellsAt: indexAt + (hasIndex ? cellCount * offsetBytes : 0),
    cellsLength,
  }
}

function checkLength(bytes: Uint8Array, { cellsAt, cellsLength, hasChecksum }: Header): void {
  const end = cellsAt + cellsLength
  if (bytes.length !== end + (hasChecksum ? 4 : 0)) throw new CellError('it is cut or too long')
  if (!hasChecksum) return
  const checksum = new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true)
  if (checksum !== crc32c(bytes.subarray(0, end))) throw new CellError('its checksum is wrong')
}

/** Reads one cell and returns the offset of the next one. */
function readRawCell(
  bytes: Uint8Array,
  at: number,
  { refBytes, index, raw }: { refBytes: number; index: number; raw: RawCell[] },
): number {
  const first = integer(bytes, at, 1)
  const refCount = first & 7
  if (refCount === ABSENT) throw new CellError('one of its cells is absent')
  if (refCount > MAX_REFS) throw new CellError('one of its cells has too many references')
  const halfBytes = integer(bytes, at + 1, 1)
  // Stored hashes and depths are skipped, since they are computed anyway.
  const hashCount = (first & 0x10) === 0 ? 0 : countLevels(first >> 5) + 1
  const dataAt = at + 2 + hashCount * 34
  const byteLength = Math.ceil(halfBytes / 2)
  const refsAt = dataAt + byteLength
  const data = slice(bytes, dataAt, byteLength)
  const { content, bitLength } = halfBytes % 2 === 0 ? whole(data) : withoutTag(data)
  const refs: number[] = []
  for (let ref = 0; ref < refCount; ref++) {
    const target = integer(bytes, refsAt + ref * refBytes, refBytes)
    // References must point forward, so there are no cycles.
    if (target <= index) throw new CellError('a reference leads backwards')
    refs.push(target)
  }
  raw.push({ bytes: content, bitLength, isExotic: (first & 8) !== 0, refs })
  return refsAt + refCount * refBytes
}

function whole(data: Uint8Array): { content: Uint8Array; bitLength: number } {
  return { content: data, bitLength: data.length * 8 }
}

/** Removes the final 1 and the zeros after it from bits that do not fill the last byte. */
function withoutTag(data: Uint8Array): { content: Uint8Array; bitLength: number } {
  // `slice` of a Buffer would not copy.
  const content = new Uint8Array(data)
  const last = content.at(-1) ?? 0
  if (last === 0) throw new CellError('the bits of a cell have no end')
  const unused = 31 - Math.clz32(last & -last)
  content[content.length - 1] = last & (last - 1)
  const bitLength = content.length * 8 - unused - 1
  return { content: content.subarray(0, Math.ceil(bitLength / 8)), bitLength }
}

function link(raw: readonly RawCell[], root: number): Cell {
  const cells: Cell[] = []
  const depths: number[] = []
  for (let index = raw.length - 1; index >= 0; index--) {
    const { refs, ...rest } = raw[index] as RawCell
    cells[index] = { ...rest, refs: refs.map((ref) => known(cells[ref])) }
    const depth = Math.max(0, ...refs.map((ref) => (depths[ref] ?? 0) + 1))
    if (depth > MAX_DEPTH) throw new CellError('its cells are too deep')
    depths[index] = depth
  }
  return known(cells[root])
}

function known(cell: Cell | undefined): Cell {
  if (cell === undefined) throw new CellError('a reference leads nowhere')
  return cell
}

function integer(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (const byte of slice(bytes, at, length)) value = value * 256 + byte
  return value
}

function slice(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw new CellError('it ends too early')
  return bytes.subarray(at, at + length)
}

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ CRC_POLYNOMIAL
    }
  }
  return ~crc >>> 0
}
