/** Encodes bytes in standard base64 with padding, the alphabet that both v2 servers read and write. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Encodes bytes in base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Converts base64 or base64url, padded or not, to standard base64 with padding. */
export function toStandardBase64(text: string): string {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')
}

/** Decodes base64 or base64url, padded or not. @throws {DOMException} for invalid base64. */
export function decodeBase64(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** Decodes pairs of hex digits. */
export function decodeHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length / 2)
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16)
  }
  return bytes
}
