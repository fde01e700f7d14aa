import type { Address, Cell } from '@ton/core'

/** 256 bits in standard base64. */
export function base64Hash(hash: bigint | Buffer): string {
  return (typeof hash === 'bigint' ? hashBytes(hash) : hash).toString('base64')
}

/** The bytes of 256 bits. */
function hashBytes(hash: bigint): Buffer {
  return Buffer.from(hash.toString(16).padStart(64, '0'), 'hex')
}

/** A bag of cells in standard base64. */
export function base64Boc(cell: Cell): string {
  return cell.toBoc().toString('base64')
}

/** An account as API v3 and some fields of API v2 write it. */
export function rawAddress(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}

/** A hash as the servers take it: hex, or base64 in either alphabet. */
export function readHash(text: string): string {
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(text)) {
    return Buffer.from(text.replace(/^0x/, ''), 'hex').toString('base64')
  }
  return Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('base64')
}
