import { sha256 } from '../shared/sha256.js'
import { areEqual, concat } from './bytes.js'
import { demand } from './proof-error.js'

export type CellKind = 'ordinary' | 'pruned' | 'library' | 'merkle-proof' | 'merkle-update'

/** A cell with the hash and the depth of each level, computed here. */
export interface ProofCell {
  readonly kind: CellKind
  /** The bits. A last byte that is not full ends with a 1 and zeros. */
  readonly bytes: Uint8Array
  readonly bitLength: number
  readonly refs: readonly ProofCell[]
  /** Bit n is set when a pruned branch of level n + 1 is part of the tree. 0 when nothing is withheld. */
  readonly levelMask: number
  /** Hashes of the levels 0 to 3. Level 0 is the hash of the tree that the pruned branches replace a part of. */
  readonly hashes: readonly Uint8Array[]
  /** Depths of the levels 0 to 3. */
  readonly depths: readonly number[]
}

/** Bits and references of a cell, before its hashes are known. */
export interface CellContent {
  isExotic: boolean
  bytes: Uint8Array
  bitLength: number
  refs: readonly ProofCell[]
}

/** The depth that the network allows. */
const MAX_DEPTH = 1024
const MAX_LEVEL = 3
const HASH_BITS = 256
const DEPTH_BITS = 16

/** Returns the hash of the tree that a cell is the root of, with nothing withheld. */
export function hashOf(cell: ProofCell): Uint8Array {
  return hashAt(cell, 0)
}

/**
 * Creates a cell, and computes its level, hashes and depths.
 * @throws {ProofError} when an exotic cell has another form than its type demands, or is too deep.
 */
export function createCell(content: CellContent): ProofCell {
  const kind = content.isExotic ? exoticKind(content) : 'ordinary'
  const levelMask = levelMaskOf(kind, content)
  const { hashes, depths } = computeHashes(kind, levelMask, content)
  demand(Math.max(...depths) <= MAX_DEPTH, 'malformed', 'the cells are too deep')
  const { bytes, bitLength, refs } = content
  const cell = { kind, bytes, bitLength, refs, levelMask, hashes, depths }
  if (kind === 'merkle-proof') checkMerkleChild(cell, 0, 1)
  if (kind === 'merkle-update') {
    checkMerkleChild(cell, 0, 2)
    checkMerkleChild(cell, 1, 2)
  }
  return cell
}

function exoticKind({ bytes, bitLength, refs }: CellContent): CellKind {
  demand(bitLength >= 8, 'malformed', 'an exotic cell has no type')
  const hashAndDepth = HASH_BITS + DEPTH_BITS
  switch (bytes[0]) {
    case 1: {
      const mask = bytes[1] ?? 0
      const isPruned =
        mask >= 1 &&
        mask <= 7 &&
        refs.length === 0 &&
        bitLength === 16 + bitCount(mask) * hashAndDepth
      demand(isPruned, 'malformed', 'a pruned branch has another size than its level demands')
      return 'pruned'
    }
    case 2:
      demand(
        bitLength === 8 + HASH_BITS && refs.length === 0,
        'malformed',
        'a library cell must have 264 bits and no references',
      )
      return 'library'
    case 3:
      demand(
        bitLength === 8 + hashAndDepth && refs.length === 1,
        'malformed',
        'a Merkle proof must have 280 bits and one reference',
      )
      return 'merkle-proof'
    case 4:
      demand(
        bitLength === 8 + 2 * hashAndDepth && refs.length === 2,
        'malformed',
        'a Merkle update must have 552 bits and two references',
      )
      return 'merkle-update'
    default:
      demand(false, 'malformed', 'an exotic cell has an unknown type')
  }
}

function levelMaskOf(kind: CellKind, { bytes, refs }: CellContent): number {
  if (kind === 'pruned') return bytes[1] ?? 0
  const children = refs.reduce((mask, ref) => mask | ref.levelMask, 0)
  return isMerkle(kind) ? children >> 1 : children
}

function computeHashes(
  kind: CellKind,
  levelMask: number,
  content: CellContent,
): Pick<ProofCell, 'hashes' | 'depths'> {
  const hashes: Uint8Array[] = []
  const depths: number[] = []
  const { bytes, refs } = content
  let data = bytes
  for (let level = 0; level <= MAX_LEVEL; level++) {
    const isSignificant = level === 0 || ((levelMask >> (level - 1)) & 1) === 1
    if (!isSignificant) {
      hashes.push(hashes[level - 1] as Uint8Array)
      depths.push(depths[level - 1] as number)
      continue
    }
    const below = levelMask & ((1 << level) - 1)
    if (kind === 'pruned' && below !== levelMask) {
      const stored = storedInPruned(bytes, levelMask, bitCount(below))
      hashes.push(stored.hash)
      depths.push(stored.depth)
      continue
    }
    // The top hash of a pruned branch is that of its own bits; other levels continue from the hash below.
    const childLevel = Math.min(MAX_LEVEL, isMerkle(kind) ? level + 1 : level)
    hashes.push(representationHash(content, { mask: below, data, childLevel }))
    depths.push(
      refs.length === 0 ? 0 : 1 + Math.max(...refs.map((ref) => depthAt(ref, childLevel))),
    )
    if (kind !== 'pruned') data = hashes[level] as Uint8Array
  }
  return { hashes, depths }
}

function representationHash(
  { isExotic, bitLength, refs }: CellContent,
  { mask, data, childLevel }: { mask: number; data: Uint8Array; childLevel: number },
): Uint8Array {
  const head = Uint8Array.of(
    refs.length + (isExotic ? 8 : 0) + 32 * mask,
    (bitLength >> 3) + Math.ceil(bitLength / 8),
  )
  const depths = refs.map((ref) => uint16(depthAt(ref, childLevel)))
  return sha256(concat(head, data, ...depths, ...refs.map((ref) => hashAt(ref, childLevel))))
}

/** A pruned branch holds the hashes of its levels, lowest first, and then their depths. */
function storedInPruned(bytes: Uint8Array, mask: number, index: number) {
  const depthAtByte = 2 + bitCount(mask) * 32 + index * 2
  return {
    hash: bytes.subarray(2 + index * 32, 34 + index * 32),
    depth: ((bytes[depthAtByte] ?? 0) << 8) | (bytes[depthAtByte + 1] ?? 0),
  }
}

/** A Merkle cell holds the hashes, and then the depths, of its references at the lowest level. */
function checkMerkleChild({ bytes, refs }: ProofCell, index: number, count: number): void {
  const child = refs[index] as ProofCell
  const hash = bytes.subarray(1 + index * 32, 33 + index * 32)
  const depth = bytes.subarray(1 + count * 32 + index * 2, 3 + count * 32 + index * 2)
  const isSame = areEqual(hash, hashOf(child)) && areEqual(depth, uint16(depthAt(child, 0)))
  demand(isSame, 'mismatch', 'a Merkle cell does not have the hash and depth of its reference')
}

function hashAt(cell: ProofCell, level: number): Uint8Array {
  return cell.hashes[level] as Uint8Array
}

function depthAt(cell: ProofCell, level: number): number {
  return cell.depths[level] as number
}

function isMerkle(kind: CellKind): boolean {
  return kind === 'merkle-proof' || kind === 'merkle-update'
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff)
}

/** Returns the number of levels in a mask of three bits. */
export function bitCount(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)
}
