import { createHash } from 'node:crypto'

/** Returns a name that depends on the asset and the addresses, which must be canonical. */
export function sourceName(asset: string, addresses: readonly string[]): string {
  const digest = createHash('sha256').update(addresses.join())
  return `${asset} ${digest.digest('hex').slice(0, 32)}`
}
