import { areEqual } from './bytes.js'
import { bitCount, createCell, type ProofCell } from './cell.js'
import { crc32c } from './crc32c.js'
import { demand, ProofError } from './proof-error.js'

const MAGIC = 0xb5ee9c72
const MAX_BYTES = 262_144
const MAX_CELLS = 20_000
const MAX_REFS = 4
const MAX_DATA_BYTES = 128

const FLAG_INDEX = 0x80
const FLAG_CHECKSUM = 0x40
const FLAG_CACHE = 0x20
const UNUSED_FLAGS = 0x18

/** A cell of the bag as it is written: its references are indexes. */
interface WrittenCell {
  isExotic: boolean
  levelMask: number
  /** Hashes and depths that the bag states: they must be the computed ones. */
  stored: Uint8Array
  bytes: Uint8Array
  bitLength: number
  refs: readonly number[]
}

/**
 * Reads a bag of cells in its generic form. Every byte is checked: a bag with unused cells, wrong levels, hashes or
 * offsets, or bytes after its end is rejected. Nothing is assumed about the origin of the bytes.
 * @param rootCount the exact number of roots
 * @throws {ProofError} for any other bytes, and above 256 KiB, 20,000 cells or a depth of 1,024.
 */
export function readCells(bytes: Uint8Array, rootCount: number): ProofCell[] {
  demand(bytes.length <= MAX_BYTES, 'malformed', `a bag of cells has more than ${MAX_BYTES} bytes`)
  const reader = new BagReader(bytes)
  const header = readHeader(reader, rootCount)
  const written: WrittenCell[] = []
  const ends: number[] = []
  const start = reader.position
  while (written.length < header.cellCount) {
    written.push(readCell(reader, written.length, header))
    ends.push(reader.position - start)
  }
  demand(reader.position - start === header.cellsLength, 'malformed', 'the cells end elsewhere')
  checkIndex(header, ends)
  checkEnd(reader, bytes, header.hasChecksum)
  checkUsed(written, header.roots)
  return link(written, header.roots)
}

/** Reads a bag with one root. @throws {ProofError} as {@link readCells}. */
export function readCellTree(bytes: Uint8Array): ProofCell {
  const [root] = readCells(bytes, 1)
  return root as ProofCell
}

