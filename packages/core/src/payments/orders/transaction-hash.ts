const HEX = /^(?:0x)?([0-9a-fA-F]{64})$/
// 43 characters carry 258 bits; the last one holds four bits of the hash and two zero bits.
const BASE64 = /^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/

const CANONICAL = /^[0-9a-f]{64}$/

/** Returns a hash in canonical format; `undefined` for any other string. */
export function readTransactionHash(hash: string): string | undefined {
  const canonical = canonicalTransactionHash(hash)
  return CANONICAL.test(canonical) ? canonical : undefined
}

/**
 * Returns the canonical format of a transaction hash, for comparing: lower-case hex for a 256-bit hash in hex, base64 or
 * base64url. Any other string is returned unchanged, since the gateway does not document the encoding.
 */
export function canonicalTransactionHash(hash: string): string {
  const hex = HEX.exec(hash)
  if (hex !== null) return (hex[1] ?? '').toLowerCase()
  if (!BASE64.test(hash)) return hash
  const binary = atob(hash.slice(0, 43).replaceAll('-', '+').replaceAll('_', '/') + '=')
  return Array.from(binary, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
