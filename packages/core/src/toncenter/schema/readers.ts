import { isObject } from '../../shared/is-object.js'
import { refuse } from './mismatch.js'

// Functions that read one value of a response. Schemas and the decoders generated from them both call these, so that they
// cannot disagree. Each throws a Mismatch for an invalid value.

// Integers of the network have up to 78 digits. The time of `BigInt(text)` grows faster than the length of the string.
const INTEGER = /^-?\d{1,1000}$/
const SMALL_INTEGER = /^-?\d{1,15}$/
const DECIMAL = /^-?\d+(?:\.\d+)?$/
const HASH_LENGTH = 44
const ZERO = 48
const PADDING = 61

export function readBigint(value: unknown): bigint {
  return toBigint(value) ?? refuse('an integer in decimal digits', value)
}

function toBigint(value: unknown): bigint | undefined {
  if (typeof value === 'string') return readDigits(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}

export function readInt(value: unknown): number {
  return toInt(value) ?? refuse('an integer', value)
}

/** Reads like {@link readInt}, but returns `undefined` for an invalid value. */
export function toInt(value: unknown): number | undefined {
  if (typeof value === 'string') return SMALL_INTEGER.test(value) ? Number(value) : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

export function readEmptyableInt(value: unknown): number {
  return value === '' ? 0 : (toInt(value) ?? refuse('an integer, or empty', value))
}

export function readNumber(value: unknown): number {
  if (typeof value === 'string' && DECIMAL.test(value)) return Number(value)
  return typeof value === 'number' ? value : refuse('a number', value)
}

/** Reads a number that lost no digit as a string of digits. */
export function readShard(value: unknown): string {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) ? String(value) : refuse('a shard', value)
}

export function readString(value: unknown): string {
  return typeof value === 'string' ? value : refuse('a string', value)
}

export function readAddress(value: unknown): string {
  return typeof value === 'string' ? value : refuse('an address as a string', value)
}

export function readBytes(value: unknown): string {
  return typeof value === 'string' ? value : refuse('base64', value)
}

export function readBool(value: unknown): boolean {
  return typeof value === 'boolean' ? value : refuse('true or false', value)
}

/** Reads a boolean in any format: contracts write -1 for true. */
export function readFlag(value: unknown): boolean {
  if (value === 'true' || value === 1 || value === -1) return true
  return value === 'false' || value === 0 ? false : readBool(value)
}

export function readHash(value: unknown): string {
  const isRead = typeof value === 'string' && isHash(value)
  return isRead ? value : refuse('a 256-bit hash in base64', value)
}

export function readEmptyableHash(value: unknown): string {
  const isRead = typeof value === 'string' && (value === '' || isHash(value))
  return isRead ? value : refuse('a 256-bit hash in base64, or empty', value)
}

export function readStringOrObject(value: unknown): string | Readonly<Record<string, unknown>> {
  const isRead = typeof value === 'string' || isObject(value)
  return isRead ? value : refuse('a string or an object', value)
}

/** Reads an opcode as a string; a number becomes the string that other servers send. */
export function readOpcode(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isInteger(value)) return refuse('an opcode', value)
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`
}

/** Returns true for an object without fields and for an empty list. */
export function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Number of digits that always fit 64 bits. */
const LONG_DIGITS = 18
/** Number of digits that always fit 31 bits, the integers that JavaScript engines handle fastest. */
const SMALL_DIGITS = 9
const POWERS_OF_TEN = Array.from({ length: SMALL_DIGITS + 1 }, (_, power) => 10n ** BigInt(power))

/** Parses digits as a bigint. Two small halves take half the time of a regular expression and `BigInt(text)`. */
function readDigits(text: string): bigint | undefined {
  const { length } = text
  if (length > LONG_DIGITS) return INTEGER.test(text) ? BigInt(text) : undefined
  const start = text.startsWith('-') ? 1 : 0
  const middle = Math.min(length, SMALL_DIGITS)
  const head = readSmall(text, start, middle)
  const tail = readSmall(text, middle, length)
  if (start === length || head < 0 || tail < 0) return undefined
  const sign = 1 - 2 * start
  // `| 0` excludes -0, which engines do not treat as an integer. `asIntN` keeps the calculation fast.
  const high = (head * sign) | 0
  if (middle === length) return BigInt(high)
  const power = POWERS_OF_TEN[length - middle] ?? 0n
  return BigInt.asIntN(64, BigInt(high) * power + BigInt((tail * sign) | 0))
}

/** Parses the digits from `start` to `end`, at most nine; -1 if one of them is not a digit. */
function readSmall(text: string, start: number, end: number): number {
  let number = 0
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit < 0 || digit > 9) return -1
    number = (number * 10 + digit) | 0
  }
  return number
}

/** Maps the code of each base64 character to 1, or to 3 if its last two bits are zero. */
const BASE64_DIGITS = base64Digits()

/**
 * Returns true for base64 of 256 bits: 43 characters carry 258 bits, and the last two must be zero. The table takes half
 * the time of a regular expression.
 */
function isHash(text: string): boolean {
  if (text.length !== HASH_LENGTH || text.charCodeAt(HASH_LENGTH - 1) !== PADDING) return false
  let shared = BASE64_DIGITS[text.charCodeAt(HASH_LENGTH - 2)] === 3 ? 1 : 0
  for (let index = 0; index < HASH_LENGTH - 2; index++) {
    shared &= BASE64_DIGITS[text.charCodeAt(index)] ?? 0
  }
  return shared === 1
}

function base64Digits(): Uint8Array {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const table = new Uint8Array(128)
  for (let value = 0; value < digits.length; value++) {
    table[digits.charCodeAt(value)] = value % 4 === 0 ? 3 : 1
  }
  return table
}
