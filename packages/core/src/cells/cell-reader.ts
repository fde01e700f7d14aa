import { CellError, type Cell } from './cell.js'

/** Reads a cell from its beginning. Every method throws a {@link CellError} when the cell has no more. */
export interface CellReader {
  readonly bitsLeft: number
  readonly refsLeft: number
  /** One bit: whether it is 1. */
  bit(): boolean
  /** An unsigned integer. */
  uint(bits: number): bigint
  /** The bytes of the next `count * 8` bits. */
  bytes(count: number): Uint8Array
  ref(): Cell
  /** An amount of coins: the count of its bytes in four bits, then the bytes. */
  coins(): bigint
  /** An account as `workchain:HASH` in upper case; `undefined` for none, and for one outside of the chain. */
  address(): string | undefined
  /** What has not been read, as a cell of its own. */
  rest(): Cell
}

/** Begins to read. */
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

/** These bits from the beginning of the first byte; what is left of the last one is 0. */
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
