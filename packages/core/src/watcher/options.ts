import { z } from 'zod'
import type { Order } from '../orders/order.js'
import type { Payments } from '../payments/payments.js'
import { ConfigurationError } from '../shared/configuration-error.js'
import {
  functionSchema,
  objectWith,
  parseOptions,
  positive,
  timerMs,
  type OptionSchemas,
} from '../shared/options.js'
import { memoryCursor, type WatcherCursor } from './cursor.js'
import type { Stream } from '../toncenter/stream/stream.js'
import type { TransferClient } from '../toncenter/gateway/transfer-client.js'
import type { V3Client } from '../toncenter/v3/client.js'

/** The part of Payments that the watcher uses. */
type WatchingPayments<O extends Order = Order> = Pick<
  Payments<O>,
  'name' | 'wallets' | 'orders' | 'submit' | 'setSeen' | 'clock' | 'logger' | 'instrumentation'
>

/** The methods of a client of API v3 that a watcher needs. */
type WatchReader = Pick<
  V3Client,
  'masterchainInfo' | 'transactions' | 'jettonTransfers' | 'messages' | 'traces' | 'runGetMethod'
>

/** The field that assigns a payment to its order. */
type MatchKey = 'body' | 'comment' | 'amount'

/** The part of a client of the gateway that the watcher uses. */
export type TransferReader = Pick<TransferClient, 'byReference'>

/** Options of {@link createPaymentWatcher}. */
export interface PaymentWatcherOptions<O extends Order = Order> {
  /** Decides about the transfers that are found. */
  payments: WatchingPayments<O>
  /** A client of the network that the merchant is paid on. Its requests have low priority, within its rate limit. */
  v3: WatchReader
  /**
   * Reports transactions of the wallets within a second. Each is looked up in API v3 at once, and scans happen only every
   * `maxEveryMs` while the stream is connected. On several servers only the one that holds the lease of the cursor listens.
   */
  stream?: Pick<Stream, 'subscribe'> | undefined
  /**
   * Looks up orders at the gateway when the chain shows nothing for them. A client is used for orders without a merchant;
   * a function returns the client of a merchant.
   */
  transfers?: TransferReader | ((merchant: string) => TransferReader | undefined) | undefined
  /**
   * The fields that assign a payment to its order: the order's `bodyBase64Hash`, a comment, the amount. With `amount`, a
   * payment without the other two is assigned to the only open order of exactly this amount; use it only where open orders
   * never have the same amount.
   * @default ['body', 'comment']
   */
  matchBy?: readonly MatchKey[] | undefined
  /** Returns the comment that the payer was asked to write. @default the order's reference */
  commentOf?: ((order: O) => string | undefined) | undefined
  /**
   * The period that is scanned again every `maxEveryMs`, for payments that were indexed late or are older than their order.
   * @default 600_000
   */
  overlapMs?: number | undefined
  /**
   * Shortest time between two runs. The time is a sixtieth of the age of the newest open order, within these two limits: a
   * new order is looked for at once, an old one every minute. Where webhooks report most payments, 60_000 saves requests.
   * @default 1_500, or `maxEveryMs` if that is less
   */
  minEveryMs?: number | undefined
  /** Longest time between two runs. At least as often all open orders are listed again. @default 60_000 */
  maxEveryMs?: number | undefined
  /** Time between two scans of the whole period since the oldest open order. @default 86_400_000 (one day) */
  fullEveryMs?: number | undefined
  /** Longest duration of a scheduled run; the next one continues. @default 50_000 */
  maxRunMs?: number | undefined
  /** Longest time that `close` waits for a running store. @default 5_000 */
  drainTimeoutMs?: number | undefined
  /** Orders that are looked up individually at API v3 and at the gateway every `maxEveryMs`. @default 2 */
  lookupsPerRun?: number | undefined
  /** @default memoryCursor(): the first run after a start scans the whole period */
  cursor?: WatcherCursor | undefined
  /**
   * Older open orders are not listed, and no scan begins earlier. A payment that names an older order by body hash or
   * reference is found nevertheless.
   * @default 2_592_000_000 (30 days)
   */
  maxOrderAgeMs?: number | undefined
  /**
   * Open orders in memory, oldest first. A payment that names a further order by body hash or reference is found
   * nevertheless.
   * @default 20_000
   */
  maxOpenOrders?: number | undefined
}

/** The options with their defaults, checked. */
export type ResolvedWatcherOptions = ReturnType<typeof resolveWatcherOptions>

const notNegative = z.custom<number>(
  (value) => typeof value === 'number' && value >= 0,
  'must be a number of zero or more',
)
const MIN_EVERY_MS = 1500
const MATCH_KEYS = "must be a list of 'body', 'comment' and 'amount'"

const SCHEMA = z.strictObject({
  payments: objectWith<WatchingPayments>('the result of createPayments()', ['submit']),
  v3: objectWith<WatchReader>('the result of createV3Client()', ['traces', 'runGetMethod']),
  stream: objectWith<NonNullable<PaymentWatcherOptions['stream']>>('the result of createStream()', [
    'subscribe',
  ]).optional(),
  transfers: z.custom<PaymentWatcherOptions['transfers']>().optional(),
  matchBy: z
    .array(z.enum(['body', 'comment', 'amount'], MATCH_KEYS), MATCH_KEYS)
    .min(1, MATCH_KEYS)
    .default(['body', 'comment']),
  commentOf: functionSchema<NonNullable<PaymentWatcherOptions['commentOf']>>().optional(),
  overlapMs: notNegative.default(600_000),
  minEveryMs: timerMs.optional(),
  maxEveryMs: timerMs.default(60_000),
  fullEveryMs: positive.default(86_400_000),
  maxRunMs: timerMs.default(50_000),
  drainTimeoutMs: timerMs.default(5_000),
  lookupsPerRun: notNegative.default(2),
  cursor: objectWith<WatcherCursor>('a WatcherCursor, for example memoryCursor()', [
    'load',
    'save',
    'acquire',
    'release',
  ]).default(memoryCursor),
  maxOrderAgeMs: positive.default(30 * 86_400_000),
  maxOpenOrders: positive.default(20_000),
} satisfies OptionSchemas<PaymentWatcherOptions>)

/** @throws {ConfigurationError} when an option is missing or invalid. */
export function resolveWatcherOptions<O extends Order>(given: PaymentWatcherOptions<O>) {
  const { transfers, commentOf, ...options } = parseOptions(SCHEMA, given)
  const { maxEveryMs, minEveryMs = Math.min(MIN_EVERY_MS, maxEveryMs) } = options
  if (minEveryMs > maxEveryMs) {
    const problem = `must be at most maxEveryMs, which is ${maxEveryMs}; received ${minEveryMs}`
    throw new ConfigurationError({ option: 'minEveryMs', problem })
  }
  const { clock, logger } = options.payments
  return {
    ...options,
    minEveryMs,
    transfersOf: (merchant: string): TransferReader | undefined => {
      if (typeof transfers === 'function') return transfers(merchant)
      return merchant === '' ? transfers : undefined
    },
    commentOf: commentOf ?? (({ reference }: Order) => reference),
    /** True when comments are references, so that orders can be looked up by them. */
    isCommentReference: commentOf === undefined,
    clock,
    logger,
  }
}
