import type {
  AmountMismatchDecision,
  AssetMismatchDecision,
  Decision,
  ExtraPaymentDecision,
  PaidAfterCancelDecision,
  PaidDecision,
  RecipientMismatchDecision,
  RejectedDecision,
  UnverifiedDecision,
} from '../orders/decision.js'
import type { Order, Payment, PaymentFailure } from '../orders/order.js'
import type { TransferData } from '../webhook/payload.js'

/** An order was completed. */
export interface PaidTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  payment: Payment
  /** The order had expired before; the shop decides what that means. */
  late: boolean
}

/** A transfer for an order failed on chain. */
export interface FailedTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  failure: PaymentFailure
}

/** A transfer arrived that the rules do not accept for its order. */
export interface MismatchedTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  decision:
    AmountMismatchDecision | AssetMismatchDecision | RecipientMismatchDecision | RejectedDecision
}

/** A transfer arrived whose reference no order has. Its order may still appear. */
export interface UnmatchedTransfer {
  transfer: TransferData
}

/** Money arrived for an order that another transfer completed, or that the shop had cancelled. */
export interface ExtraPayment<O extends Order = Order> {
  order: O
  /** The transfer that came too much; its amount and asset were not checked against the order. */
  transfer: TransferData
  decision: ExtraPaymentDecision | PaidAfterCancelDecision
}

/**
 * A transfer that its webhook tells rightly, and that the chain does not show: see `verifyOnChain`. The order is left as
 * it is. Somebody who has the webhook's secret may be lying.
 */
export interface UnverifiedTransfer<O extends Order = Order> {
  order: O
  transfer: TransferData
  decision: UnverifiedDecision
}

/** A transfer with something out of the ordinary: see {@link Finding}. `decision` has the facts. */
export interface FoundEvent<D extends Decision, O extends Order = Order> {
  order: O
  transfer: TransferData
  decision: D
}

/** What the handlers of findings are given, by finding. */
export interface FindingEvents<O extends Order = Order> {
  /** `decision.foundBy` says where it was found. `onPaid` runs as well. */
  onLostWebhook: FoundEvent<PaidDecision, O>
  /** `onMismatched` runs as well. */
  onUnderpaid: FoundEvent<AmountMismatchDecision, O>
  /** `onMismatched` runs as well. */
  onOverpaid: FoundEvent<AmountMismatchDecision, O>
  /** `onExtraPayment` runs as well. */
  onPaidTwice: FoundEvent<ExtraPaymentDecision, O>
  /** The order had expired and `onPaid` runs as well, or was cancelled and `onExtraPayment` does. */
  onPaidLate: FoundEvent<PaidDecision | PaidAfterCancelDecision, O>
  /** `onPaid` runs as well. */
  onPaidEarly: FoundEvent<PaidDecision, O>
  /** `onMismatched` runs as well. */
  onWrongAsset: FoundEvent<AssetMismatchDecision | AmountMismatchDecision, O>
}

/** The second argument of every handler. */
export interface HandlerContext {
  /** The same for every run for one transfer; give it to the systems that the handler calls. */
  idempotencyKey: string
  /** 1 for the first run. */
  attempt: number
  deliveryId: string
  /** The name of the secret that signed the delivery; `tonplug:chain` or `tonplug:gateway` where a reconciler found it. */
  signedWith: string
  /** Aborted when the handler's time (`handlerTimeoutMs`) is over; it then counts as failed and is tried again. */
  signal: AbortSignal
}

/** Runs until it returns; a throw is tried again with backoff, then becomes a dead letter. */
export type Handler<Event> = (event: Event, context: HandlerContext) => unknown

/** The handlers by what happened. */
export interface HandlerEvents<O extends Order = Order> extends FindingEvents<O> {
  onPaid: PaidTransfer<O>
  onFailed: FailedTransfer<O>
  onMismatched: MismatchedTransfer<O>
  onUnmatched: UnmatchedTransfer
  onExtraPayment: ExtraPayment<O>
  onUnverified: UnverifiedTransfer<O>
}

export type HandlerEvent = keyof HandlerEvents

/**
 * One handler, or several by name. Each named one has its own attempts, so that one that fails does not run the
 * others again; keep the names across deploys.
 */
export type Handlers<O extends Order = Order> = {
  [Event in HandlerEvent]?:
    Handler<HandlerEvents<O>[Event]> | Record<string, Handler<HandlerEvents<O>[Event]>> | undefined
}
