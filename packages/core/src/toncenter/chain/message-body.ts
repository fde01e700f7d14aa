import { encodeBase64 } from '../../shared/base64.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { CellError, type Cell } from '../../shared/cells/cell.js'
import { readCell, type CellReader } from '../../shared/cells/cell-reader.js'
import { decodeBoc } from './cells/decode-boc.js'

/** Opcodes of comments and of messages that move tokens. Source: TEP-62 and TEP-74. */
export const OPCODES = {
  comment: 0x00000000,
  encryptedComment: 0x2167da4b,
  jettonTransfer: 0x0f8a7ea5,
  jettonInternalTransfer: 0x178d4519,
  jettonNotification: 0x7362d09c,
  jettonBurn: 0x595f07bc,
  jettonBurnNotification: 0x7bdd97de,
  nftTransfer: 0x5fcc3d14,
} as const

/** The first 32 bits of a message that came back. */
const BOUNCED = 0xffffffff

/** The comment of a message. At most one of the two fields is present. */
export interface Comment {
  /** Chosen by the sender: never display it unescaped. */
  comment?: string | undefined
  /** A comment that only sender and recipient can read, in base64: the bytes after the opcode 0x2167da4b. */
  encryptedComment?: string | undefined
}

/** Decodes the body of a message, which may contain anything; `undefined` if it is missing or not a bag of cells. */
export function readBody(boc: string | undefined): Cell | undefined {
  if (boc === undefined || boc === '') return undefined
  return undefinedOn(CellError, () => decodeBoc(boc))
}

/** Returns the first 32 bits; `undefined` if there are fewer. */
export function readOpcode(body: Cell): number | undefined {
  return body.bitLength < 32 ? undefined : readCell(body).uint(32)
}

/** Reads the rest of a body with this opcode; `undefined` for another opcode or format. */
function readAfter<T>(
  body: Cell,
  opcode: number,
  read: (rest: CellReader<Cell>) => T,
): T | undefined {
  if (readOpcode(body) !== opcode) return undefined
  return undefinedOn(CellError, () => {
    const reader = readCell(body)
    reader.skip(32)
    return read(reader)
  })
}

/** Reads the comment of a body or a forward payload; empty for another format. */
export function readComment(body: Cell): Comment {
  const bytes = readAfter(body, OPCODES.comment, readSnake)
  if (bytes === undefined) {
    const encrypted = readAfter(body, OPCODES.encryptedComment, readSnake)
    return encrypted === undefined ? {} : { encryptedComment: encodeBase64(encrypted) }
  }
  // A byte order mark is part of the comment.
  return { comment: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
}

/** Reads bytes that continue in the first reference of each cell (snake format). */
function readSnake(first: CellReader<Cell>): Uint8Array {
  const parts: Uint8Array[] = []
  for (let reader = first; ; reader = readCell(reader.ref())) {
    if (reader.bitsLeft % 8 !== 0) throw new CellError('a comment has whole bytes')
    parts.push(reader.bytes(reader.bitsLeft / 8))
    if (reader.refsLeft === 0) break
  }
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** Reads `transfer` of TEP-74, a request to a jetton wallet to send jettons; `undefined` for another format. */
export function readJettonTransfer(body: Cell) {
  return readAfter(body, OPCODES.jettonTransfer, (rest) => ({
    queryId: rest.bigUint(64),
    amount: rest.coins(),
    recipient: rest.address()?.toUpperCase(),
    ...readForward(rest),
  }))
}

/** Reads `internal_transfer` of TEP-74, a message between jetton wallets; `undefined` for another format. */
export function readJettonInternalTransfer(body: Cell) {
  return readAfter(body, OPCODES.jettonInternalTransfer, (rest) => ({
    queryId: rest.bigUint(64),
    amount: rest.coins(),
  }))
}

/** Reads `burn` of TEP-74, a request to a jetton wallet; `undefined` for another format. */
export function readJettonBurn(body: Cell) {
  return readAfter(body, OPCODES.jettonBurn, (rest) => ({
    queryId: rest.bigUint(64),
    amount: rest.coins(),
  }))
}

/**
 * Reads a message of a jetton wallet that came back, which has the first 256 bits of its body: the jettons return to the
 * wallet. `undefined` for another message.
 */
export function readReturnedJettons(body: Cell) {
  return readAfter(body, BOUNCED, (rest) => {
    const opcode = rest.uint(32)
    const isReturn =
      opcode === OPCODES.jettonInternalTransfer || opcode === OPCODES.jettonBurnNotification
    return isReturn ? { queryId: rest.bigUint(64), amount: rest.coins() } : undefined
  })
}

/** Reads the comment of `transfer_notification` of TEP-74; `undefined` for another format. */
export function readJettonNotification(body: Cell): Comment | undefined {
  return readAfter(body, OPCODES.jettonNotification, (rest) => {
    rest.skip(64)
    rest.coins()
    rest.address()
    return readPayload(rest)
  })
}

/** Reads `transfer` of TEP-62, a request to an NFT to change its owner; `undefined` for another format. */
export function readNftTransfer(body: Cell) {
  return readAfter(body, OPCODES.nftTransfer, (rest) => ({
    queryId: rest.bigUint(64),
    recipient: rest.address()?.toUpperCase(),
    ...readForward(rest),
  }))
}

/** Reads the end of a transfer from the response address on, which both kinds have. `forwardAmount` is in nanocoins. */
function readForward(reader: CellReader<Cell>): Comment & { forwardAmount: bigint } {
  reader.address()
  if (reader.bit()) reader.ref()
  const forwardAmount = reader.coins()
  return { forwardAmount, ...readPayload(reader) }
}

/** Some wallets omit the rest of the body without a payload. */
function readPayload(reader: CellReader<Cell>): Comment {
  const payload = undefinedOn(CellError, () => (reader.bit() ? reader.ref() : reader.rest()))
  return payload === undefined ? {} : readComment(payload)
}
