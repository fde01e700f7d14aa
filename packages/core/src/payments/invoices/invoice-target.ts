import { hashCell } from '../../toncenter/chain/cells/hash-cell.js'
import { jettonDecimals } from '../../toncenter/chain/jetton-decimals.js'
import { commentBody } from '../../toncenter/chain/write-body.js'
import { addressFlags, friendlyAddress, type AddressFlags } from '../../shared/address.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { encodeBase64 } from '../../shared/base64.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { NATIVE_DECIMALS } from '../../shared/units.js'
import type { CommonChecked, CommonOptions } from './invoice-options.js'
import { readerOf, type InvoiceTarget } from './payable-offer.js'

/** Amounts of coins and jettons have at most 120 bits. */
const MAX_RAW_AMOUNT = 2n ** 120n - 1n

/** Returns the facts that the payments of an invoice have in common. @param options as given */
export function targetOf(
  options: unknown,
  { checked, reference }: { checked: CommonChecked; reference: string },
): InvoiceTarget {
  // The options are checked; the wallet is as given, with its flags.
  const { wallet } = options as CommonOptions
  const flags = flagsOf(wallet, checked.network)
  return {
    recipient: friendlyAddress(checked.wallet, flags),
    isTestOnly: flags.isTestOnly,
    reference,
    comment: commentBody(reference),
    v3: checked.v3,
    clock: checked.clock,
  }
}

/** Returns the hash of the body of the comment. A chosen reference may be in an older payment. */
export async function boundBody(
  { reference }: CommonChecked,
  { comment }: InvoiceTarget,
): Promise<string | undefined> {
  return reference === undefined ? encodeBase64(await hashCell(comment)) : undefined
}

/** Returns the flags for the wallet's address. A raw one becomes non-bounceable, since wallets are often paid before they are deployed. */
function flagsOf(wallet: string, network: CommonChecked['network']): AddressFlags {
  const { isBounceable = false, isTestOnly = false } = addressFlags(wallet) ?? {}
  if (isTestOnly && network === 'mainnet') {
    const problem = "must be 'testnet' or omitted: the wallet has a test-only address"
    throw new ConfigurationError({ option: 'network', problem })
  }
  return { isBounceable, isTestOnly: isTestOnly || network === 'testnet' }
}

/** Returns the decimals of an asset: as passed, otherwise from the jetton's metadata. */
export async function decimalsOf(
  { v3 }: Pick<CommonChecked, 'v3'>,
  { asset, decimals }: { asset: string; decimals?: number | undefined },
): Promise<number> {
  if (asset !== NATIVE_ASSET) return decimals ?? jettonDecimals(readerOf({ v3 }), asset)
  if (decimals === undefined || decimals === NATIVE_DECIMALS) return NATIVE_DECIMALS
  const problem = `must be ${NATIVE_DECIMALS} or omitted for the native coin; received ${decimals}`
  throw new ConfigurationError({ option: 'decimals', problem })
}

/** Returns true for an amount that a transfer can have. */
export function isTransferable(units: bigint): boolean {
  return units > 0n && units <= MAX_RAW_AMOUNT
}

/** @throws {ConfigurationError} for an amount that no transfer can have. */
export function checkUnits(units: bigint, option: string): bigint {
  if (isTransferable(units)) return units
  const problem = `must be above 0 and below 2^120 base units; received ${`${units}`.slice(0, 50)}`
  throw new ConfigurationError({ option, problem })
}