class BagReader {
  position = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(length: number): Uint8Array {
    const end = this.position + length
    demand(end <= this.#bytes.length, 'malformed', 'a bag of cells ends too early')
    const taken = this.#bytes.subarray(this.position, end)
    this.position = end
    return taken
  }

  integer(length: number): number {
    return this.take(length).reduce((value, byte) => value * 256 + byte, 0)
  }

  integers(count: number, length: number): number[] {
    return Array.from({ length: count }, () => this.integer(length))
  }
}

function readHeader(reader: BagReader, rootCount: number) {
  demand(reader.integer(4) === MAGIC, 'malformed', 'expected the magic number of a bag of cells')
  const flags = reader.integer(1)
  const refBytes = flags & 7
  const offsetBytes = reader.integer(1)
  const hasIndex = (flags & FLAG_INDEX) !== 0
  const hasCache = (flags & FLAG_CACHE) !== 0
  const isKnown = (flags & UNUSED_FLAGS) === 0 && (hasIndex || !hasCache)
  const hasSizes = refBytes >= 1 && refBytes <= 4 && offsetBytes >= 1 && offsetBytes <= 6
  demand(isKnown && hasSizes, 'malformed', 'a bag of cells has unknown flags or sizes')
  const cellCount = reader.integer(refBytes)
  demand(cellCount <= MAX_CELLS, 'malformed', `a bag has more than ${MAX_CELLS} cells`)
  const roots = reader.integer(refBytes)
  demand(roots === rootCount, 'malformed', `expected ${rootCount} roots; received ${roots}`)
  demand(reader.integer(refBytes) === 0, 'malformed', 'some cells of the bag are absent')
  const cellsLength = reader.integer(offsetBytes)
  return {
    refBytes,
    hasCache,
    hasChecksum: (flags & FLAG_CHECKSUM) !== 0,
    cellCount,
    cellsLength,
    roots: reader.integers(rootCount, refBytes),
    index: hasIndex ? reader.integers(cellCount, offsetBytes) : undefined,
  }
}

type Header = ReturnType<typeof readHeader>

function readCell(reader: BagReader, index: number, header: Header): WrittenCell {
  const first = reader.integer(1)
  const refCount = first & 7
  demand(refCount <= MAX_REFS, 'malformed', 'a cell has too many references, or is absent')
  const halfBytes = reader.integer(1)
  const length = Math.ceil(halfBytes / 2)
  demand(length <= MAX_DATA_BYTES, 'malformed', 'a cell has too many bits')
  const levelMask = first >> 5
  const hasHashes = (first & 0x10) !== 0
  const stored = reader.take(hasHashes ? (bitCount(levelMask) + 1) * 34 : 0)
  const bytes = reader.take(length)
  const refs = reader.integers(refCount, header.refBytes)
  const isForward = refs.every((ref) => ref > index && ref < header.cellCount)
  demand(isForward, 'malformed', 'a reference does not lead forward')
  const bitLength = halfBytes % 2 === 0 ? length * 8 : taggedLength(bytes)
  return { isExotic: (first & 8) !== 0, levelMask, stored, bytes, bitLength, refs }
}

/** The bits of an incomplete byte end with a 1; it must hold at least one bit before. */
function taggedLength(bytes: Uint8Array): number {
  const last = bytes.at(-1) ?? 0
  demand((last & 0x7f) !== 0, 'malformed', 'the bits of a cell have no end')
  return bytes.length * 8 - 32 + Math.clz32(last & -last)
}

function checkIndex({ index, hasCache }: Header, ends: readonly number[]): void {
  const isRight = index?.every((entry, at) => (hasCache ? entry >> 1 : entry) === ends[at]) ?? true
  demand(isRight, 'malformed', 'the index of a bag has wrong offsets')
}

function checkEnd(reader: BagReader, bytes: Uint8Array, hasChecksum: boolean): void {
  const content = bytes.subarray(0, reader.position)
  if (hasChecksum) {
    const stated = new DataView(new Uint8Array(reader.take(4)).buffer).getUint32(0, true)
    demand(stated === crc32c(content), 'malformed', 'the checksum of a bag is wrong')
  }
  demand(reader.position === bytes.length, 'malformed', 'bytes follow the end of a bag')
}

function checkUsed(cells: readonly WrittenCell[], roots: readonly number[]): void {
  demand(
    new Set(roots).size === roots.length && roots.every((root) => root < cells.length),
    'malformed',
    'a root is repeated, or leads nowhere',
  )
  const used = new Set([...roots, ...cells.flatMap(({ refs }) => refs)])
  demand(used.size === cells.length, 'malformed', 'a cell of the bag is not used')
}

function link(written: readonly WrittenCell[], roots: readonly number[]): ProofCell[] {
  const cells = new Map<number, ProofCell>()
  const known = (index: number): ProofCell => {
    const cell = cells.get(index)
    if (cell === undefined) throw new ProofError('malformed', 'a reference leads nowhere')
    return cell
  }
  for (const [index, { levelMask, stored, refs, ...content }] of [
    ...written.entries(),
  ].toReversed()) {
    const cell = createCell({ ...content, refs: refs.map(known) })
    demand(cell.levelMask === levelMask, 'malformed', 'a cell states a wrong level')
    checkStored(cell, stored)
    cells.set(index, cell)
  }
  return roots.map(known)
}

/** A bag may state the hashes of the significant levels, and then their depths. */
function checkStored({ levelMask, hashes, depths }: ProofCell, stored: Uint8Array): void {
  if (stored.length === 0) return
  const levels = [0, 1, 2, 3].filter(
    (level) => level === 0 || ((levelMask >> (level - 1)) & 1) === 1,
  )
  const depthsFrom = levels.length * 32
  const isSame = levels.every((level, at) => {
    const depth = ((stored[depthsFrom + at * 2] ?? 0) << 8) | (stored[depthsFrom + at * 2 + 1] ?? 0)
    const hash = stored.subarray(at * 32, at * 32 + 32)
    return areEqual(hash, hashes[level] as Uint8Array) && depth === depths[level]
  })
  demand(isSame, 'mismatch', 'a cell states a wrong hash or depth')
}
