import { newestOrders } from '../orders/checked-repository.js'
import type { Offer } from '../orders/offer.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import type { Clock } from '../../shared/clock.js'
import { lazy } from '../../shared/lazy.js'
import { isTransferable } from './invoice-target.js'
import { checkJump, rememberPrice } from './last-prices.js'
import { priceToUnits } from './price-to-units.js'
import {
  checkAge,
  checkBounds,
  rateError,
  readRate,
  type Rate,
  type RateBounds,
  type Rates,
} from './rates.js'

/** A price, and the coins in which it may be paid. */
export interface PriceRequest {
  /** Canonical. */
  wallet: string
  price: string
  currency: string
  /** Canonical. */
  accept: readonly string[]
  rates: Rates
  maxAgeMs: number
  rateTimeoutMs: number
  /** Keys are canonical assets. */
  bounds: ReadonlyMap<string, RateBounds>
  orders?: Pick<OrderRepository, 'list'> | undefined
  clock: Clock
  /** Returns the decimals of an asset. */
  decimalsOf: (asset: string) => Promise<number>
}

/** Orders that are read for the last rate, until this process has made an invoice. */
const NEWEST = 100

/**
 * Computes an offer for each accepted asset, with the rates of now. The end of the offers is added by the caller.
 * @throws {RateError} when the rate of one asset cannot be used: then there is no offer at all.
 */
export async function priceOffers(
  request: PriceRequest,
): Promise<(Offer & { decimals: number })[]> {
  const { accept, currency, decimalsOf, orders } = request
  const twice = accept.find((asset, index) => accept.indexOf(asset) !== index)
  if (twice !== undefined) {
    throw rateError({ asset: twice, currency }, 'duplicate_asset', 'is asked for twice in `accept`')
  }
  const readOrders = lazy(async () => (orders === undefined ? [] : newestOrders(orders, NEWEST)))
  const controller = new AbortController()
  try {
    const read = await Promise.all(
      accept.map(async (asset) => {
        const [rate, decimals] = await Promise.all([
          usableRate(request, asset, { readOrders, signal: controller.signal }),
          decimalsOf(asset),
        ])
        return { asset, rate, decimals }
      }),
    )
    // The first rate may have become old while the last one was read.
    for (const { asset, rate } of read) checkAge({ asset, currency }, rate, request)
    const offers = read.map((one) => toOffer(request, one))
    for (const { asset, rate } of read) rememberPrice({ ...request, asset }, rate)
    return offers
  } finally {
    controller.abort()
  }
}

async function usableRate(
  request: PriceRequest,
  asset: string,
  context: { readOrders: () => Promise<readonly Order[]>; signal: AbortSignal },
): Promise<Rate> {
  const { readOrders, signal } = context
  const { rates, currency, rateTimeoutMs: timeoutMs, maxAgeMs, clock } = request
  const pair = { asset, currency }
  const rate = await readRate(rates, pair, { maxAgeMs, signal, timeoutMs, clock })
  checkAge(pair, rate, request)
  const bounds = request.bounds.get(asset)
  // The bounds of the shop say what is right, whatever the price was before.
  if (bounds === undefined) await checkJump({ ...request, asset }, rate, readOrders)
  else checkBounds(pair, rate, bounds)
  return rate
}

function toOffer(
  { price, currency }: PriceRequest,
  { asset, rate, decimals }: { asset: string; rate: Rate; decimals: number },
): Offer & { decimals: number } {
  const rawAmount = priceToUnits(price, { coinPrice: rate.price, decimals })
  if (!isTransferable(rawAmount)) {
    const problem = `is ${rate.price}, so that no transfer can have the amount`
    throw rateError({ asset, currency }, 'bounds', problem)
  }
  return { rawAmount, asset, decimals, rate: { ...rate, currency, orderPrice: price } }
}
