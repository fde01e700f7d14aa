import type { Cell } from './cell.js'

/** A cell of these bits, written as `0` and `1`, and these references. */
export function writeCell(bits: string, refs: readonly Cell[]): Cell {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (let index = 0; index < bits.length; index++) {
    if (bits[index] === '1') bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7))
  }
  return { bytes, bitLength: bits.length, refs, isExotic: false }
}
