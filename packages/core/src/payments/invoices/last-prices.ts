import type { Order } from '../orders/order.js'
import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import type { Clock } from '../../shared/clock.js'
import { compareDecimals, parseDecimal, type Decimal } from '../../shared/decimal.js'
import { rateError, type Rate, type RatePair } from './rates.js'

/** Pairs of all wallets. */
const MAX_PAIRS = 10_000

/** A coin in which a wallet is paid, and the currency of the price. */
interface PricedPair extends RatePair {
  /** Canonical. */
  wallet: string
  clock: Clock
}

/** The last price of each pair that has made an invoice in this process. Tests with clocks of their own share nothing. */
const lastPrices = new WeakMap<Clock, BoundedMap<string, Decimal>>()

/**
 * Compares a price with the last one that has made an invoice for the wallet.
 * @param readOrders is called when no invoice of this process has one; returns the newest orders, the newest first.
 * @throws {RateError} when it is more than twice the last price, or less than half of it.
 */
export async function checkJump(
  pair: PricedPair,
  { price }: Rate,
  readOrders: () => Promise<readonly Order[]>,
): Promise<void> {
  const last = lastPrices.get(pair.clock)?.get(keyOf(pair)) ?? storedPrice(pair, await readOrders())
  const current = parseDecimal(price)
  if (last === undefined || current === undefined) return
  const isTooHigh = compareDecimals(current, twice(last)) > 0
  const isTooLow = compareDecimals(twice(current), last) < 0
  if (!isTooHigh && !isTooLow) return
  const { asset, currency } = pair
  const change = isTooHigh ? 'more than twice' : 'less than half of'
  const problem = `is ${price}, ${change} the last one. If it is right, set \`bounds\` for the asset`
  throw rateError({ asset, currency }, 'jump', problem)
}

/** Remembers a price that makes an invoice. */
export function rememberPrice(pair: PricedPair, { price }: Rate): void {
  const prices = lastPrices.get(pair.clock) ?? new BoundedMap<string, Decimal>(MAX_PAIRS)
  lastPrices.set(pair.clock, prices)
  const decimal = parseDecimal(price)
  if (decimal !== undefined) prices.set(keyOf(pair), decimal)
}

/** Returns the price in the newest order of the wallet that has an offer of the pair. */
function storedPrice(
  { wallet, asset, currency }: PricedPair,
  newest: readonly Order[],
): Decimal | undefined {
  for (const { offers, recipient } of newest) {
    const offer = offers?.find(
      (one) => one.rate?.currency === currency && canonicalAsset(one.asset) === asset,
    )
    if (offer === undefined) continue
    if (!recipient || canonicalAddress(recipient) === wallet) return parseDecimal(offer.rate?.price)
  }
  return undefined
}

function keyOf({ wallet, asset, currency }: PricedPair): string {
  return JSON.stringify([wallet, asset, currency])
}

function twice({ digits, scale }: Decimal): Decimal {
  return { digits: 2n * digits, scale }
}
