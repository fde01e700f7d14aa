import { z } from 'zod'
import {
  checkedInbox,
  checkedJoinedOrders,
  INBOX_METHODS,
  type CheckedInbox,
} from '../inbox/checked-inbox.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
import type { Inbox, JoinedOrders } from '../inbox/inbox.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import type { TaskQueue } from '../inbox/task-queue.js'
import { checkedRepository, type CheckedRepository } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { PaymentVerifier } from '../ledger/payment-verifier.js'
import type { OrderRepository } from '../orders/repository.js'
import type { AmountRule, Amounts, AmountsPolicy, LateRule } from '../orders/amounts.js'
import type { Rule } from '../orders/rules.js'
import { systemClock, type Clock } from '../../shared/clock.js'
import { isObject } from '../../shared/is-object.js'
import { consoleLogger, guardLogger, type Logger } from '../../shared/logger.js'
import {
  address,
  asset,
  durationMs,
  functionSchema,
  objectWith,
  parseOptions,
  positive,
  timerMs,
  type OptionSchemas,
} from '../../shared/options.js'
import type { Handlers } from './events.js'
import type { PaymentsInstrumentation } from './instrumentation.js'
import { lazy } from '../../shared/lazy.js'

/** Attempts and backoff of a failing handler. */
export interface HandlerRetryOptions {
  /** Runs in all; after the last one the task is a dead letter. @default 15 */
  maxAttempts?: number | undefined
  /** Delay after the first failure; doubled after each one. @default 1000 */
  minDelayMs?: number | undefined
  /** Longest delay. @default 3_600_000 (one hour) */
  maxDelayMs?: number | undefined
}

/** Options of {@link createPayments}. */
export interface PaymentsOptions<O extends Order = Order> extends Handlers<O> {
  /**
   * Separates shops that share an inbox or a database: each name has its own reports, tasks, claims and, in the shipped
   * repositories, orders. Keep it across deploys. @default 'default'
   */
  name?: string | undefined
  /** The shop's orders. */
  orders: OrderRepository<O>
  /** @default memoryInbox(), which loses everything when the process ends */
  inbox?: Inbox | undefined
  /** The merchant's wallets, in any format. When set, a transfer to another wallet is a `wallet_mismatch`. */
  wallets?: readonly string[] | undefined
  /** The amounts that are accepted, or a function that decides. @default only the exact amount of an offer */
  amounts?: Amounts<O> | undefined
  /** Decides about a payment by an offer with a rate after its end. @default undefined: it is a mismatch */
  acceptLate?: LateRule<O> | undefined
  /** The shop's own rules, applied after the built-in ones. */
  rules?: readonly Rule<O>[] | undefined
  /**
   * Proves each payment on the chain before its order is completed and `onPaid` runs, with {@link createPaymentVerifier}. The
   * webhook's sender does not wait for it. Requires `wallets`.
   * @default undefined: authenticated reports are trusted
   */
  verifyOnChain?: PaymentVerifier | undefined
  /** Runs handler tasks in a queue engine. @default undefined: in the processes that share the inbox */
  queue?: TaskQueue | undefined
  /** Concurrent runs of each handler in this process. @default 8 */
  handlerConcurrency?: number | undefined
  handlerRetry?: HandlerRetryOptions | undefined
  /** A run of a handler that takes longer counts as failed. @default 300_000 (five minutes) */
  handlerTimeoutMs?: number | undefined
  /**
   * Time for which the inbox keeps a report that is decided and whose handlers are done. Use more than the age at which the shop
   * deletes completed orders: a later repetition is recognized by its order alone. Use more than `maxOrderAgeMs` of a
   * watcher, too: it reports a transfer without an order again otherwise. @default undefined (forever)
   */
  retentionMs?: number | undefined
  /**
   * Longest time between two reads of an idle inbox, milliseconds. Work that another process schedules starts after this time
   * at most, and so do the tasks of a process that was killed, after their lease of 12 seconds. Work of this process always
   * starts at once. Use the same value in every process. A longer time lets a serverless database suspend.
   * @default 5000
   */
  idlePollMs?: number | undefined
  /** Time for running handlers in `payments.close()`. @default 10_000 */
  drainTimeoutMs?: number | undefined
  /**
   * Starts on creation. A framework that registers handlers later sets `false` and calls `start()`. A tool that only calls
   * `submit`, `orderCreated` or an operator sets `false` and never starts. @default true
   */
  autoStart?: boolean | undefined
  /** Metrics and spans, for example `openTelemetryInstrumentation` of `@tonplug/core/opentelemetry`. */
  instrumentation?: PaymentsInstrumentation | undefined
  /** @default systemClock */
  clock?: Clock | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
}

const HANDLER_RETRY = lazy(() =>
  z.strictObject({
    maxAttempts: positive.default(15),
    minDelayMs: timerMs.default(1000),
    maxDelayMs: timerMs.default(3_600_000),
  } satisfies OptionSchemas<HandlerRetryOptions>),
)

const AMOUNTS_RULE =
  "must be a function, or an object such as { overpaid: 'accept', tolerance: { TON: 1_000_000n } }"
const ADD_UP =
  "cannot have overpaid: 'mismatch' with partial: 'add-up': the last part may cross the amount. Leave out `overpaid`"
const UNITS = 'must be base units as a bigint of 0 or more'
const TOLERANCE = 'must have base units by asset'

