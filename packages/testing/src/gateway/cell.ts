import { createHash } from 'node:crypto'

const MAGIC = Buffer.from('b5ee9c72', 'hex')
/** Number of bytes of cell indices and offsets. */
const INDEX_BYTES = 2
const OFFSET_BYTES = 4
const COMMENT_BYTES_PER_CELL = 123

/** An ordinary cell: at most 1023 bits, written as `0` and `1`, and at most four cells below it. */
export interface Cell {
  bits: string
  refs: readonly Cell[]
}

/** Encodes an unsigned integer in `length` bits. */
export function uintBits(value: bigint | number, bitLength: number): string {
  return BigInt.asUintN(bitLength, BigInt(value)).toString(2).padStart(bitLength, '0')
}

/** Converts bytes to bits. */
export function byteBits(bytes: Uint8Array): string {
  return [...bytes].map((byte) => uintBits(byte, 8)).join('')
}

/** Returns a comment as wallets display it: 32 zero bits and UTF-8, in a chain of cells if it is long. */
export function commentCell(text: string): Cell {
  const bytes = Buffer.from(text)
  const starts = Array.from(
    { length: Math.max(1, Math.ceil(bytes.length / COMMENT_BYTES_PER_CELL)) },
    (_, index) => index * COMMENT_BYTES_PER_CELL,
  )
  return starts.reduceRight<Cell | undefined>((next, start) => {
    const bits = byteBits(bytes.subarray(start, start + COMMENT_BYTES_PER_CELL))
    return { bits: start === 0 ? uintBits(0, 32) + bits : bits, refs: next ? [next] : [] }
  }, undefined) as Cell // There is at least one start.
}

/** Returns the representation hash of a cell, 32 bytes. */
export function hashCell(cell: Cell): Buffer {
  return summarize(cell).hash
}

/** Returns a bag of cells with this root, in base64. */
export function writeBoc(root: Cell): string {
  const cells = inOrder(root)
  const bodies = cells.map((cell) => {
    const indices = cell.refs.map((ref) => uintBytes(cells.indexOf(ref), INDEX_BYTES))
    return Buffer.concat([descriptors(cell), content(cell), ...indices])
  })
  const size = bodies.reduce((sum, { length }) => sum + length, 0)
  const head = Buffer.concat([
    MAGIC,
    Buffer.of(INDEX_BYTES, OFFSET_BYTES),
    uintBytes(cells.length, INDEX_BYTES),
    uintBytes(1, INDEX_BYTES),
    uintBytes(0, INDEX_BYTES),
    uintBytes(size, OFFSET_BYTES),
    uintBytes(0, INDEX_BYTES),
  ])
  return Buffer.concat([head, ...bodies]).toString('base64')
}

/** Every cell ahead of those below it. The cells that are written here form a tree, so that none comes twice. */
function inOrder(root: Cell): Cell[] {
  return [root, ...root.refs.flatMap(inOrder)]
}

function summarize(cell: Cell): { hash: Buffer; depth: number } {
  const below = cell.refs.map(summarize)
  const parts = [
    descriptors(cell),
    content(cell),
    ...below.map(({ depth }) => uintBytes(depth, 2)),
    ...below.map(({ hash }) => hash),
  ]
  return {
    hash: createHash('sha256').update(Buffer.concat(parts)).digest(),
    depth: below.length === 0 ? 0 : Math.max(...below.map(({ depth }) => depth)) + 1,
  }
}

function descriptors({ bits, refs }: Cell): Buffer {
  return Buffer.of(refs.length, Math.floor(bits.length / 8) + Math.ceil(bits.length / 8))
}

/** Completes an incomplete byte with a 1 and zeros. */
function content({ bits }: Cell): Buffer {
  const length = Math.ceil(bits.length / 8) * 8
  const whole = bits.length === length ? bits : `${bits}1`.padEnd(length, '0')
  return Buffer.from((whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

function uintBytes(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}
