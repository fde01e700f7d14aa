import { parseAddress } from '../address/address.js'
import { AddressError } from '../errors/address.js'
import { decodeHex, encodeBase64, toStandardBase64 } from './base64.js'
import { toBase64Hash, type HashLike } from './hash.js'
import { paramWord } from './param.js'

// This file is the whole vocabulary for parameters. Each word checks what a caller passed and answers what goes on
// the wire: numbers for 32-bit integers, text for everything else.

const DECIMAL = /^-?\d{1,20}$/
// Without 0x as v3 writes a shard: it leaves out up to three zeros in front.
const SHARD_HEX = /^(?:0x[0-9a-f]{1,16}|[0-9a-f]{13,16})$/i
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
// The first 30 bits of the three magic numbers that a bag of cells can begin with.
const BOC_MAGIC = /^(?:te6cc|aP9l8|rMOnK)/
const INT32_MAX = 2 ** 31 - 1
const INT32_MIN = -(2 ** 31)
const INT64_MAX = 2n ** 63n - 1n
const INT64_SIZE = 2n ** 64n

/** An account in any spelling, or an object that knows its raw one, such as an `Address` of `@ton/core`. */
export type AddressLike = string | { toRawString(): string }

// It has a name, since the compiler would write the whole union in its place, with types that TypeScript 5.6 lacks.
/** The hash of an account, or the whole address. */
export type AccountHashLike = HashLike | AddressLike

/** An integer that a `number` may not hold: a bigint, its decimal digits, or a number below 2^53. */
export type BigintLike = bigint | string | number

/** Seconds since the Unix epoch, or a `Date`. */
export type TimeLike = number | Date

/** A bag of cells: base64, base64url, its bytes, or an object that knows them, such as a `Cell` of `@ton/core`. */
export type BocLike = string | Uint8Array | { toBoc(): Uint8Array }

/** An account. A friendly address goes as it is, since some endpoints answer about its flags. */
export const addressParam = paramWord<string, AddressLike>(
  'an address: workchain:hash with 64 hex digits, or 48 characters of base64 with a right checksum',
  (value) => {
    const text = toAddressText(value)
    return text !== undefined && parseHash(text) !== undefined ? text : undefined
  },
)

/** A 256-bit hash. */
export const hashParam = paramWord<string, HashLike>(
  'a 256-bit hash: 64 hex digits, base64, base64url, or 32 bytes',
  toBase64Hash,
)

/** The hash of an account without its workchain; the whole address will do. */
export const accountHashParam = paramWord<string, AccountHashLike>(
  'an address, or the 256-bit hash of one',
  (value) => {
    const hash = toBase64Hash(value)
    if (hash !== undefined) return hash
    const text = toAddressText(value)
    const digits = text === undefined ? undefined : parseHash(text)
    return digits === undefined ? undefined : encodeBase64(decodeHex(digits))
  },
)

/** A signed 32-bit integer within bounds. */
export function intParam(least = INT32_MIN, most = INT32_MAX) {
  return paramWord<number, number>(`an integer from ${least} to ${most}`, (value) =>
    Number.isInteger(value) && value >= least && value <= most ? value : undefined,
  )
}

/** The seqno of a block. Both servers refuse 0. */
export const seqnoParam = intParam(1)

/** A workchain. */
export const workchainParam = intParam()

/** A point in time. Goes as whole seconds; what is left of one is dropped, as servers do. */
export const timeParam = paramWord<number, TimeLike>('a Date, or seconds since 1970', (value) => {
  const seconds = value instanceof Date ? value.getTime() / 1000 : value
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= INT32_MAX)) return undefined
  return Math.floor(seconds)
})

/** A logical time of at least `least`. */
export function ltParam(least: 0n | 1n = 0n) {
  return paramWord<string, BigintLike>(`a logical time from ${least} to 2^63-1`, (value) => {
    const lt = toBigint(value)
    return lt !== undefined && lt >= least && lt <= INT64_MAX ? lt.toString() : undefined
  })
}

/** A shard: signed as v2 writes it, unsigned, or hex as v3 has it. Goes as signed decimal digits. */
export const shardParam = paramWord<string, bigint | string>(
  'a shard: a bigint, 64 bits in decimal digits, or hex',
  (value) => {
    const shard = readShard(value)
    if (shard === undefined || shard < -INT64_MAX - 1n || shard >= INT64_SIZE) return undefined
    return BigInt.asIntN(64, shard).toString()
  },
)

/** A bag of cells. */
export const bocParam = paramWord<string, BocLike>(
  'a bag of cells: base64, base64url, bytes, or a Cell',
  (value) => {
    const boc = toBoc(value)
    return boc !== undefined && BOC_MAGIC.test(boc) ? boc : undefined
  },
)

/** A bag of cells, or an empty text for none. */
export const emptyableBocParam = paramWord<string, BocLike>(
  'a bag of cells: base64, base64url, bytes, or a Cell; or an empty text',
  (value) => {
    const boc = value === '' ? '' : toBoc(value)
    return boc === '' || (boc !== undefined && BOC_MAGIC.test(boc)) ? boc : undefined
  },
)

/** `true` or `false`. */
export const boolParam = paramWord<boolean, boolean>('true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
)

/** A text that is not empty. */
export const textParam = paramWord<string, string>('a text', (value) =>
  typeof value === 'string' && value !== '' ? value : undefined,
)

function toAddressText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('toRawString' in value)) return undefined
  const text: unknown = typeof value.toRawString === 'function' ? value.toRawString() : undefined
  return typeof text === 'string' ? text : undefined
}

/** The hash of an address in hex. */
function parseHash(address: string): string | undefined {
  try {
    return parseAddress(address).hash
  } catch (error) {
    if (error instanceof AddressError) return undefined
    throw error
  }
}

/** The integer; `undefined` when it is none. */
export function toBigint(value: BigintLike): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? BigInt(value) : undefined
}

/**
 * Digits alone may be hex or decimal. The reading that is split less often is right: no shard that is split up to 15
 * times, in one notation, is split that seldom in the other.
 */
function readShard(value: bigint | string): bigint | undefined {
  const decimal = toBigint(value)
  if (typeof value !== 'string' || !SHARD_HEX.test(value)) return decimal
  const hex = BigInt(`0x${value.replace(/^0x/i, '')}`)
  return decimal === undefined || lowestBit(hex) > lowestBit(decimal) ? hex : decimal
}

/** The higher it stands, the less often the shard is split. */
function lowestBit(shard: bigint): bigint {
  return shard & -shard
}

function toBoc(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return encodeBase64(value)
  if (typeof value === 'string') {
    // Where one character is left behind the last four, something was cut: padded, it is no base64.
    const text = toStandardBase64(value)
    return BASE64.test(value) && BASE64.test(text) ? text : undefined
  }
  if (typeof value !== 'object' || value === null || !('toBoc' in value)) return undefined
  const bytes: unknown = typeof value.toBoc === 'function' ? value.toBoc() : undefined
  return bytes instanceof Uint8Array ? encodeBase64(bytes) : undefined
}
