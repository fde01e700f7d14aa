import { canonicalAddress } from './address.js'

/** The gateway's identifier of the native coin. */
export const NATIVE_ASSET = 'TON'

/** The ticker of the native coin since June 2026. The gateway's identifier did not change. */
const NATIVE_TICKER = 'GRAM'

/**
 * Returns the canonical form of an asset, for comparing: `'TON'` for the native coin, which `'GRAM'` names too, or the
 * jetton master as `workchain:hash`. No other ticker is an asset: any jetton can use it.
 * @throws {AddressError} when it is neither.
 */
export function canonicalAsset(asset: string): string {
  const isNative = asset === NATIVE_ASSET || asset === NATIVE_TICKER
  return isNative ? NATIVE_ASSET : canonicalAddress(asset)
}
