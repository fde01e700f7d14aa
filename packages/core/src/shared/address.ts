import { decodeBase64, decodeHex, encodeBase64 } from './base64.js'
import { TonplugError } from './tonplug-error.js'

const RAW = /^(0|-?[1-9]\d{0,9}):([0-9a-fA-F]{64})$/
const FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/
const MAX_WORKCHAIN = 2 ** 31 - 1
const MIN_WORKCHAIN = -(2 ** 31)

const TAG_BOUNCEABLE = 0x11
const TAG_NON_BOUNCEABLE = 0x51
const FLAG_TEST_ONLY = 0x80
const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** An account: its workchain and 256-bit hash (lower-case hex). The flags of the friendly format are not part of it. */
export interface Address {
  workchain: number
  hash: string
}

/** A string is not a TON address: wrong length, alphabet, tag or checksum. */
export class AddressError extends TonplugError<{ input: string }> {
  override readonly name = 'AddressError'
  readonly code = 'ERR_TONPLUG_ADDRESS'

  constructor(facts: { input: string; problem: string }) {
    super({
      message: `${quote(facts.input)} is not a TON address: ${facts.problem}`,
      details: { input: facts.input },
    })
  }
}

/**
 * Parses an address in any format: raw (`0:…`), or friendly (`EQ…`, `UQ…`, `kQ…`, `0Q…`) in base64 or base64url.
 * Source: the friendly form is tag, workchain, hash and CRC16-XMODEM over the first 34 bytes.
 * @throws {AddressError} for any other string, and for a wrong checksum.
 */
export function parseAddress(text: string): Address {
  const raw = RAW.exec(text)
  if (raw !== null) return parseRaw(text, raw)
  if (FRIENDLY.test(text)) return parseFriendly(text)
  throw new AddressError({
    input: text,
    problem: 'expected workchain:hash with 64 hex digits, or 48 characters of base64',
  })
}

/**
 * Returns the canonical format of an address, for comparing and storing: `workchain:hash`, lower-case hex.
 * @throws {AddressError} for any other string, and for a wrong checksum.
 */
export function canonicalAddress(text: string): string {
  const { workchain, hash } = parseAddress(text)
  return `${workchain}:${hash}`
}

/** The flags of a friendly address. */
export interface AddressFlags {
  /** A message to the account returns to its sender when the account cannot process it. */
  isBounceable: boolean
  /** The address is of a test network. */
  isTestOnly: boolean
}

/** Returns the flags of a valid address; `undefined` for a raw one, which has none. */
export function addressFlags(text: string): AddressFlags | undefined {
  if (!FRIENDLY.test(text)) return undefined
  const tag = decodeBase64(text)[0] ?? 0
  return {
    isBounceable: (tag & ~FLAG_TEST_ONLY) === TAG_BOUNCEABLE,
    isTestOnly: (tag & FLAG_TEST_ONLY) !== 0,
  }
}

/**
 * Returns the friendly address of an account, in base64url.
 * @throws {AddressError} for any other string, for a wrong checksum, and for a workchain that the format cannot hold.
 */
export function friendlyAddress(text: string, { isBounceable, isTestOnly }: AddressFlags): string {
  const { workchain, hash } = parseAddress(text)
  if (workchain < -128 || workchain > 127) {
    throw new AddressError({ input: text, problem: 'its workchain has no friendly format' })
  }
  const bytes = new Uint8Array(36)
  const tag = isBounceable ? TAG_BOUNCEABLE : TAG_NON_BOUNCEABLE
  bytes[0] = isTestOnly ? tag | FLAG_TEST_ONLY : tag
  bytes[1] = workchain & 0xff
  bytes.set(decodeHex(hash), 2)
  const checksum = crc16(bytes.subarray(0, 34))
  bytes[34] = checksum >> 8
  bytes[35] = checksum & 0xff
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_')
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

function parseRaw(text: string, match: RegExpExecArray): Address {
  const workchain = Number(match[1])
  if (workchain > MAX_WORKCHAIN || workchain < MIN_WORKCHAIN) {
    throw new AddressError({ input: text, problem: 'its workchain does not fit 32 bits' })
  }
  return { workchain, hash: (match[2] ?? '').toLowerCase() }
}

function parseFriendly(text: string): Address {
  const bytes = decodeBase64(text)
  const tag = (bytes[0] ?? 0) & ~FLAG_TEST_ONLY
  if (tag !== TAG_BOUNCEABLE && tag !== TAG_NON_BOUNCEABLE) {
    throw new AddressError({ input: text, problem: 'its first byte is invalid' })
  }
  // The checksum of bytes that end in their own checksum is zero.
  if (crc16(bytes) !== 0) {
    throw new AddressError({
      input: text,
      problem: 'its checksum is wrong',
    })
  }
  const workchain = ((bytes[1] ?? 0) << 24) >> 24
  return { workchain, hash: toHex(bytes.subarray(2, 34)) }
}

function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += HEX_PAIRS[byte]
  return hex
}

/** CRC16-XMODEM: polynomial 0x1021, start 0, no reflection; the eight steps of a byte at once. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    const high = (crc >> 8) ^ byte
    const mixed = high ^ (high >> 4)
    crc = ((crc << 8) ^ (mixed << 12) ^ (mixed << 5) ^ mixed) & 0xffff
  }
  return crc
}
