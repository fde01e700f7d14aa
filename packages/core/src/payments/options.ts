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
import type { PaymentProof } from '../orders/payment-proof.js'
import type { OrderRepository } from '../orders/repository.js'
import type { AcceptAmount, Rule } from '../orders/rules.js'
import { systemClock, type Clock } from '../shared/clock.js'
import { isObject } from '../shared/is-object.js'
import { consoleLogger, guardLogger, type Logger } from '../shared/logger.js'
import {
  address,
  durationMs,
  functionSchema,
  objectWith,
  parseOptions,
  positive,
  timerMs,
  type OptionSchemas,
} from '../shared/options.js'
import type { Handlers } from './events.js'
import type { PaymentsInstrumentation } from './instrumentation.js'

/** Attempts and backoff of a failing handler. */
interface HandlerRetryOptions {
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
  /** The merchant's wallets, in any format. When set, a transfer to another wallet is a `recipient_mismatch`. */
  wallets?: readonly string[] | undefined
  /** Decides about an amount, instead of "equal in base units". */
  acceptAmount?: AcceptAmount<O> | undefined
  /** The shop's own rules, applied after the built-in ones. */
  rules?: readonly Rule<O>[] | undefined
  /**
   * Proves each payment on the chain before its order is completed and `onPaid` runs, with {@link createPaymentProof}. The
   * webhook's sender does not wait for it. Requires `wallets`.
   * @default undefined: authenticated reports are trusted
   */
  verifyOnChain?: PaymentProof | undefined
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
   * `submit`, `matchReference` or `redecide` sets `false` and never starts. @default true
   */
  autoStart?: boolean | undefined
  /** Metrics and spans, for example `openTelemetryInstrumentation` of `@tonplug/core/opentelemetry`. */
  instrumentation?: PaymentsInstrumentation | undefined
  /** @default systemClock */
  clock?: Clock | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
}

const HANDLER_RETRY = z.strictObject({
  maxAttempts: positive.default(15),
  minDelayMs: timerMs.default(1000),
  maxDelayMs: timerMs.default(3_600_000),
} satisfies OptionSchemas<HandlerRetryOptions>)

/** The handler registry checks handlers, including those that are added later. */
const HANDLERS = z.any().optional()

const SCHEMAS = {
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
    INBOX_METHODS,
  ).optional(),
  wallets: z.array(address, 'must be a list of addresses').optional(),
  acceptAmount: functionSchema<AcceptAmount>(
    'must be a function that returns a boolean',
  ).optional(),
  rules: z.array(functionSchema<Rule>(), 'must be a list of functions').optional(),
  verifyOnChain: z
    .object(
      { prove: functionSchema<PaymentProof['prove']>(), deadlineMs: durationMs },
      'must be the result of createPaymentProof()',
    )
    .optional(),
  queue: objectWith<TaskQueue>('a TaskQueue, for example bullmqQueue({ connection })', [
    'add',
    'work',
  ]).optional(),
  handlerConcurrency: positive.default(8),
  handlerRetry: HANDLER_RETRY.prefault({}),
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
  clock: objectWith<Clock>('a Clock', ['nowMs', 'setTimer']).default(systemClock),
  logger: objectWith<Logger>('a Logger', ['debug', 'info', 'warn', 'error']).default(consoleLogger),
  onPaid: HANDLERS,
  onFailed: HANDLERS,
  onMismatch: HANDLERS,
  onExtraPayment: HANDLERS,
  onUnknownOrder: HANDLERS,
  onUnverified: HANDLERS,
} satisfies OptionSchemas<PaymentsOptions>

const OPTIONS = z.strictObject(SCHEMAS).superRefine((options, context) => {
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
})

/** The options with their defaults, checked. */
export interface ResolvedOptions<O extends Order> extends Omit<
  z.output<typeof OPTIONS>,
  'orders' | 'inbox' | 'acceptAmount' | 'rules' | 'verifyOnChain' | HandlerEvent
> {
  orders: CheckedRepository<O>
  inbox: CheckedInbox
  /** The inbox as given, for other doors and tools. */
  uncheckedInbox: Inbox
  joined: JoinedOrders<O> | undefined
  acceptAmount: AcceptAmount<O> | undefined
  rules: readonly Rule<O>[]
  proof: PaymentProof | undefined
}

/** @throws {ConfigurationError} when an option is missing, unknown or invalid. */
export function resolveOptions<O extends Order>(given: PaymentsOptions<O>): ResolvedOptions<O> {
  const options = parseOptions(OPTIONS, given)
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
    acceptAmount: given.acceptAmount,
    rules: given.rules ?? [],
    proof: given.verifyOnChain,
    logger,
  }
}
