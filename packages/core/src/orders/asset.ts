import { canonicalAddress } from '../address/address.js'

/** The gateway's identifier of the native coin. */
export const NATIVE_ASSET = 'TON'

/**
 * The one spelling to compare assets by: `'TON'`, or the jetton master as `workchain:hash`.
 * A ticker is never an asset: any jetton can call itself TON.
 * @throws {AddressError} when it is neither.
 */
export function canonicalAsset(asset: string): string {
  return asset === NATIVE_ASSET ? NATIVE_ASSET : canonicalAddress(asset)
}
