import { CellError, type Cell } from '../../../shared/cells/cell.js'

/** Sequential reader of a cell. Every method throws a {@link CellError} at the end of the cell. */
export class CellReader {
  readonly #cell: Cell
  #position = 0
  #nextRef = 0

  constructor(cell: Cell) {
    this.#cell = cell
  }

  get bitsLeft(): number {
    return this.#cell.bitLength - this.#position
  }

  get refsLeft(): number {
    return this.#cell.refs.length - this.#nextRef
  }

  bit(): boolean {
    if (this.bitsLeft < 1) throw new CellError('the cell has no more bits')
    const byte = this.#cell.bytes[this.#position >> 3] ?? 0
    return ((byte >> (7 - (this.#position++ & 7))) & 1) === 1
  }

  uint(bits: number): bigint {
    let value = 0n
    for (let index = 0; index < bits; index++) value = (value << 1n) | (this.bit() ? 1n : 0n)
    return value
  }

  /** Reads the next `count * 8` bits as bytes. */
  bytes(count: number): Uint8Array {
    if (count * 8 > this.bitsLeft) throw new CellError('the cell has no more bits')
    const read = copyBits(this.#cell.bytes, this.#position, count * 8)
    this.#position += count * 8
    return read
  }

  ref(): Cell {
    const ref = this.#cell.refs[this.#nextRef++]
    if (ref === undefined) throw new CellError('the cell has no more references')
    return ref
  }

  /** Reads an amount: its number of bytes in four bits, then the bytes. */
  coins(): bigint {
    return this.uint(Number(this.uint(4)) * 8)
  }

  /** Reads an address as `workchain:HASH` in upper case; `undefined` for none and for an external address. */
  address(): string | undefined {
    const kind = this.uint(2)
    if (kind === 1n) this.uint(Number(this.uint(9)))
    if (kind < 2n) return undefined
    if (kind === 3n) throw new CellError('the address has no standard form')
    if (this.bit()) throw new CellError('the address has an anycast prefix')
    const workchain = BigInt.asIntN(8, this.uint(8))
    return `${workchain}:${this.uint(256).toString(16).padStart(64, '0').toUpperCase()}`
  }

  /** Reads the rest as a separate cell. */
  rest(): Cell {
    const bitLength = this.bitsLeft
    const bytes = copyBits(this.#cell.bytes, this.#position, bitLength)
    const refs = this.#cell.refs.slice(this.#nextRef)
    this.#position = this.#cell.bitLength
    this.#nextRef = this.#cell.refs.length
    const last = bitLength >> 3
    if (bitLength % 8 !== 0) bytes[last] = (bytes[last] ?? 0) | (0x80 >> (bitLength % 8))
    return { kind: 'ordinary', bytes, bitLength, refs }
  }
}

export function readCell(cell: Cell): CellReader {
  return new CellReader(cell)
}

/** Copies bits to the beginning of a new array. The last byte is padded with zeros. */
function copyBits(source: Uint8Array, from: number, bitLength: number): Uint8Array {
  const shift = from & 7
  const first = from >> 3
  const copy = new Uint8Array(Math.ceil(bitLength / 8))
  for (let index = 0; index < copy.length; index++) {
    const high = source[first + index] ?? 0
    const low = source[first + index + 1] ?? 0
    copy[index] = (high << shift) | (low >> (8 - shift))
  }
  const unused = copy.length * 8 - bitLength
  const last = copy.length - 1
  if (unused > 0) copy[last] = (copy[last] ?? 0) & (0xff << unused)
  return copy
}
