import { decodeHex, encodeBase64, toStandardBase64 } from './base64.js'

const HEX = /^(?:0x)?([0-9a-fA-F]{64})$/
// 43 characters carry 258 bits; the last one holds four bits of the hash and two zero bits.
const BASE64 = /^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/
const BYTES = 32

/** A 256-bit hash as a caller may have it: hex, base64, base64url, or its bytes. */
export type HashLike = string | Uint8Array

/**
 * The hash in standard base64 with padding: the one spelling that every endpoint of both v2 servers takes.
 * @returns `undefined` when it is no 256-bit hash.
 */
export function toBase64Hash(hash: unknown): string | undefined {
  if (hash instanceof Uint8Array) return hash.length === BYTES ? encodeBase64(hash) : undefined
  if (typeof hash !== 'string') return undefined
  const hex = HEX.exec(hash)?.[1]
  if (hex !== undefined) return encodeBase64(decodeHex(hex))
  return BASE64.test(hash) ? toStandardBase64(hash) : undefined
}
