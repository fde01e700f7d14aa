import { bitAt } from '../shared/bytes.js'
import type { ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { demand } from './proof-error.js'

/** Result of a look-up. Only `absent` proves that the dictionary has no such key; `not_covered` proves nothing. */
export type LookUp =
  { kind: 'found'; value: CellSlice } | { kind: 'absent' } | { kind: 'not_covered' }

/**
 * Looks a key up in a `Hashmap` or `HashmapAug`. The value of the latter begins with its extra.
 * @param root the root of the dictionary; `undefined` for an empty one
 * @throws {ProofError} when a cell on the way is not part of a dictionary with keys of this size.
 */
export function lookUp(root: ProofCell | undefined, key: Uint8Array, keyBits: number): LookUp {
  if (root === undefined) return { kind: 'absent' }
  let node = root
  let position = 0
  for (;;) {
    if (node.kind !== 'ordinary') return { kind: 'not_covered' }
    const slice = new CellSlice(node)
    const label = readLabel(slice, keyBits - position)
    for (const bit of label) if (bit !== bitAt(key, position++)) return { kind: 'absent' }
    if (position === keyBits) return { kind: 'found', value: slice }
    const left = slice.ref()
    const right = slice.ref()
    node = bitAt(key, position++) === 0 ? left : right
  }
}

/** Reads a `HmLabel` of at most `max` bits. */
function readLabel(slice: CellSlice, max: number): number[] {
  const lengthBits = 32 - Math.clz32(max)
  let length = 0
  let same: number | undefined
  if (!slice.bit()) {
    while (slice.bit()) length++
  } else if (slice.bit()) {
    same = slice.uint(1)
    length = slice.uint(lengthBits)
  } else {
    length = slice.uint(lengthBits)
  }
  demand(length <= max, 'unexpected_data', 'a label is longer than the rest of the key')
  return Array.from({ length }, () => same ?? slice.uint(1))
}
