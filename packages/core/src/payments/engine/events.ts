import type { DecisionOf } from '../orders/decision.js'
import type {
  Order,
  Payment,
  PaymentFailure,
  ReceivedAmount,
  ReportSource,
} from '../orders/order.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
import type { TransferData } from '../orders/payload.js'
import type { MismatchDecision } from './decision-table.js'

/** An order was completed. */
export interface PaidTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  payment: Payment
  /** The order had expired before; the shop decides what that means. */
  isLate: boolean
  /** The transfer took place before the order was stored. */
  isEarly: boolean
  /** The source that reported it: `chain` or `gateway` means that no webhook arrived. */
  source: ReportSource
}

/** A transfer for an order did not succeed. */
export interface FailedTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  failure: PaymentFailure
}

/** A transfer arrived that the rules do not accept for its order. */
export interface MismatchedTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  /**
   * `late`: paid after the end of the offer, whose rate is no longer valid; `wallet`: not one of ours; `rule`: a rule of the
   * shop or its function `amounts` rejected the transfer.
   */
  reason: 'underpaid' | 'overpaid' | 'late' | 'asset' | 'wallet' | 'rule'
  decision: MismatchDecision
  /**
   * Base units that arrived so far in the asset of this transfer, this one included: the sum of two halves, for example.
   * Without the payment of a completed order, and without what is being refunded.
   */
  totalReceived: bigint
  /**
   * Money that the chain has shown for the order, in base units by asset: its payment, and unused ones that name it. Absent while
   * that is unknown, for example because the webhook that completed the order is not linked to its money yet.
   */
  received?: readonly ReceivedAmount[] | undefined
}

/** Money arrived for an order that another transfer completed, or that the shop had cancelled. */
export interface ExtraPayment<O extends Order = Order> {
  order: O
  /** The extra transfer; its amount and asset were not checked against the order. */
  transfer: TransferData
  decision: DecisionOf<'extra_payment' | 'paid_after_cancel'>
  /**
   * Money that the chain has shown for the order, in base units by asset: its payment, and unused ones that name it. Absent while
   * that is unknown, for example because the webhook that completed the order is not linked to its money yet.
   */
  received?: readonly ReceivedAmount[] | undefined
}

/**
 * A transfer arrived whose reference matches no order. The order may still be created, unless `transfer.reference` is `''`:
 * then the transfer was found on the chain and names no order, and an operator can assign it to one.
 */
export interface UnknownOrder {
  merchant: string
  transfer: TransferData
}

/**
 * A report passed the rules, but its payment is not proven on the chain, or has paid another order. The order is
 * unchanged. Someone who knows the webhook's secret may be lying.
 */
export interface UnverifiedTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  decision: DecisionOf<'unverified'>
}

/** The second argument of every handler. */
export interface HandlerContext {
  /** The same for every run for one transfer; pass it to the systems that the handler calls. */
  idempotencyKey: string
  /** 1 for the first run. */
  attempt: number
  reportId: string
  /** `''` unless one Payments serves several merchants. */
  merchant: string
  /** The source whose report this is. */
  source: ReportSource
  /** The name of the secret that signed the report; `''` for reports that are not webhooks. */
  signedWith: string
  /**
   * Aborted when the handler's time (`handlerTimeoutMs`) is over, when its lease is lost, and when Payments is closed. The
   * run counts as failed and is retried, possibly on another server.
   */
  signal: AbortSignal
}

/** Runs until it returns; after a throw it is retried with backoff, and finally becomes a dead letter. */
export type Handler<Event> = (event: Event, context: HandlerContext) => unknown

/** The argument of each event's handlers. */
export interface HandlerEvents<O extends Order = Order> {
  /** An order was completed. */
  onPaid: PaidTransfer<O>
  /** A transfer for an order did not succeed. */
  onFailed: FailedTransfer<O>
  /** A transfer does not fit its order; `reason` states why. */
  onMismatch: MismatchedTransfer<O>
  /** Money arrived for a completed or cancelled order. */
  onExtraPayment: ExtraPayment<O>
  /** A transfer names no known order. */
  onUnknownOrder: UnknownOrder
  /** A payment is not proven on the chain. */
  onUnverified: UnverifiedTransfer<O>
}

/**
 * One handler, or several by name. Each named handler has its own attempts, so that one that fails does not run the others
 * again; keep the names across deploys.
 */
export type Handlers<O extends Order = Order> = {
  [Event in HandlerEvent]?:
    Handler<HandlerEvents<O>[Event]> | Record<string, Handler<HandlerEvents<O>[Event]>> | undefined
}
