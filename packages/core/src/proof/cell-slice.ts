import { concat } from '../shared/bytes.js'
import { createCell, type ProofCell } from './cell.js'
import { demand } from './proof-error.js'

/** Sequential reader of an ordinary cell. Every method throws a {@link ProofError} at the end of the cell. */
export class CellSlice {
  readonly #cell: ProofCell
  #position = 0
  #nextRef = 0

  /** @throws {ProofError} `not_covered` for an exotic cell: its content is withheld, or is stored elsewhere. */
  constructor(cell: ProofCell) {
    demand(cell.kind === 'ordinary', 'not_covered', `expected an ordinary cell; it is ${cell.kind}`)
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
    return Uint8Array.from({ length }, () => this.uint(8))
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

  ref(): ProofCell {
    const ref = this.#cell.refs[this.#nextRef++]
    demand(ref !== undefined, 'unexpected_data', 'a cell has no more references')
    return ref
  }

  /** Opens the next reference. @throws {ProofError} `not_covered` when its content is withheld. */
  open(): CellSlice {
    return new CellSlice(this.ref())
  }

  maybeRef(): ProofCell | undefined {
    return this.bit() ? this.ref() : undefined
  }

  /** Reads an amount: its number of bytes in four bits, then the bytes. */
  coins(): bigint {
    return this.bigUint(this.uint(4) * 8)
  }

  /** Reads coins, and skips extra currencies. */
  currencies(): bigint {
    const coins = this.coins()
    this.maybeRef()
    return coins
  }

  /** Reads `tag`, of this number of bits. @throws {ProofError} for another one. */
  tag(tag: number, bits: number, name: string): void {
    const received = this.uint(bits)
    demand(
      received === tag,
      'unexpected_data',
      `expected ${name}; its tag is ${received.toString(16)}`,
    )
  }

  /**
   * Reads an address as `workchain:hash`, lower case; `undefined` for none and for an external address.
   * @throws {ProofError} for an address with an anycast prefix, or without a standard form.
   */
  address(): string | undefined {
    const kind = this.uint(2)
    if (kind === 0) return undefined
    if (kind === 1) {
      this.skip(this.uint(9))
      return undefined
    }
    const isStandard = kind === 2 && !this.bit()
    demand(isStandard, 'unexpected_data', 'an address has an anycast prefix or no standard form')
    return `${this.int(8)}:${this.bigUint(256).toString(16).padStart(64, '0')}`
  }

  /** Reads the rest as a separate cell. */
  rest(): ProofCell {
    const bitLength = this.bitsLeft
    const whole = this.bytes(bitLength >> 3)
    const more = bitLength & 7
    // The last byte ends with a 1 and zeros.
    const last = more === 0 ? [] : [((this.uint(more) << 1) | 1) << (7 - more)]
    const refs = Array.from({ length: this.refsLeft }, () => this.ref())
    return createCell({
      kind: 'ordinary',
      bytes: concat(whole, Uint8Array.from(last)),
      bitLength,
      refs,
    })
  }

  /** @throws {ProofError} when bits or references are left. */
  end(): void {
    const isEnd = this.bitsLeft === 0 && this.refsLeft === 0
    demand(isEnd, 'unexpected_data', 'a cell has more bits or references than its type')
  }

  #advance(bits: number): number {
    demand(bits <= this.bitsLeft, 'unexpected_data', 'a cell has no more bits')
    const from = this.#position
    this.#position += bits
    return from
  }
}
