import { CellError, type Cell } from './cell.js'
import { crc32c } from './crc32c.js'
import { countLevels } from './level-mask.js'

const GENERIC = 0xb5ee9c72
const INDEXED = 0x68ff65f3
const INDEXED_CRC = 0xacc3a728
const MOST_REFS = 4
/** How many cells may be below each other: the network takes no more, and more would overflow the call stack. */
const MOST_DEPTH = 1024
/** In place of the count of references: the cell is not in the bag. */
const ABSENT = 7

/** What a bag of cells says ahead of its cells. */
interface Header {
  cellCount: number
  root: number
  hasChecksum: boolean
  /** Bytes of a reference. */
  refBytes: number
  /** Where the cells begin and how many bytes they have. */
  cellsAt: number
  cellsLength: number
}

/** A cell whose references are still numbers. */
interface RawCell {
  bytes: Uint8Array
  bitLength: number
  isExotic: boolean
  refs: number[]
}

/**
 * Reads a bag of cells with one root, in any of its three forms.
 * @throws {CellError} when the bytes are none.
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
    throw new CellError('the bytes do not begin as a bag of cells')
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
    // The older forms name no root: it is their first cell.
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
  const told = new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true)
  if (told !== crc32c(bytes.subarray(0, end))) throw new CellError('its checksum is wrong')
}

/** @returns where the next one begins. */
function readRawCell(
  bytes: Uint8Array,
  at: number,
  { refBytes, index, raw }: { refBytes: number; index: number; raw: RawCell[] },
): number {
  const first = integer(bytes, at, 1)
  const refCount = first & 7
  if (refCount === ABSENT) throw new CellError('one of its cells is absent')
  if (refCount > MOST_REFS) throw new CellError('one of its cells has too many references')
  const halfBytes = integer(bytes, at + 1, 1)
  // Hashes and depths may be written in front: they are worked out anyway.
  const hashCount = (first & 0x10) === 0 ? 0 : countLevels(first >> 5) + 1
  const dataAt = at + 2 + hashCount * 34
  const byteLength = Math.ceil(halfBytes / 2)
  const refsAt = dataAt + byteLength
  const data = slice(bytes, dataAt, byteLength)
  const { content, bitLength } = halfBytes % 2 === 0 ? whole(data) : withoutTag(data)
  const refs: number[] = []
  for (let ref = 0; ref < refCount; ref++) {
    const target = integer(bytes, refsAt + ref * refBytes, refBytes)
    // References lead forward only, so that there is no circle.
    if (target <= index) throw new CellError('a reference leads backwards')
    refs.push(target)
  }
  raw.push({ bytes: content, bitLength, isExotic: (first & 8) !== 0, refs })
  return refsAt + refCount * refBytes
}

function whole(data: Uint8Array): { content: Uint8Array; bitLength: number } {
  return { content: data, bitLength: data.length * 8 }
}

/** Bits that fill no whole byte end with a 1 and zeros. */
function withoutTag(data: Uint8Array): { content: Uint8Array; bitLength: number } {
  // A copy; `slice` of a Buffer is none.
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
    if (depth > MOST_DEPTH) throw new CellError('its cells are too deep')
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
