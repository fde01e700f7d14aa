import { decodeBase64 } from '../../../shared/base64.js'
import { CellError, type Cell } from '../../../shared/cells/cell.js'
import { readBag } from '../../../shared/cells/read-bag.js'

/**
 * Reads a bag of cells with one root from base64.
 * @throws {CellError} for an invalid string.
 */
export function decodeBoc(text: string): Cell {
  let bytes: Uint8Array
  try {
    bytes = decodeBase64(text)
  } catch {
    throw new CellError('expected base64')
  }
  const [root] = readBag<Cell>(bytes, {
    rootCount: 1,
    create: ({ kind, bytes: data, bitLength }, refs) => ({ kind, bytes: data, bitLength, refs }),
  })
  return root as Cell
}
