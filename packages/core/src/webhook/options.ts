import { checkedJoinedOrders } from '../inbox/checked-joined-orders.js'
import { DEFAULT_NAME } from '../inbox/handler-registry.js'
import type { Handlers } from '../inbox/handlers.js'
import type { Inbox } from '../inbox/inbox.js'
import type { JoinedOrders } from '../inbox/joined-orders.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import type { JobQueue } from '../jobs/job-queue.js'
import { memoryJobQueue } from '../jobs/memory-job-queue.js'
import { checkedRepository, type CheckedRepository } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import type { AcceptAmount, Rule } from '../orders/rules.js'
import type { PaymentProof } from '../proof/payment-proof.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import { consoleLogger, guardLogger, type Logger } from '../runtime/logger.js'
import {
  checkAcceptAmount,
  checkHeaderNames,
  checkInbox,
  checkInstrumentation,
  checkProof,
  checkRecipients,
  checkRules,
  oneOf,
  positive,
} from './check-options.js'
import type { ReceiverInstrumentation } from './instrumentation.js'
import { checkReceiverNames } from './option-names.js'
import { nameSecrets, type NamedSecret, type SecretResolver, type Secrets } from './secrets.js'
import type { SignatureEncoding } from './signature.js'

/** How often and how fast a failing handler is tried again. */
export interface HandlerRetryOptions {
  /** Runs in all; after the last one the task is a dead letter. @default 15 */
  maxAttempts?: number | undefined
  /** Wait after the first failure; doubled after each one. @default 1000 */
  minDelayMs?: number | undefined
  /** Longest wait. @default 3_600_000 (one hour) */
  maxDelayMs?: number | undefined
}

export interface WebhookReceiverOptions<O extends Order = Order> extends Handlers<O> {
  /** Tells receivers apart that share an inbox; part of idempotency keys. Keep it across deploys. @default 'default' */
  name?: string | undefined
  /** The webhook secret of the merchant dashboard; several during a rotation; a function for several merchants. */
  secrets: Secrets | SecretResolver
  /** The shop's orders. */
  orders: OrderRepository<O>
  /** @default memoryInbox(), which forgets everything when the process ends */
  inbox?: Inbox | undefined
  /** Wakes the servers that share the inbox, and lets one at a time look after it. @default memoryJobQueue() */
  jobs?: JobQueue | undefined
  /** Our wallets, in any spelling. When given, a transfer to another wallet is a `recipient_mismatch`. */
  recipients?: readonly string[] | undefined
  /** Judges an amount in place of "equal to the base unit". */
  acceptAmount?: AcceptAmount<O> | undefined
  /** Rules of the shop, run after the eight. */
  rules?: readonly Rule<O>[] | undefined
  /**
   * Proves each payment on the chain before its order is completed and `onPaid` runs, with {@link createPaymentProof}. The
   * answer to the sender does not wait for it. Needs `recipients`, and an inbox with `claimPayment`.
   * @default undefined: what a signed webhook says is taken for true
   */
  verifyOnChain?: PaymentProof | undefined
  /** What to answer to events other than `transfer.completed`: 400, or 200. @default 'reject' */
  unsupportedEvent?: 'reject' | 'acknowledge' | undefined
  /** How far the payload's `timestamp` may be from now, either way. @default undefined (any age) */
  maxAgeMs?: number | undefined
  /** What to answer to a delivery beyond `maxAgeMs`: 401, or 200; nothing is stored. @default 'reject' */
  staleDelivery?: 'reject' | 'acknowledge' | undefined
  /** @default ['x-pay-signature', 'x-tonpay-signature'] */
  signatureHeaders?: readonly string[] | undefined
  /** How the digest is written after `sha256=`. @default 'hex' */
  signatureEncoding?: SignatureEncoding | undefined
  /** @default 65_536 */
  maxBodyBytes?: number | undefined
  /** Time from the request's arrival to its answer; beyond it 503. The gateway waits 10 seconds. @default 8000 */
  deadlineMs?: number | undefined
  handlerRetry?: HandlerRetryOptions | undefined
  /**
   * How long the inbox keeps a delivery that is decided and whose handlers are done. Longer than the shop keeps its
   * completed orders: a repetition that comes later is known by its order alone.
   * @default undefined (for ever)
   */
  retentionMs?: number | undefined
  /** Longer than this, a run of a handler counts as failed. @default 300_000 (five minutes) */
  handlerTimeoutMs?: number | undefined
  /** How long {@link WebhookReceiver.close} waits for what is running. @default 10_000 */
  drainTimeoutMs?: number | undefined
  /**
   * Whether it receives from its creation on. A framework that registers handlers later gives `false` and calls
   * `start()`, so that nothing is decided before its handlers are known.
   * @default true
   */
  autoStart?: boolean | undefined
  /** Metrics and spans, as of `openTelemetryInstrumentation` in `@tonplug/core/opentelemetry`. */
  instrumentation?: ReceiverInstrumentation | undefined
  /** @default systemClock */
  clock?: Clock | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
}

