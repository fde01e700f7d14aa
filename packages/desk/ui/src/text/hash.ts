const HEX = /^(?:0x)?([0-9a-f]{64})$/i
const BASE64 = /^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/

/** Returns a 256-bit hash in lower-case hex, as logs and explorers show it; any other string unchanged. */
export function toHex(hash: string): string {
  const [, hex] = HEX.exec(hash) ?? []
  if (hex !== undefined) return hex.toLowerCase()
  if (!BASE64.test(hash)) return hash
  const binary = atob(`${hash.slice(0, 43).replaceAll('-', '+').replaceAll('_', '/')}=`)
  return Array.from(binary, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

/** Returns the beginning and the end of a long string. */
export function shorten(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text
}
