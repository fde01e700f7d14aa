import { areEqual } from '../shared/bytes.js'
import { hashOf, type ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { demand } from './proof-error.js'

/** Code and data of an account. */
export interface Contract {
  code: ProofCell
  data: ProofCell
}

/**
 * Reads the contract of a proven account.
 * @param address canonical
 * @throws {ProofError} when the account has no contract, or is another one.
 */
export function readContract(state: ProofCell, address: string): Contract {
  const slice = new CellSlice(state)
  demand(slice.bit(), 'unexpected_data', `the account ${address} has no state`)
  demand(slice.address() === address, 'mismatch', 'the state is of another account')
  skipStorageInfo(slice)
  slice.skip(64)
  slice.currencies()
  demand(slice.bit(), 'unexpected_data', `the account ${address} has no contract`)
  const { code, data } = slice.stateInit()
  const isWhole = code !== undefined && data !== undefined
  demand(isWhole, 'unexpected_data', `the contract of ${address} has no code or data`)
  return { code, data }
}

/** `used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams)` */
function skipStorageInfo(slice: CellSlice): void {
  for (let size = 0; size < 2; size++) slice.skip(slice.uint(3) * 8)
  const extra = slice.uint(3)
  demand(extra <= 1, 'unexpected_data', 'the storage of an account has an unknown form')
  if (extra === 1) slice.skip(256)
  slice.skip(32)
  if (slice.bit()) slice.coins()
}

/** Returns whether a tree has this cell. */
export function hasCell(tree: ProofCell, wanted: ProofCell): boolean {
  const seen = new Set<ProofCell>()
  const open = [tree]
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    if (seen.has(cell)) continue
    if (areEqual(hashOf(cell), hashOf(wanted))) return true
    seen.add(cell)
    open.push(...cell.refs)
  }
  return false
}
