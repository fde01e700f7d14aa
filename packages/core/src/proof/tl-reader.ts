import { demand } from './proof-error.js'

/** The longest answer that is read. */
const MAX_ANSWER_BYTES = 2_097_152

/** Opens an answer of a liteserver. @param tag the number of its constructor */
export function openAnswer(bytes: Uint8Array, name: string, tag: number): TlReader {
  demand(bytes.length <= MAX_ANSWER_BYTES, 'malformed', 'an answer has more than 2 MiB')
  const reader = new TlReader(bytes)
  reader.tag(name, tag)
  return reader
}

/** Reader of the TL format, in which liteservers answer. Integers are little-endian. */
export class TlReader {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(length: number): Uint8Array {
    const end = this.#position + length
    demand(end <= this.#bytes.length, 'malformed', 'an answer ends too early')
    const taken = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return taken
  }

  int(): number {
    return this.uint() | 0
  }

  uint(): number {
    const bytes = this.take(4)
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true)
  }

  long(): bigint {
    const low = BigInt(this.uint())
    return (BigInt(this.uint()) << 32n) | low
  }

  /** Reads the number of a constructor. @throws {ProofError} for other ones than the given. */
  tag(name: string, ...known: readonly number[]): number {
    const tag = this.uint()
    demand(known.includes(tag), 'malformed', `expected ${name}; it has an unknown form`)
    return tag
  }

  bool(): boolean {
    return this.tag('a boolean', TRUE, FALSE) === TRUE
  }

  /** Reads bytes with their length in its shortest form, padded with zeros to four bytes. */
  bytes(): Uint8Array {
    const first = this.take(1)[0] ?? 0
    demand(first !== 255, 'malformed', 'bytes have an unknown length')
    const isLong = first === 254
    const length = isLong ? this.take(3).reduceRight((sum, byte) => sum * 256 + byte, 0) : first
    demand(!isLong || length >= 254, 'malformed', 'a length is not in its shortest form')
    const content = this.take(length)
    const padding = this.take(-(length + (isLong ? 4 : 1)) & 3)
    const isZero = padding.every((byte) => byte === 0)
    demand(isZero, 'malformed', 'the padding of bytes is not zero')
    return content
  }

  end(): void {
    demand(this.#position === this.#bytes.length, 'malformed', 'bytes follow the end of an answer')
  }
}

const TRUE = 0x997275b5
const FALSE = 0xbc799737
