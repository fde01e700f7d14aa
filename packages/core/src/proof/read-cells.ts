import { CellError, isSignificant } from '../shared/cells/cell.js'
import { areEqual } from '../shared/bytes.js'
import { readBag, type BagLimits } from '../shared/cells/read-bag.js'
import { createCell, type ProofCell } from './cell.js'
import { demand, ProofError } from './proof-error.js'

/** A message may have 8,192 cells and 256 KiB of data, and a transaction holds several messages. */
const TRANSACTION_LIMITS: BagLimits = { maxBytes: 2_097_152, maxCells: 160_000 }

/**
 * Reads a bag of cells in its generic form. Every byte is checked: a bag with unused cells, wrong levels, hashes or
 * offsets, or bytes after its end is rejected. Nothing is assumed about the origin of the bytes.
 * @param rootCount the exact number of roots
 * @throws {ProofError} for any other bytes, and above 256 KiB, 20,000 cells or a depth of 1,024.
 */
export function readCells(bytes: Uint8Array, rootCount: number): ProofCell[] {
  return read(bytes, { rootCount })
}

/** Reads a bag whose roots are transactions. @throws {ProofError} as {@link readCells}, but above 2 MiB or 160,000 cells. */
export function readTransactionCells(bytes: Uint8Array, rootCount: number): ProofCell[] {
  return read(bytes, { rootCount, limits: TRANSACTION_LIMITS })
}

function read(bytes: Uint8Array, options: { rootCount: number; limits?: BagLimits }): ProofCell[] {
  try {
    return readBag<ProofCell>(bytes, {
      ...options,
      create({ stored, kind, bytes: data, bitLength }, refs) {
        const cell = createCell({ kind, bytes: data, bitLength, refs })
        checkStored(cell, stored)
        return cell
      },
    })
  } catch (error) {
    throw error instanceof CellError ? new ProofError('malformed', error.message, error) : error
  }
}

/** Reads a bag with one root. @throws {ProofError} as {@link readCells}. */
export function readCellTree(bytes: Uint8Array): ProofCell {
  const [root] = readCells(bytes, 1)
  return root as ProofCell
}

/** A bag may state the hashes of the significant levels, and then their depths. */
function checkStored({ levelMask, hashes, depths }: ProofCell, stored: Uint8Array): void {
  if (stored.length === 0) return
  const levels = [0, 1, 2, 3].filter((level) => isSignificant(levelMask, level))
  const depthsFrom = levels.length * 32
  const isSame = levels.every((level, at) => {
    const depth = ((stored[depthsFrom + at * 2] ?? 0) << 8) | (stored[depthsFrom + at * 2 + 1] ?? 0)
    const hash = stored.subarray(at * 32, at * 32 + 32)
    return areEqual(hash, hashes[level] as Uint8Array) && depth === depths[level]
  })
  demand(isSame, 'mismatch', 'a cell states a wrong hash or depth')
}
