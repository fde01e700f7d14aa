import { areEqual } from '../shared/bytes.js'
import type { Cell, CellKind } from '../shared/cells/cell.js'
import { hashLevels, uint16, type CellHashes } from '../shared/cells/hash-levels.js'
import { sha256 } from '../shared/sha256.js'
import { demand } from './proof-error.js'

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
type CellContent = Cell & { readonly refs: readonly ProofCell[] }

/** The depth that the network allows. */
const MAX_DEPTH = 1024

/** Returns the hash of the tree that a cell is the root of, with nothing withheld. */
export function hashOf(cell: ProofCell): Uint8Array {
  return cell.hashes[0] as Uint8Array
}

/**
 * Creates a cell, and computes its level, hashes and depths.
 * @throws {ProofError} when the tree is too deep, or a Merkle cell does not fit its references.
 */
export function createCell(content: CellContent): ProofCell {
  const cell = { ...content, ...hashesOf(content) }
  demand(Math.max(...cell.depths) <= MAX_DEPTH, 'malformed', 'the cells are too deep')
  if (cell.kind === 'merkle-proof') checkMerkleChild(cell, 0, 1)
  if (cell.kind === 'merkle-update') {
    checkMerkleChild(cell, 0, 2)
    checkMerkleChild(cell, 1, 2)
  }
  return cell
}

function hashesOf(content: CellContent): CellHashes {
  const hashing = hashLevels(content, content.refs)
  let step = hashing.next()
  while (step.done !== true) step = hashing.next(sha256(step.value))
  return step.value
}

/** A Merkle cell holds the hashes, and then the depths, of its references at the lowest level. */
function checkMerkleChild({ bytes, refs }: ProofCell, index: number, count: number): void {
  const child = refs[index] as ProofCell
  const hash = bytes.subarray(1 + index * 32, 33 + index * 32)
  const depth = bytes.subarray(1 + count * 32 + index * 2, 3 + count * 32 + index * 2)
  const isSame = areEqual(hash, hashOf(child)) && areEqual(depth, uint16(child.depths[0] as number))
  demand(isSame, 'mismatch', 'a Merkle cell does not have the hash and depth of its reference')
}
