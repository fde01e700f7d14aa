import { hashOf, type ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { demand } from './proof-error.js'

/** A message that a transaction received, read from its cell. Addresses are canonical. */
export type ProvenMessage = InternalMessage | { kind: 'external' }

export interface InternalMessage {
  kind: 'internal'
  /** The hash of the message's cell. */
  hash: Uint8Array
  source: string
  destination: string
  /** Nanocoins. */
  value: bigint
  /** True when it returns another message. */
  isBounced: boolean
  createdLt: bigint
  body: ProofCell
}

/**
 * Reads a message. One from outside has no value, and pays nothing.
 * @throws {ProofError} for a cell that is not a message to an account.
 */
export function readMessage(cell: ProofCell): ProvenMessage {
  const slice = new CellSlice(cell)
  if (slice.bit()) {
    demand(
      !slice.bit(),
      'unexpected_data',
      'a transaction received a message that leaves the chain',
    )
    return { kind: 'external' }
  }
  slice.skip(2)
  const isBounced = slice.bit()
  const source = slice.address()
  const destination = slice.address()
  demand(
    source !== undefined && destination !== undefined,
    'unexpected_data',
    'a message between accounts has no source or destination',
  )
  const value = slice.currencies()
  slice.coins()
  slice.coins()
  const createdLt = slice.bigUint(64)
  slice.skip(32)
  slice.skipInit()
  const body = slice.bit() ? slice.ref() : slice.rest()
  return {
    kind: 'internal',
    hash: hashOf(cell),
    source,
    destination,
    value,
    isBounced,
    createdLt,
    body,
  }
}
