import type { Cell } from '../cells/cell.js'
import { readCell, type CellReader } from '../cells/cell-reader.js'
import { readComment, tolerate, type Comment } from './message-body.js'

/** The messages that move tokens, by their opcodes. Source: TEP-62 and TEP-74. */
const OPCODES = {
  jettonTransfer: 0x0f8a7ea5,
  jettonInternalTransfer: 0x178d4519,
  nftTransfer: 0x5fcc3d14,
} as const

/** What a wallet is asked to send. */
export interface JettonTransferBody extends Comment {
  queryId: bigint
  amount: bigint
  recipient: string | undefined
  /** Nanocoins for the recipient. */
  forwardAmount: bigint
}

/** What one wallet tells another. */
export interface JettonInternalTransferBody {
  queryId: bigint
  amount: bigint
}

/** What an item is asked to do. */
export interface NftTransferBody extends Comment {
  queryId: bigint
  recipient: string | undefined
  /** Nanocoins for the recipient. */
  forwardAmount: bigint
}

/** `transfer` of TEP-74; `undefined` when the cell is something else. */
export function readJettonTransfer(body: Cell): JettonTransferBody | undefined {
  return tolerate(() => {
    const reader = readCell(body)
    if (Number(reader.uint(32)) !== OPCODES.jettonTransfer) return undefined
    const fields = {
      queryId: reader.uint(64),
      amount: reader.coins(),
      recipient: reader.address(),
    }
    reader.address()
    return { ...fields, ...readForward(reader) }
  })
}

/** `internal_transfer` of TEP-74; `undefined` when the cell is something else. */
export function readJettonInternalTransfer(body: Cell): JettonInternalTransferBody | undefined {
  return tolerate(() => {
    const reader = readCell(body)
    if (Number(reader.uint(32)) !== OPCODES.jettonInternalTransfer) return undefined
    return { queryId: reader.uint(64), amount: reader.coins() }
  })
}

/** `transfer` of TEP-62; `undefined` when the cell is something else. */
export function readNftTransfer(body: Cell): NftTransferBody | undefined {
  return tolerate(() => {
    const reader = readCell(body)
    if (Number(reader.uint(32)) !== OPCODES.nftTransfer) return undefined
    const fields = { queryId: reader.uint(64), recipient: reader.address() }
    reader.address()
    return { ...fields, ...readForward(reader) }
  })
}

/** From the custom payload on, both kinds of transfers are alike. */
function readForward(reader: CellReader): Comment & { forwardAmount: bigint } {
  if (reader.bit()) reader.ref()
  const forwardAmount = reader.coins()
  // Some wallets leave out what follows when there is no payload.
  const payload = tolerate(() => (reader.bit() ? reader.ref() : reader.rest()))
  return { forwardAmount, ...(payload === undefined ? {} : readComment(payload)) }
}
