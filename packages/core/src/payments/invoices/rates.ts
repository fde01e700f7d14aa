import type { Clock } from '../../shared/clock.js'
import { withDeadline } from '../../shared/timers.js'
import { compareDecimals, parseDecimal, type Decimal } from '../../shared/decimal.js'
import { isObject } from '../../shared/is-object.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import { RateError, type RateProblem } from './rate-error.js'

/** The price of a coin at one time. */
export interface Rate {
  /** Price of one whole coin in the currency, as a decimal string: `'5.23'`. Never a number, which has no exact digits. */
  price: string
  /** Time of the price. */
  at: Date
  /** Where the price is from; stored with the offer. No secret. */
  source?: string | undefined
}

/**
 * Returns the price of one whole coin; a function of the shop.
 * @param asset `'TON'`, or the jetton master as `workchain:hash`
 * @param currency as given to `createInvoice`
 * @param options.at the time of a payment, for a price of the past; absent for the current price
 * @param options.maxAgeMs an older rate makes no invoice
 */
export type Rates = (
  asset: string,
  currency: string,
  options: { at?: Date | undefined; maxAgeMs?: number | undefined; signal: AbortSignal },
) => Rate | Promise<Rate>

/** Limits of the prices of an asset, as decimal strings. */
export interface RateBounds {
  min: string
  max: string
}

/** An asset and a currency. */
export interface RatePair {
  /** Canonical. */
  asset: string
  currency: string
}

/** Clocks of sources may be ahead. */
const TOLERANCE_MS = 60_000
const NEGATIVE = /^-\d/
const LONGEST_SOURCE = 200

/** Creates the error of a pair. */
export function rateError(pair: RatePair, reason: RateProblem, problem: string): RateError {
  return new RateError({ ...pair, reason, problem })
}

/**
 * Calls `rates` and checks what it returns.
 * @throws {RateError} when the rate cannot be used.
 */
export async function readRate(
  rates: Rates,
  pair: RatePair,
  options: {
    at?: Date | undefined
    maxAgeMs?: number | undefined
    signal?: AbortSignal | undefined
    timeoutMs: number
    clock: Clock
  },
): Promise<Rate> {
  const { at, maxAgeMs, signal, timeoutMs: deadlineMs, clock } = options
  const asked = { ...(at && { at }), ...(maxAgeMs !== undefined && { maxAgeMs }) }
  const { asset, currency } = pair
  let returned: unknown
  try {
    returned = await withDeadline<unknown>(
      { clock, deadlineMs, signal },
      async (aborted) => rates(asset, currency, { ...asked, signal: aborted }),
      () => {
        throw rateError(pair, 'late', `did not arrive within ${deadlineMs} ms`)
      },
    )
  } catch (error) {
    signal?.throwIfAborted()
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_RATE') throw error
    // The message of the source may contain its URL, with a key.
    throw rateError(pair, 'failed', 'was not returned: the function `rates` threw an error')
  }
  const rate = checkRate(pair, returned)
  if (rate.at.getTime() - TOLERANCE_MS > clock.nowMs()) {
    throw rateError(pair, 'failed', `is of the future: ${rate.at.toISOString()}`)
  }
  return rate
}

/** @throws {RateError} when the rate is older than allowed. */
export function checkAge(
  pair: RatePair,
  { at }: Rate,
  { maxAgeMs, clock }: { maxAgeMs: number; clock: Clock },
): void {
  const ageMs = clock.nowMs() - at.getTime()
  if (ageMs <= maxAgeMs) return
  throw rateError(pair, 'old', `is ${ageMs} ms old, more than ${maxAgeMs} ms`)
}

/** @throws {RateError} when the price is outside the bounds. */
export function checkBounds(pair: RatePair, { price }: Rate, bounds: RateBounds): void {
  const [value, min, max] = [price, bounds.min, bounds.max].map(parseDecimal)
  if (value === undefined || min === undefined || max === undefined) return
  if (compareDecimals(value, min) >= 0 && compareDecimals(value, max) <= 0) return
  throw rateError(pair, 'bounds', `is ${price}, outside of ${bounds.min} to ${bounds.max}`)
}

function checkRate(pair: RatePair, returned: unknown): Rate {
  if (!isObject(returned)) {
    throw rateError(pair, 'failed', 'must be an object with `price` and `at`')
  }
  const { price, at, source } = returned
  const value = positivePrice(pair, price)
  const atMs = timeOf(at)
  if (atMs === undefined) throw rateError(pair, 'failed', 'must have its time `at` as a valid Date')
  const name = typeof source === 'string' ? source.slice(0, LONGEST_SOURCE) : undefined
  return { price: value, at: new Date(atMs), ...(name !== undefined && { source: name }) }
}

function positivePrice(pair: RatePair, price: unknown): string {
  if (typeof price === 'string' && NEGATIVE.test(price)) {
    throw rateError(pair, 'negative', 'is negative')
  }
  const decimal: Decimal | undefined = parseDecimal(price)
  if (typeof price !== 'string' || decimal === undefined) {
    throw rateError(
      pair,
      'not_decimal',
      "must have `price` as a decimal string, for example '5.23'",
    )
  }
  if (decimal.digits === 0n) throw rateError(pair, 'zero', 'is zero')
  return price
}

/** Not by `instanceof`: test runners create a separate `Date` class for each file. */
function timeOf(at: unknown): number | undefined {
  if (typeof at !== 'object' || at === null || !('getTime' in at)) return undefined
  const ms: unknown = typeof at.getTime === 'function' ? at.getTime() : undefined
  return typeof ms === 'number' && !Number.isNaN(ms) ? ms : undefined
}
