import { AddressError, parseAddress } from '../../shared/address.js'
import { decodeHex, encodeBase64, toStandardBase64 } from '../../shared/base64.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { createParam } from './param.js'

// Parameters that endpoints share. Each checks the caller's value and returns the value to send: a number for 32-bit
// integers, otherwise a string.

const DECIMAL = /^-?\d{1,20}$/
// Without 0x as in API v3, which omits up to three leading zeros.
const SHARD_HEX = /^(?:0x[0-9a-f]{1,16}|[0-9a-f]{13,16})$/i
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
// The first 30 bits of the three magic numbers of a bag of cells.
const BOC_MAGIC = /^(?:te6cc|aP9l8|rMOnK)/
// 43 characters have 258 bits; the last one holds four bits of the hash and two zero bits.
const BASE64_HASH = /^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/
const HEX_HASH = /^(?:0x)?([0-9a-fA-F]{64})$/
const HASH_BYTES = 32
const INT32_MAX = 2 ** 31 - 1
const INT32_MIN = -(2 ** 31)
const INT64_MAX = 2n ** 63n - 1n
const INT64_SIZE = 2n ** 64n

/** A 256-bit hash: hex, base64, base64url, or its bytes. */
export type HashLike = string | Uint8Array

/** An address in any format, or an object with `toRawString()`, for example an `Address` of `@ton/core`. */
export type AddressLike = string | { toRawString(): string }

// The type has a name, since the compiler would otherwise expand the union, with types that TypeScript 5.6 lacks.
/** The hash of an account, or its whole address. */
export type AccountHashLike = HashLike | AddressLike

/** An integer that a `number` may not hold: a bigint, its decimal digits, or a number below 2^53. */
export type BigintLike = bigint | string | number

/** Seconds since the Unix epoch, or a `Date`. */
export type TimeLike = number | Date

/** A bag of cells: base64, base64url, bytes, or an object with `toBoc()`, for example a `Cell` of `@ton/core`. */
export type BocLike = string | Uint8Array | { toBoc(): Uint8Array }

/** An account. A user-friendly address is sent unchanged, since some endpoints return its flags. */
export const addressParam = createParam<string, AddressLike>(
  'an address: workchain:hash with 64 hex digits, or 48 characters of base64 with a right checksum',
  (value) => {
    const text = toAddressText(value)
    return text !== undefined && parseHash(text) !== undefined ? text : undefined
  },
)

export const hashParam = createParam<string, HashLike>(
  'a 256-bit hash: 64 hex digits, base64, base64url, or 32 bytes',
  toBase64Hash,
)

/** The hash of an account without its workchain. Accepts the whole address. */
export const accountHashParam = createParam<string, AccountHashLike>(
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
  return createParam<number, number>(`an integer from ${least} to ${most}`, (value) =>
    Number.isInteger(value) && value >= least && value <= most ? value : undefined,
  )
}

/** The seqno of a block. Both servers reject 0. */
export const seqnoParam = intParam(1)

export const workchainParam = intParam()

/** A point in time. Sent as whole seconds, rounded down as servers do. */
export const timeParam = createParam<number, TimeLike>('a Date, or seconds since 1970', (value) => {
  const seconds = value instanceof Date ? value.getTime() / 1000 : value
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= INT32_MAX)) return undefined
  return Math.floor(seconds)
})

/** A logical time of at least `least`. */
export function ltParam(least: 0n | 1n = 0n) {
  return createParam<string, BigintLike>(`a logical time from ${least} to 2^63-1`, (value) => {
    const lt = toBigint(value)
    return lt !== undefined && lt >= least && lt <= INT64_MAX ? lt.toString() : undefined
  })
}

/** A shard: signed as in API v2, unsigned, or hex as in API v3. Sent as signed decimal digits. */
export const shardParam = createParam<string, bigint | string>(
  'a shard: a bigint, 64 bits in decimal digits, or hex',
  (value) => {
    const shard = readShard(value)
    if (shard === undefined || shard < -INT64_MAX - 1n || shard >= INT64_SIZE) return undefined
    return BigInt.asIntN(64, shard).toString()
  },
)

export const bocParam = createParam<string, BocLike>(
  'a bag of cells: base64, base64url, bytes, or a Cell',
  readBoc,
)

export const emptyableBocParam = createParam<string, BocLike>(
  'a bag of cells: base64, base64url, bytes, or a Cell; or an empty string',
  (value) => (value === '' ? '' : readBoc(value)),
)

export const boolParam = createParam<boolean, boolean>('true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
)

export const stringParam = createParam<string, string>('a non-empty string', (value) =>
  typeof value === 'string' && value !== '' ? value : undefined,
)

function toAddressText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('toRawString' in value)) return undefined
  const text: unknown = typeof value.toRawString === 'function' ? value.toRawString() : undefined
  return typeof text === 'string' ? text : undefined
}

/** Returns the hash of an address in hex; `undefined` if the address is invalid. */
function parseHash(address: string): string | undefined {
  return undefinedOn(AddressError, () => parseAddress(address).hash)
}

export function toBigint(value: BigintLike): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? BigInt(value) : undefined
}

/**
 * Digits alone may be hex or decimal. The correct reading is split fewer times: no shard that is split up
 * to 15 times in one notation is split that few times in the other.
 */
function readShard(value: bigint | string): bigint | undefined {
  const decimal = toBigint(value)
  if (typeof value !== 'string' || !SHARD_HEX.test(value)) return decimal
  const hex = BigInt(`0x${value.replace(/^0x/i, '')}`)
  return decimal === undefined || lowestBit(hex) > lowestBit(decimal) ? hex : decimal
}

/** Returns the lowest set bit. The higher it is, the fewer times the shard is split. */
function lowestBit(shard: bigint): bigint {
  return shard & -shard
}

function readBoc(value: unknown): string | undefined {
  const boc = toBoc(value)
  return boc !== undefined && BOC_MAGIC.test(boc) ? boc : undefined
}

function toBoc(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return encodeBase64(value)
  if (typeof value === 'string') {
    // A single character after the last group of four means that the string was cut: padded, it is not base64.
    const text = toStandardBase64(value)
    return BASE64.test(value) && BASE64.test(text) ? text : undefined
  }
  if (typeof value !== 'object' || value === null || !('toBoc' in value)) return undefined
  const bytes: unknown = typeof value.toBoc === 'function' ? value.toBoc() : undefined
  return bytes instanceof Uint8Array ? encodeBase64(bytes) : undefined
}

/**
 * Returns a hash in standard base64 with padding, which all endpoints of both v2 servers accept.
 * @returns `undefined` if it is not a 256-bit hash.
 */
export function toBase64Hash(hash: unknown): string | undefined {
  if (hash instanceof Uint8Array) return hash.length === HASH_BYTES ? encodeBase64(hash) : undefined
  if (typeof hash !== 'string') return undefined
  const hex = HEX_HASH.exec(hash)?.[1]
  if (hex !== undefined) return encodeBase64(decodeHex(hex))
  return BASE64_HASH.test(hash) ? toStandardBase64(hash) : undefined
}
