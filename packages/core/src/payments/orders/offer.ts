/** A price of a coin, by which the amount of an offer was computed. Decimal strings, never numbers. */
export interface OfferRate {
  /** Price of one whole coin in the currency, for example `'5.23'`. */
  price: string
  /** The currency as the shop writes it, for example `'USD'`. */
  currency: string
  /** Time of the price. */
  at: Date
  /** Where the price is from, as `rates` returned it. */
  source?: string | undefined
  /** The price of the order in the currency, for example `'12.50'`. */
  orderPrice: string
}

/** One way to pay an order: an amount in one asset. An order has at most one offer in each asset. */
export interface Offer {
  /** Expected amount in base units. */
  rawAmount: bigint
  /** `'TON'` (or `'GRAM'`), or the jetton master's address in any format. */
  asset: string
  /** Decimals of the asset. */
  decimals?: number | undefined
  /** Present where the amount was computed from a price in a currency. */
  rate?: OfferRate | undefined
  /** End of the time for which the amount is valid. A later payment by an offer with a rate is a mismatch. */
  expiresAt?: Date | undefined
}

/** The offer that a payment fits, as JSON values: in decisions and payments. */
export interface FittedOffer {
  /** Base units, in decimal digits. */
  rawAmount: string
  /** `'TON'` or the jetton master as `workchain:hex`, lower-case. */
  asset: string
  /** Present where the amount was computed from a price in a currency. `at` is ISO 8601. */
  rate?: (Omit<OfferRate, 'at'> & { at: string }) | undefined
}
