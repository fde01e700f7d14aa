/** A cell: up to 1023 bits and up to four references. */
export interface Cell {
  /** The bits from the first one on; what the last byte has beyond them is 0. */
  readonly bytes: Uint8Array
  readonly bitLength: number
  readonly refs: readonly Cell[]
  /** Whether its first byte tells a type: pruned branch, library, Merkle proof or Merkle update. */
  readonly isExotic: boolean
}

/** Bytes that are no bag of cells, or a cell that is shorter than what is read from it. */
export class CellError extends RangeError {
  override readonly name = 'CellError'
}
