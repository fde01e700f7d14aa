import { crc32c } from '../crc32c.js'
import { CellError, countLevels, levelMaskOf, type Cell } from './cell.js'
import { exoticKind } from './exotic-kind.js'

const MAGIC = 0xb5ee9c72
/** Limits of a bag. */
export interface BagLimits {
  maxBytes: number
  maxCells: number
}

const LIMITS: BagLimits = { maxBytes: 262_144, maxCells: 20_000 }
const MAX_REFS = 4
const MAX_DATA_BYTES = 128
/** The depth that the network allows. Deeper trees would overflow the call stack. */
const MAX_DEPTH = 1024

const FLAG_INDEX = 0x80
const FLAG_CHECKSUM = 0x40
const FLAG_CACHE = 0x20
const UNUSED_FLAGS = 0x18

/** A cell of a bag. */
export interface BagCell extends Pick<Cell, 'kind' | 'bytes' | 'bitLength'> {
  levelMask: number
  /** Hashes and depths that the bag states, unchecked; empty for most cells. */
  stored: Uint8Array
}

interface WrittenCell extends BagCell {
  /** Indexes of cells. */
  refs: readonly number[]
}

/**
 * Reads a bag of cells in its generic form. Every byte is checked, except stated hashes: a bag with unused cells, wrong
 * levels or offsets, or bytes after its end is rejected. Nothing is assumed about the origin of the bytes.
 * @param options.rootCount the exact number of roots
 * @param options.create makes a cell; called for each one after those that it refers to
 * @param options.limits @default 256 KiB and 20,000 cells
 * @throws {CellError} for any other bytes, above the limits, and above a depth of 1,024.
 */
export function readBag<Made>(
  bytes: Uint8Array,
  {
    rootCount,
    create,
    limits: { maxBytes, maxCells } = LIMITS,
  }: {
    rootCount: number
    create: (cell: BagCell, refs: Made[]) => Made
    limits?: BagLimits | undefined
  },
): Made[] {
  demand(bytes.length <= maxBytes, `a bag of cells has more than ${maxBytes} bytes`)
  const reader = new BagReader(bytes)
  const header = readHeader(reader, { rootCount, maxCells })
  const written: WrittenCell[] = []
  const ends: number[] = []
  const start = reader.position
  while (written.length < header.cellCount) {
    written.push(readCell(reader, written.length, header))
    ends.push(reader.position - start)
  }
  demand(reader.position - start === header.cellsLength, 'the cells end elsewhere')
  checkIndex(header, ends)
  checkEnd(reader, bytes, header.hasChecksum)
  checkUsed(written, header.roots)
  checkTree(written)
  return link(written, { roots: header.roots, create })
}

function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new CellError(problem)
}

class BagReader {
  position = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(length: number): Uint8Array {
    const end = this.position + length
    demand(end <= this.#bytes.length, 'a bag of cells ends too early')
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

function readHeader(
  reader: BagReader,
  { rootCount, maxCells }: { rootCount: number; maxCells: number },
) {
  demand(reader.integer(4) === MAGIC, 'expected the magic number of a bag of cells')
  const flags = reader.integer(1)
  const refBytes = flags & 7
  const offsetBytes = reader.integer(1)
  const hasIndex = (flags & FLAG_INDEX) !== 0
  const hasCache = (flags & FLAG_CACHE) !== 0
  const isKnown = (flags & UNUSED_FLAGS) === 0 && (hasIndex || !hasCache)
  const hasSizes = refBytes >= 1 && refBytes <= 4 && offsetBytes >= 1 && offsetBytes <= 6
  demand(isKnown && hasSizes, 'a bag of cells has unknown flags or sizes')
  const cellCount = reader.integer(refBytes)
  demand(cellCount <= maxCells, `a bag has more than ${maxCells} cells`)
  const roots = reader.integer(refBytes)
  demand(roots === rootCount, `expected ${rootCount} roots; received ${roots}`)
  demand(reader.integer(refBytes) === 0, 'some cells of the bag are absent')
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
  demand(refCount <= MAX_REFS, 'a cell has too many references, or is absent')
  const halfBytes = reader.integer(1)
  const length = Math.ceil(halfBytes / 2)
  demand(length <= MAX_DATA_BYTES, 'a cell has too many bits')
  const levelMask = first >> 5
  const hasHashes = (first & 0x10) !== 0
  const stored = reader.take(hasHashes ? (countLevels(levelMask) + 1) * 34 : 0)
  const bytes = reader.take(length)
  const refs = reader.integers(refCount, header.refBytes)
  const isForward = refs.every((ref) => ref > index && ref < header.cellCount)
  demand(isForward, 'a reference does not lead forward')
  const bitLength = halfBytes % 2 === 0 ? length * 8 : taggedLength(bytes)
  const kind = (first & 8) === 0 ? 'ordinary' : exoticKind(bytes, bitLength, refCount)
  return { kind, levelMask, stored, bytes, bitLength, refs }
}

/** The bits of an incomplete byte end with a 1; it must hold at least one bit before. */
function taggedLength(bytes: Uint8Array): number {
  const last = bytes.at(-1) ?? 0
  demand((last & 0x7f) !== 0, 'the bits of a cell have no end')
  return bytes.length * 8 - 32 + Math.clz32(last & -last)
}

function checkIndex({ index, hasCache }: Header, ends: readonly number[]): void {
  const isRight = index?.every((entry, at) => (hasCache ? entry >> 1 : entry) === ends[at]) ?? true
  demand(isRight, 'the index of a bag has wrong offsets')
}

function checkEnd(reader: BagReader, bytes: Uint8Array, hasChecksum: boolean): void {
  const content = bytes.subarray(0, reader.position)
  if (hasChecksum) {
    const stated = new DataView(new Uint8Array(reader.take(4)).buffer).getUint32(0, true)
    demand(stated === crc32c(content), 'the checksum of a bag is wrong')
  }
  demand(reader.position === bytes.length, 'bytes follow the end of a bag')
}

function checkUsed(cells: readonly WrittenCell[], roots: readonly number[]): void {
  demand(
    new Set(roots).size === roots.length && roots.every((root) => root < cells.length),
    'a root is repeated, or leads nowhere',
  )
  const used = new Set([...roots, ...cells.flatMap(({ refs }) => refs)])
  demand(used.size === cells.length, 'a cell of the bag is not used')
}

/** Checks depths and levels. References lead forward, so the last cell comes first. */
function checkTree(cells: readonly WrittenCell[]): void {
  const depths: number[] = []
  for (const [index, cell] of [...cells.entries()].toReversed()) {
    const depth = Math.max(0, ...cell.refs.map((ref) => 1 + (depths[ref] ?? 0)))
    demand(depth <= MAX_DEPTH, 'the cells are too deep')
    depths[index] = depth
    const refMasks = cell.refs.map((ref) => cells[ref]?.levelMask ?? 0)
    demand(levelMaskOf(cell, refMasks) === cell.levelMask, 'a cell states a wrong level')
  }
}

function link<Made>(
  written: readonly WrittenCell[],
  { roots, create }: { roots: readonly number[]; create: (cell: BagCell, refs: Made[]) => Made },
): Made[] {
  const made = new Map<number, Made>()
  for (const [index, { refs, ...cell }] of [...written.entries()].toReversed()) {
    made.set(
      index,
      create(
        cell,
        refs.map((ref) => made.get(ref) as Made),
      ),
    )
  }
  return roots.map((root) => made.get(root) as Made)
}
