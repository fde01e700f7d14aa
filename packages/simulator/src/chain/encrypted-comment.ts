import { createHash } from 'node:crypto'
import { beginCell, type Cell } from '@ton/core'

const OPCODE = 0x2167da4b
/** The sender's key, and the key of the message. */
const KEY_BYTES = 48
/** Wallets pad the comment to whole blocks, and add one. */
const BLOCK_BYTES = 16
const FIRST_CELL_BYTES = 35
const CELL_BYTES = 127

/** Returns a comment in the format and length of encrypted comments. No key decrypts it: its bytes are a hash of `text`. */
export function encryptedComment(text: string): Cell {
  const blocks = 1 + Math.ceil(Buffer.byteLength(text) / BLOCK_BYTES)
  const outputLength = KEY_BYTES + blocks * BLOCK_BYTES
  const bytes = createHash('shake256', { outputLength }).update(text).digest()
  return beginCell()
    .storeUint(OPCODE, 32)
    .storeBuffer(bytes.subarray(0, FIRST_CELL_BYTES))
    .storeRef(snakeCell(bytes.subarray(FIRST_CELL_BYTES)))
    .endCell()
}

/** Returns bytes that continue in the first reference of each cell. */
function snakeCell(bytes: Buffer): Cell {
  const cell = beginCell().storeBuffer(bytes.subarray(0, CELL_BYTES))
  const rest = bytes.subarray(CELL_BYTES)
  return (rest.length === 0 ? cell : cell.storeRef(snakeCell(rest))).endCell()
}
