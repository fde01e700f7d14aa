import type { Offer } from '../orders/offer.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { checkExpiry } from '../../shared/invoice-expiry.js'
import { asset, parseOptions } from '../../shared/options.js'
import { randomReference } from '../../shared/random-reference.js'
import { withJson } from '../../shared/with-json.js'
import { checkRecipient } from './check-recipient.js'
import { OFFERED, PRICED, type CommonChecked } from './invoice-options.js'
import { boundBody, checkUnits, decimalsOf, targetOf } from './invoice-target.js'
import { payableOffer, type PayableOffer } from './payable-offer.js'
import { priceOffers } from './price-offers.js'

/** A request for payment in one of several coins. `response.json(invoice)` sends {@link InvoiceWithOffers.toJSON}. */
export interface InvoiceWithOffers {
  /** The order, to be stored before the payer sees the invoice. */
  readonly order: {
    reference: string
    offers: readonly Offer[]
    status: 'pending'
    /** The wallet to pay to. */
    recipient: string
    /** The hash of the body of a payment in the native coin. */
    bodyBase64Hash?: string | undefined
    createdAt: Date
    /** The end of the offers. */
    expiresAt?: Date | undefined
  }
  /** The same offers, each with its link and its request for TON Connect. */
  readonly offers: readonly PayableOffer[]
  readonly expiresAt?: Date | undefined
  /** Returns the fields for a checkout page. Amounts are decimal strings, dates ISO 8601. */
  readonly toJSON: () => {
    reference: string
    recipient: string
    expiresAt?: string | undefined
    offers: ReturnType<PayableOffer['toJSON']>[]
  }
}

type CompleteOffer = Offer & { decimals: number }

/** Creates an invoice for a price in a currency. */
export async function createPriced(options: Record<string, unknown>): Promise<InvoiceWithOffers> {
  const checked = parseOptions(PRICED(), options)
  const { clock, lockMs } = checked
  const decimalsBy = byAsset('decimals', checked.decimals)
  const offers = await priceOffers({
    ...checked,
    bounds: byAsset('bounds', checked.bounds),
    decimalsOf: (paidIn) =>
      decimalsOf(checked, { asset: paidIn, decimals: decimalsBy.get(paidIn) }),
  })
  // The time for the payer begins when the rates are known.
  const expiresAt = new Date(clock.nowMs() + lockMs)
  return toInvoiceWithOffers(
    options,
    checked,
    offers.map((offer) => ({ ...offer, expiresAt })),
  )
}

/** Creates an invoice for stored offers, or for the shop's own amounts. */
export async function createOffered(options: Record<string, unknown>): Promise<InvoiceWithOffers> {
  const checked = parseOptions(OFFERED(), options)
  const offers = await Promise.all(
    checked.offers.map(async (offer) => {
      const decimals = await decimalsOf(checked, offer)
      return { ...offer, decimals }
    }),
  )
  return toInvoiceWithOffers(options, checked, offers)
}

async function toInvoiceWithOffers(
  options: Record<string, unknown>,
  checked: CommonChecked,
  offers: readonly CompleteOffer[],
): Promise<InvoiceWithOffers> {
  const { reference = randomReference(), clock, v3 } = checked
  for (const { rawAmount } of offers) checkUnits(rawAmount, 'offers')
  const expiresAt = endOf(offers)
  checkExpiry({ reference, expiresAt }, clock)
  const target = targetOf(options, { checked, reference })
  const isNative = offers.some((offer) => offer.asset === NATIVE_ASSET)
  const isJetton = offers.some((offer) => offer.asset !== NATIVE_ASSET)
  if (isJetton && v3) await checkRecipient(v3, checked.wallet, clock)
  const bodyBase64Hash = isNative ? await boundBody(checked, target) : undefined
  const stored = offers.map((offer) => withJson({ ...offer }))
  const { recipient } = target
  const order = { reference, offers: stored, status: 'pending' as const, recipient }
  const payable = offers.map((offer) => payableOffer(target, offer))
  return {
    order: { ...order, bodyBase64Hash, createdAt: new Date(clock.nowMs()), expiresAt },
    offers: payable,
    expiresAt,
    toJSON: () => ({
      reference,
      recipient,
      expiresAt: expiresAt?.toISOString(),
      offers: payable.map((offer) => offer.toJSON()),
    }),
  }
}

/** Returns when the last offer ends; `undefined` while one has no end. */
function endOf(offers: readonly Offer[]): Date | undefined {
  const last = Math.max(...offers.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity))
  return Number.isFinite(last) ? new Date(last) : undefined
}

/** @throws {ConfigurationError} for a key that is not an asset. */
function byAsset<Value>(option: string, values: Record<string, Value>): Map<string, Value> {
  return new Map(
    Object.entries(values).map(([key, value]) => [
      parseOptions(asset, key, { path: option }),
      value,
    ]),
  )
}
