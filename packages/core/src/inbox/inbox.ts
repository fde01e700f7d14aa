import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import type { JoinedOrders } from './joined-orders.js'

/** An authentic delivery, before any rule has seen it. */
export interface NewDelivery {
  /** The name of the receiver it came to. Nothing of one receiver is handed to another. */
  receiver: string
  /** Made of the signed fields that matter; equal for every repetition of one event. */
  key: string
  reference: string
  /** Spelt as in `Payment.txHash`. */
  txHash: string
  /** The body as received (UTF-8 text). */
  rawBody: string
  /** The name of the secret that signed it. */
  signedWith: string
  /**
   * The order had been completed by this transfer before the delivery was first stored, so its handlers are arranged.
   * Otherwise a completion by this transfer was made on behalf of this delivery, or beside it.
   */
  wasCompletedBefore: boolean
  receivedAtMs: number
  /** When the sweep looks at it, unless it is decided before. */
  retryAtMs: number
}

/** `undecided`: the rules have not finished; `parked`: `unmatched` or `verifying`, looked at again; `decided`: final. */
export type DeliveryState = 'undecided' | 'parked' | 'decided'

export interface Delivery extends Omit<NewDelivery, 'retryAtMs'> {
  id: string
  state: DeliveryState
  /** How often the sweep has claimed it. */
  attempts: number
  decision?: Decision | undefined
}

/** A handler that has to run. One row per `idempotencyKey`, ever. */
export interface NewHandlerTask {
  idempotencyKey: string
  /** The handler's registered name, as `onPaid` or `onPaid.ship`; `verifyOnChain` for a proof. */
  handler: string
}

export interface HandlerTask extends NewHandlerTask {
  id: string
  deliveryId: string
  /** 1 for the first run. */
  attempt: number
  /** Names this claim; a task whose lease was lost cannot be finished with it. */
  leaseId: string
}

export interface DeadHandlerTask extends NewHandlerTask {
  id: string
  deliveryId: string
  attempts: number
  /** The last error's message. */
  error: string
}

/** How one run of a handler ended. */
export type HandlerOutcome =
  | { kind: 'done' }
  | { kind: 'retry'; retryAtMs: number; error: string }
  | { kind: 'dead'; error: string }

/** What was concluded about a delivery. */
export interface Verdict {
  decision: Decision
  tasks: readonly NewHandlerTask[]
  /** When to decide it again; without it the decision is final. */
  retryAtMs?: number | undefined
}

/** The decision that stands after a verdict was given. */
export interface StandingDecision {
  /** Whether it is the one of this verdict. */
  isRecorded: boolean
  decision: Decision
}

/** How much of an inbox is unfinished. */
export interface InboxStats {
  /** Deliveries that the rules have not decided. */
  undecided: number
  /** Deliveries that wait for their order, or for the proof of their payment. */
  parked: number
  /** Handlers that have to run, or are running. A proof that goes on is counted with its delivery, as parked. */
  open: number
  /** Handlers that have used up their attempts. */
  dead: number
  /**
   * Since when the oldest waits: when the delivery came that is undecided or has an open handler, or when the handler was
   * replayed. `undefined` when there is none.
   */
  oldestOpenMs: number | undefined
  /** There where nothing can be stored, as on a standby, or where the role may only read. */
  isReadOnly?: boolean | undefined
}

/** Which dead tasks to run again. A field that is not given holds for all. */
export interface DeadTaskFilter {
  receiver?: string | undefined
  /** The handler's registered name, as `onPaid` or `onPaid.ship`. */
  handler?: string | undefined
  reference?: string | undefined
}

/**
 * Keeps every authentic delivery from before the rules run until its handlers are done. All methods are atomic
 * and safe to call from several processes at once; points in time are milliseconds since the Unix epoch and
 * come from the caller.
 */
