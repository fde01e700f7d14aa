import { CellError, type Cell } from './cell.js'

/** A cell with references of its own type. */
type CellOf<Ref> = Pick<Cell, 'bytes' | 'bitLength'> & { readonly refs: readonly Ref[] }

/** Sequential reader of a cell. Every method throws a {@link CellError} at the end of the cell. */
export class CellReader<Ref extends CellOf<Ref>> {
  readonly #cell: CellOf<Ref>
  #position = 0
  #nextRef = 0

  constructor(cell: CellOf<Ref>) {
    this.#cell = cell
  }

  get bitsLeft(): number {
    return this.#cell.bitLength - this.#position
  }

  get refsLeft(): number {
    return this.#cell.refs.length - this.#nextRef
  }

  bit(): boolean {
    return this.uint(1) === 1
  }

  /** Reads up to 32 bits. */
  uint(bits: number): number {
    const from = this.#advance(bits)
    const { bytes } = this.#cell
    let value = 0
    for (let index = from; index < from + bits; index++) {
      value = value * 2 + (((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1)
    }
    return value
  }

  int(bits: number): number {
    const value = this.uint(bits)
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value
  }

  /** Reads an integer of any size. */
  bigUint(bits: number): bigint {
    let value = 0n
    for (let left = bits; left > 0; left -= 32) {
      const taken = Math.min(left, 32)
      value = (value << BigInt(taken)) | BigInt(this.uint(taken))
    }
    return value
  }

  bytes(length: number): Uint8Array {
    return copyBits(this.#cell.bytes, this.#advance(length * 8), length * 8)
  }

  /** Returns bits as digits. */
  bits(count: number): string {
    return Array.from({ length: count }, () => this.uint(1)).join('')
  }

  /** Returns the bits that a reader reads, as digits. */
  read(reader: () => unknown): string {
    const from = this.#position
    reader()
    const count = this.#position - from
    this.#position = from
    return this.bits(count)
  }

  skip(bits: number): void {
    this.#advance(bits)
  }

  ref(): Ref {
    return this.#cell.refs[this.#nextRef++] ?? this.fail('a cell has no more references')
  }

  maybeRef(): Ref | undefined {
    return this.bit() ? this.ref() : undefined
  }

  /** Reads an amount: its number of bytes in four bits, then the bytes. */
  coins(): bigint {
    return this.bigUint(this.uint(4) * 8)
  }

  /**
   * Reads an address as `workchain:hash`, lower case; `undefined` for none and for an external address. An address with an
   * anycast prefix, or without a standard form, is an error.
   */
  address(): string | undefined {
    const kind = this.uint(2)
    if (kind === 0) return undefined
    if (kind === 1) {
      this.skip(this.uint(9))
      return undefined
    }
    if (kind === 3 || this.bit()) {
      this.fail('an address has an anycast prefix or no standard form')
    }
    return `${this.int(8)}:${this.bigUint(256).toString(16).padStart(64, '0')}`
  }

  /** Reads `StateInit`: depth of the address' prefix, flags of a special contract, code, data and libraries. */
  stateInit(): { code: Ref | undefined; data: Ref | undefined } {
    if (this.bit()) this.skip(5)
    if (this.bit()) this.skip(2)
    const [code, data] = [this.maybeRef(), this.maybeRef()]
    this.maybeRef()
    return { code, data }
  }

  /** Skips the initial state that a message may have, in a reference or in the message itself. */
  skipInit(): void {
    if (!this.bit()) return
    if (this.bit()) this.ref()
    else this.stateInit()
  }

  /** Reads the rest as a separate cell. */
  rest(): CellOf<Ref> & Pick<Cell, 'kind'> {
    const bitLength = this.bitsLeft
    const bytes = copyBits(this.#cell.bytes, this.#advance(bitLength), bitLength)
    const last = bitLength >> 3
    // A last byte that is not full ends with a 1 and zeros.
    if (bitLength % 8 !== 0) bytes[last] = (bytes[last] ?? 0) | (0x80 >> (bitLength % 8))
    const refs = Array.from({ length: this.refsLeft }, () => this.ref())
    return { kind: 'ordinary', bytes, bitLength, refs }
  }

  protected fail(problem: string): never {
    throw new CellError(problem)
  }

  /** Returns the position before these bits. */
  #advance(bits: number): number {
    if (bits > this.bitsLeft) this.fail('a cell has no more bits')
    const from = this.#position
    this.#position += bits
    return from
  }
}

export function readCell(cell: Cell): CellReader<Cell> {
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
