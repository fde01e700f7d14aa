export type CellKind = 'ordinary' | 'pruned' | 'library' | 'merkle-proof' | 'merkle-update'

/** A cell: up to 1023 bits and up to four references. */
export interface Cell {
  readonly kind: CellKind
  /** The bits. A last byte that is not full ends with a 1 and zeros. */
  readonly bytes: Uint8Array
  readonly bitLength: number
  readonly refs: readonly Cell[]
}

/** Invalid bytes of a bag of cells, or a read past the end of a cell. */
export class CellError extends RangeError {
  override readonly name = 'CellError'
}

/** Creates an ordinary cell from bits, written as `0` and `1`, and references. */
export function writeCell<Ref extends Cell>(
  bits: string,
  refs: readonly Ref[],
): Cell & { readonly refs: readonly Ref[] } {
  const bitLength = bits.length
  const tagged = bitLength % 8 === 0 ? bits : `${bits}1`
  const bytes = new Uint8Array(Math.ceil(bitLength / 8))
  for (let index = 0; index < tagged.length; index++) {
    if (tagged[index] === '1') bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7))
  }
  return { kind: 'ordinary', bytes, bitLength, refs }
}

/** Returns the mask of a cell's levels: bit n is set when a pruned branch of level n + 1 is part of the tree. */
export function levelMaskOf(
  { kind, bytes }: Pick<Cell, 'kind' | 'bytes'>,
  refMasks: readonly number[],
): number {
  if (kind === 'pruned') return bytes[1] ?? 0
  const below = refMasks.reduce((mask, refMask) => mask | refMask, 0)
  return isMerkle(kind) ? below >> 1 : below
}

export function isMerkle(kind: CellKind): boolean {
  return kind === 'merkle-proof' || kind === 'merkle-update'
}

/** Returns true when the hash of this level, from 0 to 3, is another than that of the level below. */
export function isSignificant(levelMask: number, level: number): boolean {
  return level === 0 || ((levelMask >> (level - 1)) & 1) === 1
}

/** Returns the number of levels in a mask of three bits. */
export function countLevels(levelMask: number): number {
  return (levelMask & 1) + ((levelMask >> 1) & 1) + ((levelMask >> 2) & 1)
}
