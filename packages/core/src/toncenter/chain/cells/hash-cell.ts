import type { Cell } from '../../../shared/cells/cell.js'
import { hashLevels, type CellHashes } from '../../../shared/cells/hash-levels.js'

/** Returns the hash of a cell's standard representation, by Web Crypto. */
export async function hashCell(cell: Cell): Promise<Uint8Array> {
  const { hashes } = await hashOnce(cell, new Map())
  return hashes.at(-1) as Uint8Array
}

/** Hashes a cell that several others refer to only once. */
function hashOnce(cell: Cell, seen: Map<Cell, Promise<CellHashes>>): Promise<CellHashes> {
  const known = seen.get(cell)
  if (known !== undefined) return known
  const hashing = hashAfter(
    cell,
    cell.refs.map((ref) => hashOnce(ref, seen)),
  )
  seen.set(cell, hashing)
  return hashing
}

async function hashAfter(cell: Cell, refs: readonly Promise<CellHashes>[]): Promise<CellHashes> {
  const hashing = hashLevels(cell, await Promise.all(refs))
  let step = hashing.next()
  while (step.done !== true) step = hashing.next(await sha256(step.value))
  return step.value
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  // `concat` created it, so its buffer is not shared.
  const own = bytes as Uint8Array<ArrayBuffer>
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', own))
}
