import { CellError, type Cell } from '../cells/cell.js'
import { readCell, type CellReader } from '../cells/cell-reader.js'
import { decodeBoc } from '../cells/decode-boc.js'
import { encodeBase64 } from '../schema/base64.js'

const COMMENT = 0x00000000
const ENCRYPTED_COMMENT = 0x2167da4b

/** What somebody wrote to the recipient: at most one of the two is there. */
export interface Comment {
  /** The text. Whoever sent the message chose it: never show it unescaped. */
  comment?: string | undefined
  /** What only sender and recipient can read, in base64: the bytes behind the opcode 0x2167da4b. */
  encryptedComment?: string | undefined
}

/** The body of a message; `undefined` when there is none, or it is no bag of cells. */
export function readBody(boc: string | undefined): Cell | undefined {
  if (boc === undefined || boc === '') return undefined
  return tolerate(() => decodeBoc(boc))
}

/** What `read` answers; `undefined` when the cells do not hold what it looks for: anybody may write anything in a message. */
export function tolerate<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/** The first 32 bits; `undefined` when there are fewer. */
export function readOpcode(body: Cell): number | undefined {
  return body.bitLength < 32 ? undefined : Number(readCell(body).uint(32))
}

/** The comment in a body or a forward payload; nothing when it is something else. */
export function readComment(body: Cell): Comment {
  const opcode = readOpcode(body)
  if (opcode !== COMMENT && opcode !== ENCRYPTED_COMMENT) return {}
  const bytes = tolerate(() => readTail(skipOpcode(body)))
  if (bytes === undefined) return {}
  if (opcode === ENCRYPTED_COMMENT) return { encryptedComment: encodeBase64(bytes) }
  // A byte order mark is part of what was written.
  return { comment: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
}

function skipOpcode(body: Cell): CellReader {
  const reader = readCell(body)
  reader.uint(32)
  return reader
}

/** Bytes that go on in the first reference of each cell. */
function readTail(first: CellReader): Uint8Array {
  const parts: Uint8Array[] = []
  for (let reader = first; ; reader = readCell(reader.ref())) {
    if (reader.bitsLeft % 8 !== 0) throw new CellError('a text has whole bytes')
    parts.push(reader.bytes(reader.bitsLeft / 8))
    if (reader.refsLeft === 0) break
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
