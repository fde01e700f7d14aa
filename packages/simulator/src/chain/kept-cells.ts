import { Cell } from '@ton/core'

/** Stores a cell as bytes, which take a tenth of the memory, and parses it on demand. */
export function keepCell(cell: Cell): () => Cell {
  // Copied, because the cell is written into a larger buffer.
  const bytes = Buffer.from(cell.toBoc())
  // A bag of one cell has a root.
  return keepWeakly(() => Cell.fromBoc(bytes)[0]!)
}

/** Creates a value on demand, again after it was garbage-collected. */
export function keepWeakly<Thing extends object>(make: () => Thing): () => Thing {
  let last: WeakRef<Thing> | undefined
  return () => {
    const known = last?.deref()
    if (known !== undefined) return known
    const made = make()
    last = new WeakRef(made)
    return made
  }
}
