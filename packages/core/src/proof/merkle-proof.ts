import { areEqual } from '../shared/bytes.js'
import { hashOf, type ProofCell } from './cell.js'
import { demand } from './proof-error.js'

/**
 * Returns the tree that a Merkle proof covers, if its hash is the expected one.
 * @throws {ProofError} for another cell or another hash, or when the tree is itself part of another proof.
 */
export function openMerkleProof(proof: ProofCell, expectedHash: Uint8Array): ProofCell {
  demand(proof.kind === 'merkle-proof', 'unexpected_data', 'expected a Merkle proof')
  demand(proof.levelMask === 0, 'mismatch', 'a Merkle proof is nested in another one')
  const tree = proof.refs[0] as ProofCell
  demand(areEqual(hashOf(tree), expectedHash), 'mismatch', 'a Merkle proof covers another tree')
  return tree
}
