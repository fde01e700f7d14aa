import type { ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'

/** `internal_transfer` of TEP-74: what a jetton wallet receives. */
const INTERNAL_TRANSFER = 0x178d4519

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
