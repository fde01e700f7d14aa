import type { HandlerOutcome, HandlerTask, InboxStats } from '../inbox/inbox.js'
import type { Around } from '../runtime/around.js'
import type { Clock } from '../runtime/clock.js'
import type { Answer } from './answer.js'
import type { DecisionListener } from './decision-feed.js'

/** A receiver, as far as it can be watched from outside. */
export interface WatchedReceiver {
  name: string
  /** What is unfinished in the inbox, for this receiver. @throws when the inbox cannot be reached. */
  inboxStats(): Promise<InboxStats>
  /** As the receiver's own. */
  subscribe(listener: DecisionListener): () => void
  readonly clock: Clock
}

/** A request has arrived at the webhook route. */
export interface DeliveryEvent {
  /** The name of the receiver. */
  receiver: string
  /** How long the request was held up before. */
  elapsedMs: number
}

/** A handler is about to run. */
export interface HandlerRunEvent extends Pick<
  HandlerTask,
  'handler' | 'deliveryId' | 'idempotencyKey' | 'attempt'
> {
  /** The name of the receiver. */
  receiver: string
}

/** How a run of a handler ended. */
export interface HandlerRunEnd {
  outcome: HandlerOutcome
  /** What the handler threw, unless the outcome is `done`. */
  thrown?: unknown
}

/**
 * Watches a receiver, and runs its work inside something of its own, such as a span. It cannot change anything; what it
 * throws is ignored. `run` has to be called at once; otherwise the work begins outside.
 */
export interface ReceiverInstrumentation {
  /** The receiver begins to receive. @returns a function that is called when it is closed. */
  receiver?: ((receiver: WatchedReceiver) => () => void) | undefined
  /** Around a request, to its answer; when it was held up, from where it goes on. It rejects with what `receive` throws. */
  delivery?: Around<DeliveryEvent, Answer> | undefined
  /** Around one run of a handler. It never rejects. */
  handler?: Around<HandlerRunEvent, HandlerRunEnd> | undefined
  /** Around work that belongs to no request although one may have set it off: a look at all that is due. */
  background?: Around<{ receiver: string }, unknown> | undefined
}
