import { ConfigurationError } from '../errors/configuration.js'
import type { FoundTransferTaker } from '../inbox/settle-found.js'
import type { JobQueue } from '../jobs/job-queue.js'
import { memoryJobQueue } from '../jobs/memory-job-queue.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import { consoleLogger, guardLogger, type Logger } from '../runtime/logger.js'
import type { TransferClient } from '../transfers/transfer-client.js'
import { notNegative, positive } from '../transport/check-number.js'
import { checkOptionNames } from '../transport/option-names.js'
import { memoryCursor, type ReconcileCursor } from './cursor.js'
import type { MatchKey } from './open-orders.js'
import type { ReconcileReader } from './scan.js'

export interface ReconcilerOptions<O extends Order = Order> {
  /** The receiver of the shop's webhooks: its rules judge what is found, and its handlers run. */
  receiver: FoundTransferTaker
  /** The receiver's orders. */
  orders: OrderRepository<O>
  /** A client of the network that the shop is paid on. It is asked with low priority, within its rate limit. */
  v3: ReconcileReader
  /** Asked about orders for which the chain shows nothing. */
  transfers?: Pick<TransferClient, 'byReference'> | undefined
  /**
   * What tells payments from each other: the order's `bodyBase64Hash`, a comment, the amount. By its amount a payment
   * that says nothing else is given to the only open order that waits for that very amount: for shops alone whose
   * amounts are never asked for twice.
   * @default ['body', 'comment']
   */
  matchBy?: readonly MatchKey[] | undefined
  /** What the payer was asked to write. @default the order's reference */
  commentOf?: ((order: O) => string | undefined) | undefined
  /** Younger orders wait for their webhook. @default 60_000 */
  minAgeMs?: number | undefined
  /** How much is gone through again each time: what was paid before its order was stored, or indexed late. @default 600_000 */
  overlapMs?: number | undefined
  /** How often it runs. @default 60_000 */
  everyMs?: number | undefined
  /** How often it goes through everything since the oldest open order. @default 86_400_000 (a day) */
  fullEveryMs?: number | undefined
  /** The time for a scheduled run; the next one goes on. @default 50_000 */
  maxRunMs?: number | undefined
  /** How long `close` waits for a run, which its stores may hold up. @default 5_000 */
  drainTimeoutMs?: number | undefined
  /** How many orders a run looks up one by one, when nothing came to their recipients: at v3, and at the gateway. @default 20 */
  lookupsPerRun?: number | undefined
  /** Has one server at a time do it. @default memoryJobQueue() */
  jobs?: JobQueue | undefined
  /** @default kept in memory: the first run after a start goes through everything */
  cursor?: ReconcileCursor | undefined
  /** @default systemClock */
  clock?: Clock | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
}

type Needed = 'receiver' | 'orders' | 'v3'

/** The options with their defaults, checked. */
export type ResolvedReconcilerOptions<O extends Order> = {
  [Name in Exclude<keyof ReconcilerOptions<O>, 'transfers'>]-?: Exclude<
    ReconcilerOptions<O>[Name],
    undefined
  >
} & {
  transfers: ReconcilerOptions<O>['transfers']
  isCommentReference: boolean
}

const NAMES: Record<keyof ReconcilerOptions, true> = {
  receiver: true,
  orders: true,
  v3: true,
  transfers: true,
  matchBy: true,
  commentOf: true,
  minAgeMs: true,
  overlapMs: true,
  everyMs: true,
  fullEveryMs: true,
  maxRunMs: true,
  drainTimeoutMs: true,
  lookupsPerRun: true,
  jobs: true,
  cursor: true,
  clock: true,
  logger: true,
}

const MATCH_KEYS: readonly unknown[] = ['body', 'comment', 'amount']

/** @throws {ConfigurationError} when an option is missing or cannot work. */
export function resolveReconcilerOptions<O extends Order>(
  given: ReconcilerOptions<O>,
): ResolvedReconcilerOptions<O> {
  checkOptionNames(given, Object.keys(NAMES))
  need(
    'receiver',
    typeof given.receiver?.settleFound === 'function',
    'is missing, or no webhook receiver; give what createWebhookReceiver() returns',
  )
  need(
    'orders',
    typeof given.orders?.listOpen === 'function',
    "is missing, or has no listOpen; give the receiver's order repository",
  )
  need(
    'v3',
    typeof given.v3?.traces === 'function',
    'is missing, or no client of API v3; give what createV3Client() returns',
  )
  const { matchBy = ['body', 'comment'] } = given
  if (
    !Array.isArray(matchBy) ||
    matchBy.length === 0 ||
    !matchBy.every((key) => MATCH_KEYS.includes(key))
  ) {
    const problem = `is ${JSON.stringify(matchBy)}; give a list of 'body', 'comment' and 'amount'`
    throw new ConfigurationError({ option: 'matchBy', problem })
  }
  const clock = given.clock ?? systemClock
  return {
    receiver: given.receiver,
    orders: given.orders,
    v3: given.v3,
    transfers: given.transfers,
    matchBy,
    commentOf: given.commentOf ?? (({ reference }) => reference),
    isCommentReference: given.commentOf === undefined,
    minAgeMs: notNegative('minAgeMs', given.minAgeMs ?? 60_000),
    overlapMs: notNegative('overlapMs', given.overlapMs ?? 600_000),
    everyMs: positive('everyMs', given.everyMs ?? 60_000),
    fullEveryMs: positive('fullEveryMs', given.fullEveryMs ?? 86_400_000),
    maxRunMs: positive('maxRunMs', given.maxRunMs ?? 50_000),
    drainTimeoutMs: positive('drainTimeoutMs', given.drainTimeoutMs ?? 5_000),
    lookupsPerRun: notNegative('lookupsPerRun', given.lookupsPerRun ?? 20),
    jobs: given.jobs ?? memoryJobQueue({ clock }),
    cursor: given.cursor ?? memoryCursor(),
    clock,
    logger: guardLogger(given.logger ?? consoleLogger),
  }
}

function need(option: Needed, isGiven: boolean, problem: string): void {
  if (!isGiven) throw new ConfigurationError({ option, problem })
}
