import { decodeBase64 } from '../schema/base64.js'
import { CellError, type Cell } from './cell.js'
import { parseBoc } from './parse-boc.js'

/**
 * Reads a bag of cells with one root from base64.
 * @throws {CellError} when the text is none.
 */
export function decodeBoc(text: string): Cell {
  return parseBoc(bytesOf(text))
}

function bytesOf(text: string): Uint8Array {
  try {
    return decodeBase64(text)
  } catch {
    throw new CellError('it is no base64')
  }
}
