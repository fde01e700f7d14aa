import { z } from 'zod'
import type { Order } from '../orders/order.js'
import type { Payments } from '../engine/payments.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import {
  functionSchema,
  objectWith,
  parseOptions,
  positive,
  timerMs,
  type OptionSchemas,
} from '../../shared/options.js'
import { memoryCursor, type CursorStore } from './cursor.js'
import type { Stream } from '../../toncenter/stream/stream.js'
import type { TransferClient } from '../../toncenter/gateway/transfer-client.js'
import type { V3Client } from '../../toncenter/v3/client.js'
import { lazy } from '../../shared/lazy.js'

/** The part of Payments that the watcher uses. */
export type WatchingPayments<O extends Order = Order> = Pick<
  Payments<O>,
  'name' | 'submit' | 'setDetected' | 'internals'
>

/** The methods of a client of API v3 that a watcher needs. */
export type WatchReader = Pick<
  V3Client,
  'masterchainInfo' | 'transactions' | 'jettonTransfers' | 'messages' | 'traces' | 'runGetMethod'
>

/** The field that assigns a payment to its order. */
export type MatchKey = 'body' | 'comment' | 'amount'

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
   * `maxIntervalMs` while the stream is connected. On several servers only the holder of the cursor's lease listens.
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
   * Shortest time between two runs. The time is a sixtieth of the age of the newest open order, within these two limits: a
   * new order is looked for at once, an old one every minute. Where webhooks report most payments, 60_000 saves requests.
   * @default 1_500, or `maxIntervalMs` if that is less
   */
  minIntervalMs?: number | undefined
  /**
   * Longest time between two runs. At least as often all open orders are listed again, the last ten minutes are read again,
   * and two orders are looked up individually.
   * @default 60_000
   */
  maxIntervalMs?: number | undefined
  /** Time between two scans of the whole period since the oldest open order. @default 86_400_000 (one day) */
  fullScanIntervalMs?: number | undefined
  /** @default memoryCursor(): the first run after a start scans the whole period */
  cursor?: CursorStore | undefined
}

/** The options with their defaults, checked. */
export type ResolvedWatcherOptions = ReturnType<typeof resolveWatcherOptions>

const MIN_INTERVAL_MS = 1500
const MATCH_KEYS = "must be a list of 'body', 'comment' and 'amount'"

const SCHEMA = lazy(() =>
  z.strictObject({
    payments: objectWith<WatchingPayments>('the result of createPayments()', [
      'submit',
      'internals.addWatcher',
    ]),
    v3: objectWith<WatchReader>('the result of createV3Client()', ['traces', 'runGetMethod']),
    stream: objectWith<NonNullable<PaymentWatcherOptions['stream']>>(
      'the result of createStream()',
      ['subscribe'],
    ).optional(),
    transfers: z.custom<PaymentWatcherOptions['transfers']>().optional(),
    matchBy: z
      .array(z.enum(['body', 'comment', 'amount'], MATCH_KEYS), MATCH_KEYS)
      .min(1, MATCH_KEYS)
      .default(['body', 'comment']),
    commentOf: functionSchema<NonNullable<PaymentWatcherOptions['commentOf']>>().optional(),
    minIntervalMs: timerMs.optional(),
    maxIntervalMs: timerMs.default(60_000),
    fullScanIntervalMs: positive.default(86_400_000),
    cursor: objectWith<CursorStore>('a CursorStore, for example memoryCursor()', [
      'load',
      'save',
      'acquire',
      'release',
    ]).default(memoryCursor),
  } satisfies OptionSchemas<PaymentWatcherOptions>),
)

/** @throws {ConfigurationError} when an option is missing or invalid. */
export function resolveWatcherOptions<O extends Order>(given: PaymentWatcherOptions<O>) {
  const { transfers, commentOf, ...options } = parseOptions(SCHEMA(), given)
  const { maxIntervalMs, minIntervalMs = Math.min(MIN_INTERVAL_MS, maxIntervalMs) } = options
  if (minIntervalMs > maxIntervalMs) {
    const problem = `must be at most maxIntervalMs, which is ${maxIntervalMs}; received ${minIntervalMs}`
    throw new ConfigurationError({ option: 'minIntervalMs', problem })
  }
  const { clock, logger } = options.payments.internals
  return {
    ...options,
    minIntervalMs,
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
