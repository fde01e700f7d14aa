// The whole module: bundlers for browsers replace it with an empty one, and a named import from that is an error.
import nodeCrypto from 'node:crypto'

/**
 * Returns SHA-256 of bytes, or of a string in UTF-8. Synchronous, unlike Web Crypto; clients, which run in browsers, must not
 * use it.
 */
export function sha256(data: string | Uint8Array): Uint8Array {
  return nodeCrypto.createHash('sha256').update(data).digest()
}