export interface Inbox {
  /** Shown in the start-up line. */
  readonly name: string
  /** Whether rows outlive the process. */
  readonly isDurable: boolean
  /** Stores the delivery unless its key is there. @returns the row as it stands. */
  store(delivery: NewDelivery): Promise<Delivery>
  /**
   * Records the decision together with its handler tasks, unless a final decision stands already. `paid` takes the
   * place of any other decision, since the order's transition stands behind it.
   * With `retryAtMs` the delivery is parked and may be decided again. Tasks whose key is known are not added twice.
   * @returns whether this decision was recorded, and the one that stands.
   */
  decide(deliveryId: string, verdict: Verdict): Promise<StandingDecision>
  /**
   * Undecided and parked deliveries of a receiver, and of one reference if given, that are due; each is put off to
   * `retryAtMs` and its attempts counted.
   */
  claimDeliveries(query: {
    receiver: string
    reference?: string | undefined
    nowMs: number
    retryAtMs: number
    limit: number
  }): Promise<Delivery[]>
  /** Puts a delivery that could not be decided off to `retryAtMs`; one that has a final decision stays as it is. */
  postpone(deliveryId: string, retryAtMs: number): Promise<void>
  /**
   * Makes a receiver's parked deliveries of a reference due at once. One that is being decided meanwhile, and is parked
   * again since its order was looked for too early, stays due. @returns how many.
   */
  matchReference(query: { receiver: string; reference: string }): Promise<number>
  find(deliveryId: string): Promise<Delivery | null>
  /**
   * Tasks of a receiver's handlers that are due, or whose lease has ended, leased to the caller until `leaseUntilMs`.
   * A process claims only what it can run; the others wait for one that can.
   */
  claimTasks(query: {
    receiver: string
    handlers: readonly string[]
    nowMs: number
    leaseUntilMs: number
    limit: number
  }): Promise<HandlerTask[]>
  /** @returns false when the lease was lost. */
  extendLease(task: HandlerTask, leaseUntilMs: number): Promise<boolean>
  /** @returns false when the lease was lost. */
  finishTask(task: HandlerTask, outcome: HandlerOutcome): Promise<boolean>
  /** Tasks that have used up their attempts, oldest first. */
  listDead(query: { limit: number }): Promise<DeadHandlerTask[]>
  /** The earliest moment at which a receiver's delivery, or a task of these handlers, is due; leased ones included. */
  nextDueMs(query: { receiver: string; handlers: readonly string[] }): Promise<number | undefined>
  /** Of one receiver, or of all. */
  stats(query?: { receiver?: string | undefined }): Promise<InboxStats>
  /**
   * Gives a dead task its attempts back; it runs at once.
   * @param nowMs since when it waits, for `stats`. @default the machine's time
   * @returns false when there is no such dead task.
   */
  replay(taskId: string, nowMs?: number): Promise<boolean>
  /** The same for every dead task that fits. @returns how many. */
  replayWhere(filter: DeadTaskFilter, nowMs?: number): Promise<number>
  /**
   * Deletes up to `limit` deliveries that came before `receivedBeforeMs`, with their tasks, the oldest first. What is
   * undecided, parked, or has a task that is open or dead stays, and so does every other delivery of its reference: should
   * it be decided as `paid`, the tasks of the others tell which handlers have run. A repetition of what was deleted is
   * known by its order alone. @returns how many.
   */
  forgetDecided(query: {
    receiver: string
    receivedBeforeMs: number
    limit: number
  }): Promise<number>
  /**
   * Needed for `verifyOnChain`: keeps for ever which order a payment on the chain paid, so that none pays two.
   * @param claim.payment tells the payment; equal for all that ask for it
   * @param claim.reference tells the order from those of all receivers: with the receiver's name, unless it is `default`.
   *   To be kept as it is
   * @returns the reference of the first claim: the given one, unless another order's came before
   */
  claimPayment?(claim: { payment: string; reference: string }): Promise<string>
  /**
   * For an inbox that can share transactions with these orders. Asked once by each receiver.
   * @returns `undefined` when it cannot; each step is then taken by itself, and repaired if the next one fails.
   */
  joinOrders?<O extends Order>(orders: OrderRepository<O>): JoinedOrders<O> | undefined
}
