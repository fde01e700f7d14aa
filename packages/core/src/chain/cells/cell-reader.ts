import { CellError, type Cell } from './cell.js'

/** Sequential reader of a cell. Every method throws a {@link CellError} at the end of the cell. */
export interface CellReader {
  readonly bitsLeft: number
  readonly refsLeft: number
  bit(): boolean
  uint(bits: number): bigint
  /** Reads the next `count * 8` bits as bytes. */
  bytes(count: number): Uint8Array
  ref(): Cell
  /** Reads an amount: its number of bytes in four bits, then the bytes. */
  coins(): bigint
  /** Reads an address as `workchain:HASH` in upper case; `undefined` for none and for an external address. */
  address(): string | undefined
  /** Reads the rest as a separate cell. */
  rest(): Cell
}

export function readCell(cell: Cell): CellReader {
  let position = 0
  let nextRef = 0

  const bit = (): boolean => {
    if (position >= cell.bitLength) throw new CellError('the cell has no more bits')
    const byte = cell.bytes[position >> 3] ?? 0
    return ((byte >> (7 - (position++ & 7))) & 1) === 1
  }
  const uint = (bits: number): bigint => {
    let value = 0n
    for (let index = 0; index < bits; index++) value = (value << 1n) | (bit() ? 1n : 0n)
    return value
  }
  const bytes = (count: number): Uint8Array => {
    if (count * 8 > cell.bitLength - position) throw new CellError('the cell has no more bits')
    const read = copyBits(cell.bytes, position, count * 8)
    position += count * 8
    return read
  }

  return {
    get bitsLeft() {
      return cell.bitLength - position
    },
    get refsLeft() {
      return cell.refs.length - nextRef
    },
    bit,
    uint,
    bytes,
    ref() {
      const ref = cell.refs[nextRef++]
      if (ref === undefined) throw new CellError('the cell has no more references')
      return ref
    },
    coins: () => uint(Number(uint(4)) * 8),
    address() {
      switch (uint(2)) {
        case 0n:
          return undefined
        case 1n:
          uint(Number(uint(9)))
          return undefined
        case 2n:
          return readStandardAddress(uint)
        default:
          throw new CellError('the address has no standard form')
      }
    },
    rest() {
      const bitLength = cell.bitLength - position
      const read = copyBits(cell.bytes, position, bitLength)
      const refs = cell.refs.slice(nextRef)
      position = cell.bitLength
      nextRef = cell.refs.length
      return { bytes: read, bitLength, refs, isExotic: false }
    },
  }
}

function readStandardAddress(uint: CellReader['uint']): string {
  if (uint(1) === 1n) throw new CellError('the address has an anycast prefix')
  const workchain = BigInt.asIntN(8, uint(8))
  const hash = uint(256).toString(16).padStart(64, '0')
  return `${workchain}:${hash.toUpperCase()}`
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