/** The options with their defaults, checked. */
export interface ResolvedOptions<O extends Order> {
  name: string
  secrets: readonly NamedSecret[] | SecretResolver
  orders: CheckedRepository<O>
  inbox: Inbox
  jobs: JobQueue
  joined: JoinedOrders<O> | undefined
  recipients: readonly string[] | undefined
  acceptAmount: AcceptAmount<O> | undefined
  rules: readonly Rule<O>[]
  /** With the inbox's `claimPayment`. */
  proof: PaymentProof | undefined
  unsupportedEvent: 'reject' | 'acknowledge'
  maxAgeMs: number | undefined
  staleDelivery: 'reject' | 'acknowledge'
  signatureHeaders: readonly string[]
  signatureEncoding: SignatureEncoding
  maxBodyBytes: number
  deadlineMs: number
  handlerRetry: { maxAttempts: number; minDelayMs: number; maxDelayMs: number }
  handlerTimeoutMs: number
  retentionMs: number | undefined
  drainTimeoutMs: number
  autoStart: boolean
  instrumentation: ReceiverInstrumentation
  clock: Clock
  logger: Logger
}

/** The headers that carry the signature, as the description and the gateway name them. */
export const SIGNATURE_HEADERS: readonly string[] = ['x-pay-signature', 'x-tonpay-signature']
/** 64 KiB; a documented payload has less than 2. */
export const MAX_BODY_BYTES = 65_536
/** The gateway waits ten seconds. */
export const DEADLINE_MS = 8000

// The first is the default.
const REFUSALS = ['reject', 'acknowledge'] as const
const ENCODINGS = ['hex', 'base64'] as const satisfies readonly SignatureEncoding[]

/** @throws {ConfigurationError} when an option is missing, unknown or cannot work. */
export function resolveOptions<O extends Order>(
  given: WebhookReceiverOptions<O>,
): ResolvedOptions<O> {
  checkReceiverNames(given)
  const { maxAttempts = 15, minDelayMs = 1000, maxDelayMs = 3_600_000 } = given.handlerRetry ?? {}
  const orders = checkedRepository(given.orders)
  const inbox = checkInbox(given.inbox ?? memoryInbox())
  const joined = inbox.joinOrders?.(given.orders)
  const clock = given.clock ?? systemClock
  return {
    name: given.name ?? DEFAULT_NAME,
    secrets: typeof given.secrets === 'function' ? given.secrets : nameSecrets(given.secrets),
    orders,
    inbox,
    jobs: given.jobs ?? memoryJobQueue({ clock }),
    joined: joined && checkedJoinedOrders(joined),
    recipients: checkRecipients(given.recipients),
    acceptAmount: checkAcceptAmount(given.acceptAmount),
    rules: checkRules(given.rules ?? []),
    proof: checkProof(given, inbox),
    unsupportedEvent: oneOf('unsupportedEvent', given.unsupportedEvent, REFUSALS),
    maxAgeMs: positive('maxAgeMs', given.maxAgeMs),
    staleDelivery: oneOf('staleDelivery', given.staleDelivery, REFUSALS),
    signatureHeaders: checkHeaderNames(given.signatureHeaders ?? SIGNATURE_HEADERS),
    signatureEncoding: oneOf('signatureEncoding', given.signatureEncoding, ENCODINGS),
    maxBodyBytes: positive('maxBodyBytes', given.maxBodyBytes ?? MAX_BODY_BYTES),
    deadlineMs: positive('deadlineMs', given.deadlineMs ?? DEADLINE_MS),
    handlerRetry: {
      maxAttempts: positive('handlerRetry.maxAttempts', maxAttempts),
      minDelayMs: positive('handlerRetry.minDelayMs', minDelayMs),
      maxDelayMs: positive('handlerRetry.maxDelayMs', maxDelayMs),
    },
    handlerTimeoutMs: positive('handlerTimeoutMs', given.handlerTimeoutMs ?? 300_000),
    retentionMs: positive('retentionMs', given.retentionMs, Number.MAX_SAFE_INTEGER),
    drainTimeoutMs: positive('drainTimeoutMs', given.drainTimeoutMs ?? 10_000),
    autoStart: given.autoStart ?? true,
    instrumentation: checkInstrumentation(given.instrumentation ?? {}),
    clock,
    logger: guardLogger(given.logger ?? consoleLogger),
  }
}
