import { hashOf, type ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { addressBits, uintBits } from '../shared/cells/bits.js'
import { writeCell } from './write-cell.js'

/** `internal_transfer` of TEP-74: what a jetton wallet receives. */
const INTERNAL_TRANSFER = 0x178d4519
/** `transfer` of TEP-74: what the owner of a jetton wallet sends to it. */
const TRANSFER = 0x0f8a7ea5

/** Content of the message that credits a jetton wallet. It counts only if the wallet's code has accepted it. */
export interface JettonCredit {
  /** In base units. */
  amount: bigint
  /** The owner of the wallet that sent the jettons, canonical; absent for newly minted ones. */
  from?: string | undefined
}

/** Reads the body of the message. @throws {ProofError} for another message. */
export function readJettonCredit(body: ProofCell): JettonCredit {
  const slice = new CellSlice(body)
  slice.tag(INTERNAL_TRANSFER, 32, 'internal_transfer')
  slice.skip(64)
  return { amount: slice.coins(), from: slice.address() }
}

/**
 * Returns the hash of the `transfer` that a credit answers to: the wallet of the payer copies the query id, the amount, the
 * address for the rest of the fees, and what it forwards. A transfer with a custom payload has another hash.
 * @param body the body of the credit's message
 * @param owner the account that the transfer names, canonical
 * @throws {ProofError} for another message.
 */
export function hashOfTransfer(body: ProofCell, owner: string): Uint8Array {
  const slice = new CellSlice(body)
  slice.tag(INTERNAL_TRANSFER, 32, 'internal_transfer')
  const queryId = slice.bits(64)
  const amount = slice.read(() => slice.coins())
  slice.address()
  const response = slice.read(() => slice.address())
  const forwarded = slice.bits(slice.bitsLeft)
  const refs = Array.from({ length: slice.refsLeft }, () => slice.ref())
  const head = uintBits(TRANSFER, 32) + queryId + amount + addressBits(owner) + response
  return hashOf(writeCell(`${head}0${forwarded}`, refs))
}
