import { concat } from '../bytes.js'
import { countLevels, isMerkle, isSignificant, levelMaskOf, type Cell } from './cell.js'

/** Hashes and depths of a cell. */
export interface CellHashes {
  /** Bit n is set when a pruned branch of level n + 1 is part of the tree. 0 when nothing is withheld. */
  readonly levelMask: number
  /** Hashes of the levels 0 to 3. Level 0 is the hash of the tree that the pruned branches replace a part of. */
  readonly hashes: readonly Uint8Array[]
  /** Depths of the levels 0 to 3. */
  readonly depths: readonly number[]
}

const MAX_LEVEL = 3

/**
 * Computes the hashes and depths of a cell whose references have theirs. Yields bytes, and expects their SHA-256: clients
 * run in browsers, where it is asynchronous.
 */
export function* hashLevels(
  cell: Pick<Cell, 'kind' | 'bytes' | 'bitLength'>,
  refs: readonly CellHashes[],
): Generator<Uint8Array, CellHashes, Uint8Array> {
  const { kind, bytes } = cell
  const levelMask = levelMaskOf(
    cell,
    refs.map((ref) => ref.levelMask),
  )
  const hashes: Uint8Array[] = []
  const depths: number[] = []
  let data = bytes
  for (let level = 0; level <= MAX_LEVEL; level++) {
    if (!isSignificant(levelMask, level)) {
      hashes.push(hashes[level - 1] as Uint8Array)
      depths.push(depths[level - 1] as number)
      continue
    }
    const mask = levelMask & ((1 << level) - 1)
    if (kind === 'pruned' && mask !== levelMask) {
      const stored = storedInPruned(bytes, levelMask, countLevels(mask))
      hashes.push(stored.hash)
      depths.push(stored.depth)
      continue
    }
    // The top hash of a pruned branch is that of its own bits; other levels continue from the hash below.
    const refLevel = Math.min(MAX_LEVEL, isMerkle(kind) ? level + 1 : level)
    const refDepths = refs.map((ref) => ref.depths[refLevel] as number)
    const refHashes = refs.map((ref) => ref.hashes[refLevel] as Uint8Array)
    const head = headOf(cell, { refCount: refs.length, mask })
    const hash = yield concat(head, data, ...refDepths.map(uint16), ...refHashes)
    hashes.push(hash)
    depths.push(refs.length === 0 ? 0 : 1 + Math.max(...refDepths))
    if (kind !== 'pruned') data = hash
  }
  return { levelMask, hashes, depths }
}

/** Counts the cell's own bits, even if a hash replaces them. */
function headOf(
  { kind, bitLength }: Pick<Cell, 'kind' | 'bitLength'>,
  { refCount, mask }: { refCount: number; mask: number },
): Uint8Array {
  return Uint8Array.of(
    refCount + (kind === 'ordinary' ? 0 : 8) + 32 * mask,
    (bitLength >> 3) + Math.ceil(bitLength / 8),
  )
}

/** A pruned branch holds the hashes of its levels, lowest first, and then their depths. */
function storedInPruned(bytes: Uint8Array, levelMask: number, index: number) {
  const depthAt = 2 + countLevels(levelMask) * 32 + index * 2
  return {
    hash: bytes.subarray(2 + index * 32, 34 + index * 32),
    depth: ((bytes[depthAt] ?? 0) << 8) | (bytes[depthAt + 1] ?? 0),
  }
}

/** Writes a depth. */
export function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff)
}
