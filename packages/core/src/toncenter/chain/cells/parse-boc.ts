import { decodeBase64 } from '../../../shared/base64.js'
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

/** A cell whose references are indexes. */
type RawCell = Omit<Cell, 'refs'> & { refs: number[] }

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
  const reader = new ByteReader(bytes)
  const { refBytes, cellCount, cellsLength, root, hasChecksum } = readHeader(reader)
  const end = reader.position + cellsLength
  if (bytes.length !== end + (hasChecksum ? 4 : 0)) throw new CellError('it is cut or too long')
  if (hasChecksum) checkCrc(bytes, end)
  const raw: RawCell[] = []
  while (raw.length < cellCount) raw.push(readRawCell(reader, { refBytes, index: raw.length }))
  if (reader.position !== end) throw new CellError('the cells end elsewhere')
  return link(raw, root)
}

/** Sequential reader. Every read throws a {@link CellError} at the end of the bytes. */
class ByteReader {
  position = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(length: number): Uint8Array {
    const end = this.position + length
    if (end > this.#bytes.length) throw new CellError('it ends too early')
    const taken = this.#bytes.subarray(this.position, end)
    this.position = end
    return taken
  }

  integer(length: number): number {
    return this.take(length).reduce((value, byte) => value * 256 + byte, 0)
  }
}

/** Reads all up to the cells. */
function readHeader(reader: ByteReader) {
  const form = reader.integer(4)
  if (form !== GENERIC && form !== INDEXED && form !== INDEXED_CRC) {
    throw new CellError('expected the magic number of a bag of cells')
  }
  const isGeneric = form === GENERIC
  const flags = reader.integer(1)
  const refBytes = isGeneric ? flags & 7 : flags
  const offsetBytes = reader.integer(1)
  if (refBytes < 1 || refBytes > 4 || offsetBytes < 1 || offsetBytes > 6) {
    throw new CellError('its sizes are out of bounds')
  }
  const cellCount = reader.integer(refBytes)
  const rootCount = reader.integer(refBytes)
  if (rootCount !== 1) throw new CellError(`it has ${rootCount} roots`)
  // The number of absent cells.
  reader.take(refBytes)
  const cellsLength = reader.integer(offsetBytes)
  // The older formats have no root index: the root is the first cell.
  const root = isGeneric ? reader.integer(refBytes) : 0
  const hasIndex = !isGeneric || (flags & 0x80) !== 0
  if (hasIndex) reader.position += cellCount * offsetBytes
  const hasChecksum = isGeneric ? (flags & 0x40) !== 0 : form === INDEXED_CRC
  return { refBytes, cellCount, cellsLength, root, hasChecksum }
}

function readRawCell(
  reader: ByteReader,
  { refBytes, index }: { refBytes: number; index: number },
): RawCell {
  const first = reader.integer(1)
  const refCount = first & 7
  if (refCount === ABSENT) throw new CellError('one of its cells is absent')
  if (refCount > MAX_REFS) throw new CellError('one of its cells has too many references')
  const halfBytes = reader.integer(1)
  // Stored hashes and depths are skipped, since they are computed anyway.
  const hashCount = (first & 0x10) === 0 ? 0 : countLevels(first >> 5) + 1
  reader.take(hashCount * 34)
  const data = reader.take(Math.ceil(halfBytes / 2))
  const content =
    halfBytes % 2 === 0 ? { bytes: data, bitLength: data.length * 8 } : withoutTag(data)
  const refs = Array.from({ length: refCount }, () => reader.integer(refBytes))
  // References must point forward, so there are no cycles.
  if (refs.some((ref) => ref <= index)) throw new CellError('a reference leads backwards')
  return { ...content, isExotic: (first & 8) !== 0, refs }
}

/** Removes the final 1 and the zeros after it from bits that do not fill the last byte. */
function withoutTag(data: Uint8Array): Pick<RawCell, 'bytes' | 'bitLength'> {
  // `slice` of a Buffer would not copy.
  const content = new Uint8Array(data)
  const last = content.at(-1) ?? 0
  if (last === 0) throw new CellError('the bits of a cell have no end')
  const unused = 31 - Math.clz32(last & -last)
  content[content.length - 1] = last & (last - 1)
  const bitLength = content.length * 8 - unused - 1
  return { bytes: content.subarray(0, Math.ceil(bitLength / 8)), bitLength }
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

/** @throws {CellError} unless the checksum after `end` is that of the bytes before. */
function checkCrc(bytes: Uint8Array, end: number): void {
  const checksum = new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true)
  if (checksum !== crc32c(bytes.subarray(0, end))) throw new CellError('its checksum is wrong')
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
