import { z } from 'zod'
import { MAX_COMMENT_BYTES } from '../../toncenter/chain/write-body.js'
import type { Offer, OfferRate } from '../orders/offer.js'
import type { OrderRepository } from '../orders/repository.js'
import { systemClock, type Clock } from '../../shared/clock.js'
import { compareDecimals, parseDecimal } from '../../shared/decimal.js'
import { isObject } from '../../shared/is-object.js'
import {
  address,
  asset,
  durationMs,
  functionSchema,
  objectWith,
  timerMs,
} from '../../shared/options.js'
import { MAX_DECIMALS } from '../../shared/units.js'
import type { InvoiceReader } from './payment-message.js'
import type { RateBounds, Rates } from './rates.js'
import { lazy } from '../../shared/lazy.js'

/** Options that every invoice has. */
export interface CommonOptions {
  /**
   * The wallet that is paid, in any format; not a jetton wallet. A friendly address keeps its flags in links and messages.
   */
  wallet: string
  /**
   * The comment of the payment, by which the watcher finds it: up to 123 bytes. Pass the reference of a stored order to
   * create its invoice again.
   * @default 26 random characters (129 bits), which no older payment can carry
   */
  reference?: string | undefined
  /** @default 'testnet' for a test-only `wallet` (`kQ…`, `0Q…`), otherwise 'mainnet' */
  network?: 'mainnet' | 'testnet' | undefined
  /**
   * A client of that network. It reads the decimals of jettons, which are otherwise required as `decimals` unless `rawAmount`
   * is given, and the jetton wallet of a `sender`; and it refuses a `wallet` that is a contract of a jetton.
   */
  v3?: InvoiceReader | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** Options of {@link createInvoice} for an amount in one asset. */
export type InvoiceOptions = CommonOptions & {
  /** `'TON'` (or `'GRAM'`), or the address of the jetton master in any format. */
  asset: string | undefined
  /** The decimals of the jetton. @default the metadata of its master states them */
  decimals?: number | undefined
  /** Wallets reject the payment afterwards. One that arrives nevertheless is `isLate`. @default never */
  expiresAt?: Date | undefined
} & (
    | {
        /** Whole coins, for example `'10.5'`. */
        amount: string
        rawAmount?: undefined
      }
    | {
        /** Base units. */
        rawAmount: bigint | undefined
        amount?: undefined
      }
  )

/** Options of {@link createInvoice} for a price in a currency, or for stored offers. */
export type InvoiceWithOffersOptions = CommonOptions &
  (
    | {
        /** The price of the order as a decimal string, for example `'12.50'`. */
        price: string
        /** The currency: three capital letters, or a word of the shop. */
        currency: string
        /** The coins in which it may be paid: `'TON'`, or addresses of jetton masters. Each gets an offer. */
        accept: readonly string[]
        /** Returns the price of one coin. */
        rates: Rates
        /** Time for which the amounts are valid, at most 24 hours. @default 900_000 (15 minutes) */
        lockMs?: number | undefined
        /** Greatest age of a rate. @default 600_000 (10 minutes) */
        maxAgeMs?: number | undefined
        /** Longest time to wait for a rate. @default 5_000 */
        rateTimeoutMs?: number | undefined
        /** Prices outside of these limits are refused, by asset. @default none */
        bounds?: Record<string, RateBounds> | undefined
        /**
         * The repository of the orders; one without `list` is refused. An asset without `bounds` is compared with the rate in
         * the newest 100 orders, until this process has made an invoice in the asset. @default the first rate of a process is compared with nothing
         */
        orders?: Pick<OrderRepository, 'list'> | undefined
        /** The decimals of jettons, by asset. @default the metadata of the masters states them */
        decimals?: Record<string, number> | undefined
        offers?: undefined
      }
    | {
        /** The `offers` of a stored order, to create its invoice again; or amounts that the shop has computed itself. */
        offers: readonly Offer[]
        price?: undefined
      }
  )

// Words of visible characters with one ordinary space between them: wallets and people change any other space.
// U+FFFD replaces bytes that cannot be read.
const VISIBLE = /^[^\p{C}\p{Z}\uFFFD]+(?: [^\p{C}\p{Z}\uFFFD]+)*$/u
const REFERENCE = `must be 1 to ${MAX_COMMENT_BYTES} bytes of visible characters, without spaces at its ends. Omit it for a random one`

/** Wallet contracts have 32 bits for the expiry. */
const MAX_EXPIRY_MS = (2 ** 32 - 1) * 1000

const PRICE = "must be a price above 0 as a decimal string, for example '12.50'"
const CURRENCY = "must be three capital letters, for example 'USD', or a word"
const ACCEPT = "must be a list of 'TON' and jetton masters, at least one"
const BOUNDS =
  "must have `min` and a `max` that is not lower, as decimal strings, for example { min: '1', max: '20' }"
const RATE = 'must be a rate with `at` as a Date. Read stored JSON with offersFromJson()'
const DAY_MS = 86_400_000

/** Schemas of the options that every invoice has. */
const COMMON = lazy(() => ({
  wallet: address,
  reference: z.string(REFERENCE).refine(isSendable, REFERENCE).optional(),
  network: z.enum(['mainnet', 'testnet']).optional(),
  v3: objectWith<InvoiceReader>('the result of createV3Client()', [
    'jettonMasters',
    'runGetMethod',
  ]).optional(),
  clock: objectWith<Clock>('a Clock', ['nowMs']).default(() => systemClock),
}))
const DECIMALS = lazy(() => z.int().min(0).max(MAX_DECIMALS))
const EXPIRY = lazy(() => z.custom<Date>(isExpiry, 'must be a valid Date before 2106'))

/** Schema of {@link InvoiceOptions}. */
export const SIMPLE = lazy(() =>
  z.strictObject({
    ...COMMON(),
    asset,
    amount: z.string("must be whole coins as a string, for example '10.5'").optional(),
    rawAmount: z.bigint('must be base units as a bigint').optional(),
    decimals: DECIMALS().optional(),
    expiresAt: EXPIRY().optional(),
  } satisfies Record<keyof InvoiceOptions, z.ZodType>),
)

const BOUND = lazy(() =>
  z.string(BOUNDS).refine((text) => parseDecimal(text) !== undefined, BOUNDS),
)

/** Schema of the options for a price in a currency. */
export const PRICED = lazy(() =>
  z.strictObject({
    ...COMMON(),
    price: z.string(PRICE).refine((text) => (parseDecimal(text)?.digits ?? 0n) > 0n, PRICE),
    currency: z.string(CURRENCY).regex(/^\S{1,50}$/, CURRENCY),
    accept: z.array(asset, ACCEPT).min(1, ACCEPT),
    rates: functionSchema<Rates>(),
    lockMs: durationMs.refine((ms) => ms <= DAY_MS, `must be at most ${DAY_MS}`).default(900_000),
    maxAgeMs: durationMs.default(600_000),
    rateTimeoutMs: timerMs.default(5_000),
    bounds: z
      .record(
        z.string(),
        z.strictObject({ min: BOUND(), max: BOUND() }, BOUNDS).refine(isRange, BOUNDS),
      )
      .default({}),
    orders: objectWith<Pick<OrderRepository, 'list'>>('an OrderRepository with list', [
      'list',
    ]).optional(),
    decimals: z.record(z.string(), DECIMALS()).default({}),
  }),
)

/** Schema of the options for stored offers. */
export const OFFERED = lazy(() =>
  z.strictObject({
    ...COMMON(),
    offers: z
      .array(
        z.object({
          rawAmount: z.bigint('must be base units as a bigint'),
          asset,
          decimals: DECIMALS().optional(),
          rate: z.custom<OfferRate>(isRate, RATE).optional(),
          expiresAt: EXPIRY().optional(),
        }),
        'must be the offers of an order',
      )
      .min(1)
      .refine((offers) => new Set(offers.map((one) => one.asset)).size === offers.length, {
        message: 'must be in different assets',
      }),
  }),
)

/** The checked options that every invoice has. */
export type CommonChecked = z.output<z.ZodObject<ReturnType<typeof COMMON>>>

function isRange({ min, max }: RateBounds): boolean {
  const [low, high] = [parseDecimal(min), parseDecimal(max)]
  return low !== undefined && high !== undefined && compareDecimals(low, high) <= 0
}

/** `rates` has checked the other fields before the order was stored. */
function isRate(value: unknown): boolean {
  return isObject(value) && isExpiry(value['at'])
}

/** All wallets send it unchanged: it fits into one cell, and no wallet trims or normalizes it. */
function isSendable(reference: string): boolean {
  const { length } = new TextEncoder().encode(reference)
  return length <= MAX_COMMENT_BYTES && VISIBLE.test(reference)
}

function isExpiry(value: unknown): boolean {
  // Not by `instanceof`: test runners create a separate `Date` class for each file.
  if (typeof value !== 'object' || value === null || !('getTime' in value)) return false
  const ms: unknown = typeof value.getTime === 'function' ? value.getTime() : undefined
  return typeof ms === 'number' && ms <= MAX_EXPIRY_MS
}
