import { Address } from '@ton/core'
import { parseAddress } from '../../shared/address.js'

/**
 * Converts an account of a response to an `Address` of `@ton/core`. API v2 returns friendly addresses, API v3 raw ones;
 * both are accepted. Parameters need no conversion: every method accepts an `Address`.
 * @throws {AddressError} when the address is invalid.
 * @example
 * ```ts
 * import { createV3Client } from '@tonplug/core/toncenter'
 * import { toAddress } from '@tonplug/core/contract'
 *
 * const v3 = createV3Client({ network: 'testnet' })
 * const { transactions } = await v3.transactions({ limit: 1 })
 * for (const { account } of transactions) console.log(toAddress(account).toString())
 * ```
 */
export function toAddress(text: string): Address {
  const { workchain, hash } = parseAddress(text)
  return new Address(workchain, Buffer.from(hash, 'hex'))
}

/**
 * Converts an account like {@link toAddress}; returns `null` for a missing one: an empty string in API v2, or an absent field.
 * @throws {AddressError} when any other string is not an address.
 */
export function toAddressOrNull(text: string | null | undefined): Address | null {
  return text === undefined || text === null || text === '' ? null : toAddress(text)
}

/**
 * Returns the raw address in the format of API v3: `0:` and upper-case hex. It is the account's key in `address_book` and
 * `metadata`, and the format of `account`, `source` and `destination`.
 */
export function toRawAddress(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}
