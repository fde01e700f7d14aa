import type { Address, Cell } from '@ton/core'

/** Returns 256 bits in standard base64. */
export function base64Hash(hash: bigint | Buffer): string {
  return (typeof hash === 'bigint' ? hashBytes(hash) : hash).toString('base64')
}

/** Returns the 32 bytes of 256 bits. */
function hashBytes(hash: bigint): Buffer {
  return Buffer.from(hash.toString(16).padStart(64, '0'), 'hex')
}

/** Returns a bag of cells in standard base64. */
export function base64Boc(cell: Cell): string {
  return cell.toBoc().toString('base64')
}

/** Returns a raw address in upper case, as API v3 and some fields of API v2 have it. */
export function rawAddress(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}

/** Reads a hash in hex, base64 or base64url, and returns it in standard base64. */
export function readHash(text: string): string {
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(text)) {
    return Buffer.from(text.replace(/^0x/, ''), 'hex').toString('base64')
  }
  return Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('base64')
}
