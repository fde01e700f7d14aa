import { CellError, countLevels, type CellKind } from './cell.js'

const HASH_BITS = 256
const HASH_AND_DEPTH_BITS = HASH_BITS + 16

/** Returns the kind of an exotic cell. @throws {CellError} when it has another form than its type demands. */
export function exoticKind(bytes: Uint8Array, bitLength: number, refCount: number): CellKind {
  if (bitLength < 8) throw new CellError('an exotic cell has no type')
  const isForm = (bits: number, refs: number): boolean => bitLength === bits && refCount === refs
  switch (bytes[0]) {
    case 1: {
      const mask = bytes[1] ?? 0
      if (mask >= 1 && mask <= 7 && isForm(16 + countLevels(mask) * HASH_AND_DEPTH_BITS, 0)) {
        return 'pruned'
      }
      throw new CellError('a pruned branch has another size than its level demands')
    }
    case 2:
      if (isForm(8 + HASH_BITS, 0)) return 'library'
      throw new CellError('a library cell must have 264 bits and no references')
    case 3:
      if (isForm(8 + HASH_AND_DEPTH_BITS, 1)) return 'merkle-proof'
      throw new CellError('a Merkle proof must have 280 bits and one reference')
    case 4:
      if (isForm(8 + 2 * HASH_AND_DEPTH_BITS, 2)) return 'merkle-update'
      throw new CellError('a Merkle update must have 552 bits and two references')
    default:
      throw new CellError('an exotic cell has an unknown type')
  }
}
