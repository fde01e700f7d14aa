import { writeCell as writeBits } from '../shared/cells/cell.js'
import { createCell, type ProofCell } from './cell.js'
import { demand } from './proof-error.js'

const MAX_BITS = 1023

/**
 * Creates an ordinary cell.
 * @param bits digits 0 and 1
 * @throws {ProofError} for more than 1023 bits.
 */
export function writeCell(bits: string, refs: readonly ProofCell[]): ProofCell {
  demand(bits.length <= MAX_BITS, 'unexpected_data', 'a cell has more than 1023 bits')
  return createCell(writeBits(bits, refs))
}
