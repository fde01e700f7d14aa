import { AddressError } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import type { FittedOffer, Offer } from './offer.js'
import type { Order } from './order.js'

/** Returns the offers of an order; an order with `rawAmount` and `asset` has one. */
export function offersOf({ offers, rawAmount, asset }: Order): readonly Offer[] {
  if (offers) return offers
  return rawAmount === undefined || asset === undefined ? [] : [{ rawAmount, asset }]
}

/** Returns the offer of an order in an asset, in any format. */
export function offerIn(order: Order, asset: string): Offer | undefined {
  const offers = offersOf(order)
  const same = offers.find((offer) => offer.asset === asset)
  if (same !== undefined) return same
  const canonical = undefinedOn(AddressError, () => canonicalAsset(asset))
  return canonical === undefined
    ? undefined
    : offers.find((offer) => canonicalAsset(offer.asset) === canonical)
}

/** Returns the offer of an order with several, as JSON values; `undefined` for an order with `rawAmount` and `asset`. */
export function describeOffer(order: Order, offer: Offer | undefined): FittedOffer | undefined {
  if (!order.offers || offer === undefined) return undefined
  const { rawAmount, asset, rate } = offer
  return {
    rawAmount: rawAmount.toString(),
    asset: canonicalAsset(asset),
    ...(rate && { rate: { ...rate, at: rate.at.toISOString() } }),
  }
}

/**
 * Returns true for a payment that came after the end of an offer with a rate.
 * @param paidAtMs time of the transaction, milliseconds since the Unix epoch
 */
export function isAfterLock({ rate, expiresAt }: Offer, paidAtMs: number): boolean {
  return rate !== undefined && expiresAt !== undefined && paidAtMs > expiresAt.getTime()
}
