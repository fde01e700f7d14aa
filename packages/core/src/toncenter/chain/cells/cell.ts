/** A cell: up to 1023 bits and up to four references. */
export interface Cell {
  /** The bits; the last byte is padded with zeros. */
  readonly bytes: Uint8Array
  readonly bitLength: number
  readonly refs: readonly Cell[]
  /** `true` if the first byte is a type: pruned branch, library, Merkle proof or Merkle update. */
  readonly isExotic: boolean
}

/** Invalid bytes of a bag of cells, or a read past the end of a cell. */
export class CellError extends RangeError {
  override readonly name = 'CellError'
}

/** Creates a cell from bits, written as `0` and `1`, and references. */
export function writeCell(bits: string, refs: readonly Cell[]): Cell {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (let index = 0; index < bits.length; index++) {
    if (bits[index] === '1') bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7))
  }
  return { bytes, bitLength: bits.length, refs, isExotic: false }
}

/** Returns the number of levels in a mask of three bits. */
export function countLevels(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)
}

/** Appends a 1 to bits that do not fill the last byte. */
export function withTag(bytes: Uint8Array, bitLength: number): Uint8Array {
  if (bitLength % 8 === 0) return bytes
  const tagged = new Uint8Array(bytes)
  const last = bitLength >> 3
  tagged[last] = (tagged[last] ?? 0) | (0x80 >> (bitLength % 8))
  return tagged
}
