import { createHash } from 'node:crypto'

/** A name that changes with the addresses. @param addresses canonical */
export function sourceName(asset: string, addresses: readonly string[]): string {
  const digest = createHash('sha256').update(addresses.join())
  return `${asset} ${digest.digest('hex').slice(0, 32)}`
}