const AMOUNTS = lazy(() =>
  z
    .strictObject({
      partial: z.enum(['mismatch', 'add-up']).optional(),
      overpaid: z.enum(['mismatch', 'accept']).optional(),
      tolerance: z.record(asset, z.bigint(UNITS).min(0n, UNITS), TOLERANCE).optional(),
    } satisfies OptionSchemas<AmountsPolicy>)
    .refine(({ partial, overpaid }) => partial !== 'add-up' || overpaid !== 'mismatch', ADD_UP),
)

/** The handler registry checks handlers, including those that are added later. */
const HANDLERS = lazy(() => z.any().optional())

const SCHEMAS = lazy(
  () =>
    ({
      name: z
        .string()
        .min(1)
        .refine((name) => !name.includes('\u0000'), 'must not contain NUL')
        .default('default'),
      orders: objectWith<OrderRepository>('an OrderRepository', [
        'find',
        'complete',
        'fail',
        'listOpen',
      ]),
      inbox: objectWith<Inbox>(
        'an Inbox. Await the function that creates it',
        Object.entries(INBOX_METHODS).flatMap(([group, methods]) =>
          methods.map((method) => `${group}.${method}` as 'reports.store'),
        ),
      ).optional(),
      wallets: z.array(address, 'must be a list of addresses').optional(),
      amounts: z.union([functionSchema<AmountRule>(), AMOUNTS()], AMOUNTS_RULE).optional(),
      acceptLate: functionSchema<LateRule>().optional(),
      rules: z.array(functionSchema<Rule>(), 'must be a list of functions').optional(),
      verifyOnChain: z
        .object(
          { verify: functionSchema<PaymentVerifier['verify']>(), deadlineMs: durationMs },
          'must be the result of createPaymentVerifier()',
        )
        .optional(),
      queue: objectWith<TaskQueue>('a TaskQueue, for example bullmqQueue({ connection })', [
        'add',
        'work',
      ]).optional(),
      handlerConcurrency: positive.default(8),
      handlerRetry: HANDLER_RETRY().prefault({}),
      handlerTimeoutMs: timerMs.default(300_000),
      retentionMs: durationMs.optional(),
      idlePollMs: timerMs.default(5000),
      drainTimeoutMs: timerMs.default(10_000),
      autoStart: z.boolean().default(true),
      instrumentation: z
        .custom<PaymentsInstrumentation>(
          isObject,
          'must be an object, for example openTelemetryInstrumentation()',
        )
        .default({}),
      clock: objectWith<Clock>('a Clock', ['nowMs', 'setTimer']).default(() => systemClock),
      logger: objectWith<Logger>('a Logger', ['debug', 'info', 'warn', 'error']).default(
        () => consoleLogger,
      ),
      onPaid: HANDLERS(),
      onFailed: HANDLERS(),
      onMismatch: HANDLERS(),
      onExtraPayment: HANDLERS(),
      onUnknownOrder: HANDLERS(),
      onUnverified: HANDLERS(),
    }) satisfies OptionSchemas<PaymentsOptions>,
)

const OPTIONS = lazy(() =>
  z.strictObject(SCHEMAS()).superRefine((options, context) => {
    const { name, orders, verifyOnChain, wallets } = options
    const reject = (option: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [option], message })
    if (orders.name !== undefined && orders.name !== name) {
      const names = `is ${JSON.stringify(name)}, but the order repository belongs to ${JSON.stringify(orders.name)}`
      reject('name', `${names}; use the same name for both`)
    }
    if (verifyOnChain !== undefined && wallets === undefined) {
      const reason = 'the chain shows who received the money, not that it is you'
      reject(
        'verifyOnChain',
        `needs \`wallets\`: ${reason}. Use [] when each order has its own recipient`,
      )
    }
  }),
)

/** The options with their defaults, checked. */
export interface ResolvedOptions<O extends Order> extends Omit<
  z.output<ReturnType<typeof OPTIONS>>,
  'orders' | 'inbox' | 'amounts' | 'acceptLate' | 'rules' | 'verifyOnChain' | HandlerEvent
> {
  orders: CheckedRepository<O>
  inbox: CheckedInbox
  /** The inbox as given, for other sources and tools. */
  uncheckedInbox: Inbox
  joined: JoinedOrders<O> | undefined
  amounts: Amounts<O> | undefined
  acceptLate: LateRule<O> | undefined
  rules: readonly Rule<O>[]
  proof: PaymentVerifier | undefined
}

/** @throws {ConfigurationError} when an option is missing, unknown or invalid. */
export function resolveOptions<O extends Order>(given: PaymentsOptions<O>): ResolvedOptions<O> {
  const options = parseOptions(OPTIONS(), given)
  const { clock, inbox = memoryInbox({ clock }) } = options
  const joined = inbox.joinOrders?.(given.orders)
  const logger = guardLogger(options.logger)
  inbox.onNotice?.((message) => logger.warn(message, { inbox: inbox.name }))
  return {
    ...options,
    orders: checkedRepository(given.orders),
    inbox: checkedInbox(inbox),
    uncheckedInbox: inbox,
    joined: joined && checkedJoinedOrders(joined),
    amounts: given.amounts,
    acceptLate: given.acceptLate,
    rules: given.rules ?? [],
    proof: given.verifyOnChain,
    logger,
  }
}
