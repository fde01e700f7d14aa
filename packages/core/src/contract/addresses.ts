import { Address } from '@ton/core'
import { parseAddress } from '../address/address.js'

/**
 * An account of an answer as an `Address` of `@ton/core`, in whatever spelling it came: API v2 writes friendly addresses
 * and API v3 raw ones. Parameters need no conversion: every method takes an `Address` as it is.
 * @throws {AddressError} when it is none.
 * @example
 * ```ts
 * import { createV3Client } from '@tonplug/core'
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
 * As {@link toAddress}; `null` where an answer has no account: the empty text in API v2, and an absent field.
 * @throws {AddressError} when it is a text of another kind.
 */
export function toAddressOrNull(text: string | null | undefined): Address | null {
  return text === undefined || text === null || text === '' ? null : toAddress(text)
}

/**
 * An account as API v3 writes it: `0:` and upper-case hex. It is the key of the account in `address_book` and `metadata`
 * of an answer, and what `account`, `source` and `destination` of its rows compare with.
 */
export function toRawAddress(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}
