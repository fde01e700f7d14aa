import type { Task, TaskOutcome } from '../inbox/inbox-tasks.js'
import type { InboxStats } from '../inbox/inbox.js'
import type { Decision } from '../orders/decision.js'
import type { Around } from '../../shared/instrumentation.js'
import type { Clock } from '../../shared/clock.js'
import type { DecisionListener } from './decision-feed.js'

/** The part of Payments that can be observed. */
export interface WatchedPayments {
  name: string
  /** Returns the unfinished work in the inbox, for this Payments. @throws when the inbox cannot be reached. */
  inboxStats(): Promise<InboxStats>
  /** See {@link Payments.onDecision}. */
  onDecision(listener: DecisionListener): () => void
  readonly clock: Clock
}

/** A request has arrived at the webhook route. */
export interface DeliveryEvent {
  /** The name of the Payments. */
  payments: string
  /** Delay of the request before it reached the receiver. */
  elapsedMs: number
}

/** The response to a request at the webhook route. */
export interface DeliveryEnd {
  /** HTTP status. */
  status: number
  decision: Decision | { kind: string; reason?: string }
}

/** The books of a wallet were compared with the chain. */
export interface BooksEvent {
  /** The name of the Payments. */
  payments: string
  /** Canonical. */
  wallet: string
  accounts: readonly { alarms: readonly unknown[]; hold?: unknown }[]
}

/** A handler is about to run. */
export interface HandlerRunEvent extends Pick<
  Task,
  'handler' | 'reportId' | 'idempotencyKey' | 'attempt'
> {
  /** The name of the Payments. */
  payments: string
}

/** Result of one run of a handler. */
export interface HandlerRunEnd {
  outcome: TaskOutcome
  /** The handler's error, unless the outcome is `done`. */
  thrown?: unknown
}

/**
 * Observes Payments and its webhook receiver, and runs their work inside something of its own, for example a span. It cannot
 * change anything, and its errors are ignored. `run` must be called synchronously; otherwise the work begins outside.
 */
export interface PaymentsInstrumentation {
  /** Payments has started. @returns a function that is called when it is closed. */
  payments?: ((payments: WatchedPayments) => () => void) | undefined
  /** Wraps a webhook request until its answer. It rejects with the error of `receive`. */
  delivery?: Around<DeliveryEvent, DeliveryEnd> | undefined
  /** Wraps one run of a handler. It never rejects. */
  handler?: Around<HandlerRunEvent, HandlerRunEnd> | undefined
  /** `Operator.balance` has compared the books of a wallet. */
  books?: ((event: BooksEvent) => void) | undefined
  /** Wraps background work that belongs to no request, for example a poll of the inbox. */
  background?: Around<{ payments: string }, unknown> | undefined
}
