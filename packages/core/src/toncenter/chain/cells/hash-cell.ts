import { CellError, countLevels, withTag, type Cell } from './cell.js'

const PRUNED = 1
const MERKLE_PROOF = 3
const MERKLE_UPDATE = 4
const HASH_BYTES = 32
const HIGHEST_LEVEL = 3

interface Summary {
  hash: Uint8Array
  depth: number
}

interface Hashed {
  /** Bit n: a pruned branch below represents a cell of level n + 1. */
  mask: number
  at(level: number): Summary
}

/**
 * Returns the hash of a cell's standard representation. Supports pruned branches and Merkle proofs, which for example a
 * claim of a mintless jetton contains.
 * @throws {CellError} for a malformed exotic cell.
 */
export async function hashCell(cell: Cell): Promise<Uint8Array> {
  const hashed = await hashOnce(cell, new Map())
  return hashed.at(HIGHEST_LEVEL).hash
}

/** Hashes a cell that several others refer to only once. */
function hashOnce(cell: Cell, seen: Map<Cell, Promise<Hashed>>): Promise<Hashed> {
  const known = seen.get(cell)
  if (known !== undefined) return known
  const hashing = Promise.all(cell.refs.map((ref) => hashOnce(ref, seen))).then((refs) =>
    hashWith(cell, refs),
  )
  seen.set(cell, hashing)
  return hashing
}

async function hashWith(cell: Cell, refs: readonly Hashed[]): Promise<Hashed> {
  const type = cell.isExotic ? cell.bytes[0] : undefined
  const mask = maskOf(cell, type, refs)
  const summaries: Summary[] = type === PRUNED ? prunedSummaries(cell, mask) : []
  const isMerkle = type === MERKLE_PROOF || type === MERKLE_UPDATE
  const levels = [0, 1, 2, 3].filter((level) => isSignificant(mask, level))
  for (const level of levels.slice(summaries.length)) {
    const below = refs.map((ref) => ref.at(isMerkle ? level + 1 : level))
    // Above the lowest level, the hash of the level below replaces the bits.
    const lower = type === PRUNED ? undefined : summaries.at(-1)?.hash
    const depth = below.length === 0 ? 0 : Math.max(...below.map((one) => one.depth)) + 1
    const text = represent(cell, { mask: maskUpTo(mask, level), lower, below })
    summaries.push({ hash: await sha256(text), depth })
  }
  return { mask, at: (level) => entry(summaries[countLevels(maskUpTo(mask, level))]) }
}

function maskOf(cell: Cell, type: number | undefined, refs: readonly Hashed[]): number {
  if (type === PRUNED) return (cell.bytes[1] ?? 0) & 7
  const below = refs.reduce((mask, ref) => mask | ref.mask, 0)
  return type === MERKLE_PROOF || type === MERKLE_UPDATE ? below >> 1 : below
}

/** Reads the hashes and depths of the cell that a pruned branch represents, at each lower level. */
function prunedSummaries({ bytes }: Cell, mask: number): Summary[] {
  const count = countLevels(mask)
  if (bytes.length !== 2 + count * (HASH_BYTES + 2)) throw new CellError('a pruned branch is cut')
  const depthsAt = 2 + count * HASH_BYTES
  return Array.from({ length: count }, (_, index) => ({
    hash: bytes.slice(2 + index * HASH_BYTES, 2 + (index + 1) * HASH_BYTES),
    depth: ((bytes[depthsAt + index * 2] ?? 0) << 8) | (bytes[depthsAt + index * 2 + 1] ?? 0),
  }))
}

interface Level {
  mask: number
  lower: Uint8Array | undefined
  below: readonly Summary[]
}

function represent({ bytes, bitLength, refs, isExotic }: Cell, level: Level): Uint8Array {
  const content = level.lower ?? withTag(bytes, bitLength)
  const text = [
    refs.length + (isExotic ? 8 : 0) + level.mask * 32,
    // Counts its own bits, even if a hash replaces them.
    Math.floor(bitLength / 8) + Math.ceil(bitLength / 8),
    ...content,
    ...level.below.flatMap(({ depth }) => [depth >> 8, depth & 0xff]),
    ...level.below.flatMap(({ hash }) => [...hash]),
  ]
  return Uint8Array.from(text)
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  // `Uint8Array.from` created it, so its buffer is not shared.
  const own = bytes as Uint8Array<ArrayBuffer>
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', own))
}

function isSignificant(mask: number, level: number): boolean {
  return level === 0 || ((mask >> (level - 1)) & 1) === 1
}

function maskUpTo(mask: number, level: number): number {
  return mask & ((1 << level) - 1)
}

function entry(summary: Summary | undefined): Summary {
  if (summary === undefined) throw new CellError('a cell has no hash at this level')
  return summary
}
