import type { ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { demand } from './proof-error.js'

/**
 * Looks a key up in a `Hashmap` or `HashmapAug`. The value of the latter begins with its extra. Returns `undefined` only if it
 * is proven that the dictionary has no such key.
 * @param root the root of the dictionary; `undefined` for an empty one
 * @param key its bits, as digits
 * @throws {ProofError} `not_covered` when a part on the way is withheld: this proves nothing. Other problems when a cell on
 * the way is not part of a dictionary with keys of this size.
 */
export function lookUp(root: ProofCell | undefined, key: string): CellSlice | undefined {
  let node = root
  let rest = key
  while (node !== undefined) {
    const slice = new CellSlice(node)
    const label = readLabel(slice, rest.length)
    if (!rest.startsWith(label)) return undefined
    if (label.length === rest.length) return slice
    const branches = [slice.ref(), slice.ref()]
    node = branches[Number(rest[label.length])]
    rest = rest.slice(label.length + 1)
  }
  return undefined
}

/** Reads a `HmLabel` of at most `max` bits: its length in ones, one repeated bit, or its length as a number. */
function readLabel(slice: CellSlice, max: number): string {
  let length = 0
  let repeated: string | undefined
  if (!slice.bit()) {
    while (slice.bit()) length++
  } else {
    if (slice.bit()) repeated = slice.bits(1)
    length = slice.uint(32 - Math.clz32(max))
  }
  demand(length <= max, 'unexpected_data', 'a label is longer than the rest of the key')
  return repeated?.repeat(length) ?? slice.bits(length)
}
