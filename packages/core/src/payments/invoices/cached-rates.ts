import { z } from 'zod'
import { untilAborted } from '../../shared/abort.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { systemClock, type Clock } from '../../shared/clock.js'
import { parseDecimal, power } from '../../shared/decimal.js'
import {
  durationMs,
  functionSchema,
  objectWith,
  parseOptions,
  timerMs,
} from '../../shared/options.js'
import { rateError, readRate, type Rate, type RatePair, type Rates } from './rates.js'
import { lazy } from '../../shared/lazy.js'

/** Options of {@link cachedRates}. */
export interface CachedRatesOptions {
  /** Each is asked at the same time. With more than one, all must agree. */
  sources: readonly Rates[]
  /** The largest difference between two sources, as a part of the lower price: `'0.02'` is 2 %. @default '0.02' */
  maxDifference?: string | undefined
  /**
   * Time for which a rate is returned again without asking the sources, unless it is older than the caller allows, which is ten
   * minutes by default. Sources that return a rate of that age are asked again after 5 seconds. @default 60_000
   */
  cacheMs?: number | undefined
  /** Longest time for one request of a source. @default 5_000 */
  timeoutMs?: number | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

const PART = "must be a decimal string, for example '0.02' for 2 %"

const OPTIONS = lazy(() =>
  z.strictObject({
    sources: z.array(functionSchema<Rates>(), 'must be a list of functions').min(1),
    maxDifference: z
      .string(PART)
      .refine((text) => parseDecimal(text) !== undefined, PART)
      .default('0.02'),
    cacheMs: durationMs.default(60_000),
    timeoutMs: timerMs.default(5_000),
    clock: objectWith<Clock>('a Clock', ['nowMs', 'setTimer']).default(() => systemClock),
  } satisfies Record<keyof CachedRatesOptions, z.ZodType>),
)

type CheckedOptions = z.output<ReturnType<typeof OPTIONS>>

/** As in `createInvoice`. */
const MAX_AGE_MS = 600_000
/** Time for which sources with an old rate are not asked again. */
const OLD_RATE_MS = 5_000
/** Pairs of an asset and a currency. */
const MAX_PAIRS = 1000

interface CachedRate {
  rate: Promise<Rate>
  /** When it was requested. */
  requestedMs: number
  /** The time of the rate; `undefined` until the sources have responded. */
  atMs?: number
}

/**
 * Creates a function for `rates` of `createInvoice` that asks several sources and keeps what they agree on: the price of the
 * first source, with the oldest time. When one fails, or two differ by more than `maxDifference`, none is used. Concurrent
 * calls share one request to each source.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { cachedRates } from '@tonplug/core'
 *
 * const rates = cachedRates({
 *   sources: [
 *     () => ({ price: '5.23', at: new Date(), source: 'our table' }),
 *     () => ({ price: '5.24', at: new Date(), source: 'our bank' }),
 *   ],
 * })
 * ```
 */
export function cachedRates(options: CachedRatesOptions): Rates {
  const checked = parseOptions(OPTIONS(), options)
  const { clock, cacheMs } = checked
  const cache = new BoundedMap<string, CachedRate>(MAX_PAIRS)
  return async (asset, currency, { at, maxAgeMs = MAX_AGE_MS, signal }) => {
    const pair = { asset, currency }
    const key = JSON.stringify([asset, currency, at?.getTime()])
    const cached = cache.get(key)
    const nowMs = clock.nowMs()
    const allowedMs = at === undefined ? maxAgeMs : Infinity
    if (cached !== undefined && isShared(cached, { nowMs, cacheMs, allowedMs })) {
      return untilAborted(cached.rate, signal)
    }
    const rate = agreedRate(checked, pair, at)
    const entry: CachedRate = { rate, requestedMs: nowMs }
    cache.set(key, entry)
    rate.then(
      (found) => (entry.atMs = found.at.getTime()),
      () => cache.get(key) === entry && cache.delete(key),
    )
    return untilAborted(rate, signal)
  }
}

/** Returns true while the rate is being requested, and while the sources have most likely none that the caller could use instead. */
function isShared(
  { atMs, requestedMs }: CachedRate,
  { nowMs, cacheMs, allowedMs }: { nowMs: number; cacheMs: number; allowedMs: number },
): boolean {
  if (atMs === undefined) return true
  const cachedMs = nowMs - requestedMs
  if (cachedMs >= cacheMs) return false
  if (nowMs - atMs <= allowedMs) return true
  const wasOld = requestedMs - atMs > allowedMs
  return wasOld && cachedMs < OLD_RATE_MS
}

/** No caller's signal ends the request: others wait for it, too. */
async function agreedRate(
  { sources, maxDifference, timeoutMs, clock }: CheckedOptions,
  pair: RatePair,
  at: Date | undefined,
): Promise<Rate> {
  const limits = { at, timeoutMs, clock }
  const found = await Promise.all(sources.map((source) => readRate(source, pair, limits)))
  const [first] = found
  if (first === undefined) throw rateError(pair, 'failed', 'has no source')
  if (!agree(found, maxDifference)) {
    const prices = found.map(({ price }) => price).join(' and ')
    throw rateError(pair, 'disagree', `differs between its sources: ${prices}`)
  }
  const oldest = Math.min(...found.map((rate) => rate.at.getTime()))
  return { ...first, at: new Date(oldest) }
}

function agree(rates: readonly Rate[], maxDifference: string): boolean {
  const parsed = rates.flatMap(({ price }) => parseDecimal(price) ?? [])
  const scale = Math.max(...parsed.map((price) => price.scale))
  const prices = parsed.map((price) => price.digits * power(scale - price.scale))
  const [lowest, highest] = [prices.reduce(min), prices.reduce(max)]
  const limit = parseDecimal(maxDifference)
  if (limit === undefined) return false
  return (highest - lowest) * power(limit.scale) <= lowest * limit.digits
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
