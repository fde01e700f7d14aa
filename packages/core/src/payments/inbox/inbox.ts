import type { Decision, DecisionKind } from '../orders/decision.js'
import type { Order, OrderKey, Payment, PaymentFailure, ReportSource } from '../orders/order.js'
import type { OrderRepository, Transition } from '../orders/repository.js'
import { encodeBase64 } from '../../shared/base64.js'
import { sha256 } from '../../shared/sha256.js'
import type { HandlerEvent } from './handler-event.js'
import type { InboxCredits } from './inbox-credits.js'

/** Handler name of the tasks that prove payments on the chain. */
export const PROOF_TASK = 'verifyOnChain'

/** A transfer as one source reported it, before any rule is applied. */
export interface NewReport {
  /** The name of the Payments that stores it. Reports of one Payments are never visible to another. */
  name: string
  merchant: string
  /** Equal for every repetition of one report; unique within `name`. Made of signed or on-chain fields. */
  key: string
  source: ReportSource
  /** The name of the secret that signed it; `''` for reports that are not webhooks. */
  signedWith: string
  /** `''` when unreadable, or when the transfer names no order. */
  reference: string
  /** Same format as `Payment.txHash`; `''` when unreadable. */
  txHash: string
  /** The payer as reported, to find reports by it; absent when unreadable. */
  senderAddr?: string | undefined
  /** The amount as reported, to find reports by it; absent when unreadable. */
  rawAmount?: string | undefined
  /** The payer's comment, to find reports by it; absent when it is the reference, or unknown. */
  comment?: string | undefined
  /** The body as received (UTF-8 text). */
  rawBody: string
  /** On-chain payments that this report claims for its order; see {@link InboxCredits.claim}. */
  payments: readonly string[]
  /**
   * True when the order had been completed by this transfer, or without a payment, before the report was first stored.
   * Otherwise a completion by this transfer was made for this report, or concurrently.
   */
  wasCompletedBefore: boolean
  /** Why the body cannot be read; such a report is stored as `unreadable`. */
  problem?: string | undefined
  /** A final decision that is known already; such a report is stored as `decided`, and schedules no tasks. */
  decision?: Decision | undefined
  /** Delay after which it is claimed in the background unless it was decided, milliseconds. */
  retryInMs: number
}

/** A stored report. */
export interface Report extends Omit<
  NewReport,
  'key' | 'senderAddr' | 'rawAmount' | 'comment' | 'decision' | 'retryInMs'
> {
  id: string
  /**
   * - `undecided`: the rules have not finished.
   * - `parked`: waits for its order, for its on-chain proof, or until the chain shows it; decided again when due.
   * - `decided`: final, unless decided again on request.
   * - `unreadable`: authentic, but its body cannot be read.
   */
  state: 'undecided' | 'parked' | 'decided' | 'unreadable'
  /** When it was first stored, milliseconds since the Unix epoch. */
  receivedAtMs: number
  /** Number of claims in the background. */
  attempts: number
  decision?: Decision | undefined
}

/** A stored body that was parsed again: after an upgrade, an unreadable report may be readable. */
export type ParsedBody =
  | Pick<
      NewReport,
      'reference' | 'txHash' | 'senderAddr' | 'rawAmount' | 'comment' | 'wasCompletedBefore'
    >
  | { problem: string }

/** A task to schedule: one row per `idempotencyKey`, ever. */
export interface NewTask {
  idempotencyKey: string
  /** The handler's registered name, for example `onPaid` or `onPaid.ship`; `verifyOnChain` for a proof. */
  handler: string
}

/** A claimed task: one scheduled handler run. */
export interface Task extends NewTask {
  id: string
  reportId: string
  merchant: string
  reference: string
  txHash: string
  /** 1 for the first run. */
  attempt: number
  /** Identifies this claim; a task whose lease was lost cannot be finished with it. */
  leaseId: string
  /** When a queue engine accepted it before, milliseconds since the Unix epoch; absent for one that was never handed over. */
  relayedAtMs?: number | undefined
}

/** A task that a queue engine has accepted, and neither finished nor failed. */
export interface RelayedTask extends Omit<Task, 'attempt' | 'leaseId' | 'relayedAtMs'> {
  /** When the engine accepted it, milliseconds since the Unix epoch. */
  relayedAtMs: number
}

/** Result of one run of a task. `relayed`: a queue engine has accepted it and owns it from now on. */
export type TaskOutcome =
  | { kind: 'done' }
  | { kind: 'relayed' }
  | { kind: 'retry'; retryInMs: number; error: string }
  | { kind: 'dead'; error: string }

/** A decision, and the work that it schedules. */
export interface DecisionRecord {
  decision: Decision
  /**
   * Schedules one task for each handler that is subscribed to this event under the report's `name`. The idempotency key is
   * {@link handlerTaskKey} of the handler, the report and the credit of the decision.
   */
  event?: HandlerEvent | undefined
  /** Further tasks. */
  tasks?: readonly NewTask[] | undefined
  /** Parks the report and decides it again after this time; without it the decision is final. */
  retryInMs?: number | undefined
}

/**
 * Returns the idempotency key of a handler's task: 43 URL-safe characters. It is a hash of JSON, so that no two names or
 * references collide.
 * @param subject the transfer of a report; with the `credit` of a decision, that credit, whichever report names it
 */
export function handlerTaskKey(
  handler: string,
  subject: Pick<Report, 'name' | 'merchant' | 'reference' | 'txHash'> & {
    credit?: string | undefined
  },
): string {
  const { name, merchant, reference, txHash, credit } = subject
  const about = credit === undefined ? [merchant, handler, reference, txHash] : [credit, handler]
  const facts = JSON.stringify([name, ...about])
  const hash = encodeBase64(sha256(facts))
  return hash.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
}

/** Selects tasks or reports. An omitted field matches all. */
export interface DeadLetterFilter {
  name?: string | undefined
  merchant?: string | undefined
  /** The handler's registered name. */
  handler?: string | undefined
  reference?: string | undefined
}

/** Selects reports to decide again. An omitted field matches all; reports decided as `paid` or `refund` never match. */
export interface ReportFilter {
  name?: string | undefined
  ids?: readonly string[] | undefined
  merchant?: string | undefined
  reference?: string | undefined
  state?: 'parked' | 'decided' | 'unreadable' | undefined
  /** The kind of the stored decision. */
  decision?: DecisionKind | undefined
  /** Only reports stored at or after this time, milliseconds since the Unix epoch. */
  receivedAfterMs?: number | undefined
}

/** Selects reports to list. An omitted field matches all. */
export interface ReportQuery extends Omit<ReportFilter, 'state' | 'decision'> {
  state?: Report['state'] | readonly Report['state'][] | undefined
  /** The kind of the stored decision, or several. */
  decision?: DecisionKind | readonly DecisionKind[] | undefined
  /** Transactions, in the format of `Payment.txHash`. */
  txHashes?: readonly string[] | undefined
  /** Payers, as reported. */
  senderAddrs?: readonly string[] | undefined
  /** Amounts, as reported. */
  rawAmounts?: readonly string[] | undefined
  /** The payer's comment, without regard to case; the reference where no other comment is known. */
  comment?: string | undefined
  /** Only reports with a handler task that has used all its attempts. */
  hasDeadTask?: true | undefined
  /** Only reports stored before this one, by its id: the next page. */
  before?: string | undefined
  /** At most this many. */
  limit: number
}

/** Parts of values that reports have. */
export interface ReportParts {
  name: string
  /** Beginnings of transactions, in the format of `Payment.txHash`. */
  txHashStarts: readonly string[]
  /** Both ends of payers' addresses, as reported. */
  senderEnds: readonly { start: string; end: string }[]
  /** At most this many values of each kind. */
  limit: number
}

/** One process of a Payments. */
export interface Registration {
  name: string
  /** Describes the policy; equal strings mean equal policies. */
  policy: string
  /** Time for which the policy stays pinned after its last registration, milliseconds. */
  policyTtlMs: number
  /** The handlers of this process. */
  handlers: readonly { handler: string; event: HandlerEvent }[]
  /** Time for which a subscription lasts after its last registration, milliseconds. */
  subscriptionTtlMs: number
  /** True while a watcher of this process reads the wallets. @default false */
  isWatching?: boolean | undefined
  /** Asks for the next due time as well, as `nextDueInMs` does, so that an idle process runs one statement. */
  nextDue?: { handlers?: readonly string[] | undefined } | undefined
}

/** The stored reports, their decisions, and what operators did about them. */
export interface InboxReports {
  /** Stores the report unless its key is known. @returns the stored row. */
  store(report: NewReport): Promise<Report>
  /**
   * Records the decision and its tasks unless a final decision is stored. `paid` replaces any other decision, since the
   * order's transition was made. Tasks whose key is known are not added twice. A decision with a `credit` is recorded for one
   * report of each credit and name; another report takes over a credit that was decided as `unknown_order`, with any other
   * decision.
   */
  decide(
    reportId: string,
    record: DecisionRecord,
  ): Promise<{
    /** False when a final decision was stored before, or the credit was decided for another report. */
    isRecorded: boolean
    /** The stored decision; the given one when the credit was decided for another report. */
    decision: Decision
    /** The kind of the decision about the credit that was recorded for another report. */
    toldAs?: DecisionKind | undefined
  }>
  /**
   * Claims undecided and parked reports that are due, of one order if given, and postpones each by `retryInMs`. Returns
   * none unless `policy` is the pinned one.
   */
  claim(query: {
    name: string
    policy: string
    key?: Required<OrderKey> | undefined
    retryInMs: number
    limit: number
  }): Promise<Report[]>
  /**
   * Postpones a report that could not be decided. A decided one is not changed, and one that was matched since its claim
   * stays due.
   */
  postpone(reportId: string, retryInMs: number): Promise<void>
  /**
   * Stores the parsed body of a report without `txHash`: it becomes `undecided`, or `unreadable` for a problem. One that
   * another process has read, and a parked or decided one, is not changed.
   */
  reread(reportId: string, parsed: ParsedBody): Promise<void>
  /**
   * Makes an order's parked reports due at once. One that is being decided concurrently and parked again stays due.
   * @returns how many.
   */
  orderCreated(query: { name: string } & Required<OrderKey>): Promise<number>
  /**
   * Makes reports due to be decided again: decided ones become `parked`, unreadable ones `undecided`. Ends their dead
   * `verifyOnChain` tasks: a decision that waits for a proof schedules another one. @returns how many.
   */
  redecide(filter: ReportFilter): Promise<number>
  find(reportId: string): Promise<Report | null>
  /** Returns reports, newest first: all of one order, for example, or those with one decision. */
  list(query: ReportQuery): Promise<Report[]>
  /** Returns the transactions and the payers that match the parts, each once. */
  findValues(parts: ReportParts): Promise<{ txHashes: string[]; senderAddrs: string[] }>
  /** Stores an action of an operator before it is carried out; kept as long as the report. */
  recordAction(action: OperatorAction): Promise<void>
  /** Returns the recorded actions about these reports, newest first. */
  listActions(query: { reportIds: readonly string[] }): Promise<
    {
      reportId: string
      action: 'reprocess' | 'retry'
      /** The operator, for example an email address. */
      by: string
      /** The reason; `''` when nothing was given. */
      note: string
      atMs: number
    }[]
  >
  /**
   * Deletes up to `limit` reports older than `olderThanMs` and their tasks, oldest first. Reports that are undecided, parked
   * or have an open, relayed or dead task stay, and so do all other reports of their order: if one is decided as `paid`, the tasks
   * of the others show which handlers have run. @returns how many.
   */
  forget(query: { name: string; olderThanMs: number; limit: number }): Promise<number>
}

/** Scheduled handler runs and proofs. */
export interface InboxTasks {
  /** Returns the tasks of these reports. */
  list(query: { reportIds: readonly string[] }): Promise<
    {
      /** For {@link InboxTasks.replay}. */
      id: string
      reportId: string
      idempotencyKey: string
      handler: string
      /** `relayed`: a queue engine has accepted it. */
      state: 'open' | 'relayed' | 'done' | 'dead'
      /** Runs since it was scheduled, or since its last replay. */
      attempts: number
      /** The next run of an open one, or the end of the lease of a running one; milliseconds since the Unix epoch. */
      dueAtMs: number
      isRunning: boolean
      /** When a queue engine accepted it last, milliseconds since the Unix epoch. */
      relayedAtMs?: number | undefined
      /** The message of the last failed run, even when a later one succeeded. */
      error?: string | undefined
    }[]
  >
  /**
   * Claims tasks that are due or whose lease has expired, at most `limits[handler]` of each handler. A process claims only
   * handlers that it can run.
   */
  claim(query: {
    name: string
    limits: Readonly<Record<string, number>>
    leaseMs: number
  }): Promise<Task[]>
  /** Claims due tasks of any handler except `verifyOnChain`, to hand them to a queue engine. */
  claimRelay(query: { name: string; leaseMs: number; limit: number }): Promise<Task[]>
  /** @returns false when the lease was lost. */
  extendLease(task: Task, leaseMs: number): Promise<boolean>
  /** @returns false when the lease was lost. */
  finish(task: Task, outcome: TaskOutcome): Promise<boolean>
  /**
   * Records that a queue engine has finished a task, or has failed it for the last time. A task that is not marked as
   * relayed yet is recorded, too, and its lease ends. @returns false when the task is unknown or done.
   */
  finishRelayed(query: {
    name: string
    idempotencyKey: string
    outcome: { kind: 'done' } | { kind: 'dead'; error: string }
  }): Promise<boolean>
  /** Returns tasks that a queue engine has accepted, and neither finished nor failed; oldest first. */
  listRelayed(query: { name: string; limit: number }): Promise<RelayedTask[]>
  /** Returns tasks that have used all their attempts, oldest first. */
  listDead(query: { limit: number }): Promise<
    {
      id: string
      reportId: string
      merchant: string
      reference: string
      idempotencyKey: string
      handler: string
      attempts: number
      /** The last error's message. */
      error: string
    }[]
  >
  /**
   * Resets a dead task; it runs at once. A relayed one is handed over again. @returns false when there is no such dead or
   * relayed task.
   */
  replay(taskId: string): Promise<boolean>
  /** Resets every dead task that matches. @returns how many. */
  replayWhere(filter: DeadLetterFilter): Promise<number>
}

/** The processes of each Payments: their policy, handlers and clock. */
export interface InboxProcesses {
  /**
   * Registers this process: subscribes its handlers, and pins its policy unless another one is pinned and has been
   * registered within its `policyTtlMs`. Called every few seconds. @returns the pinned policy, and with `nextDue` the result
   * of `nextDueInMs`.
   */
  register(registration: Registration): Promise<{
    policy: string
    nextDueInMs?: number | undefined
    /** True when the database has other Payments, which may be paid by the same wallets. */
    hasOtherNames?: boolean | undefined
    /** True when a process of this name has had a watcher in the last hour. */
    isWatched?: boolean | undefined
  }>
  /** Ends a handler's subscription and deletes its open and relayed tasks. @returns false without one. */
  unsubscribe(query: { name: string; handler: string }): Promise<boolean>
  /**
   * Returns the time until the earliest report, or task of these handlers, is due; leased ones included; `undefined` when
   * none exists. Without `handlers`: of all handlers.
   */
  nextDueInMs(query: {
    name: string
    handlers?: readonly string[] | undefined
  }): Promise<number | undefined>
  /**
   * Returns the time of the store's own clock, milliseconds since the Unix epoch. Absent for a store without a clock of its
   * own. Called once a minute: a clock that differs from that of the process is reported.
   */
  nowMs?(): Promise<number>
}

/**
 * Stores every authentic report before the rules are applied, and keeps it until its handlers are done. All methods are
 * atomic and safe to call from several processes. Times are durations: due times and leases follow the clock of the store.
 */
export interface Inbox {
  /** Shown in the start-up line, for example `postgres`. */
  readonly name: string
  /** True when rows outlive the process. */
  readonly isDurable: boolean
  readonly reports: InboxReports
  readonly tasks: InboxTasks
  readonly credits: InboxCredits
  readonly processes: InboxProcesses
  /** Counts unfinished work of one Payments, or of all. */
  stats(query?: { name?: string | undefined }): Promise<{
    /** Reports that the rules have not decided. */
    undecided: number
    /** Reports that wait for their order, for the proof of their payment, or until the chain shows it. */
    parked: number
    /** Reports whose body cannot be read. */
    unreadable: number
    /** Handler tasks that are due, waiting or running. Proofs are counted with their report, as parked. */
    open: number
    /** Handler tasks that a queue engine has accepted, and neither finished nor failed. */
    relayed: number
    /** Handler tasks that have used all their attempts. */
    dead: number
    /**
     * Age of the oldest undecided report or open handler task, milliseconds, since it was stored or replayed; `undefined`
     * without one.
     */
    oldestOpenAgeMs: number | undefined
    /** Time since the oldest relayed task was handed over, milliseconds; `undefined` without one. */
    oldestRelayedAgeMs: number | undefined
    /** Names the first table that cannot be written, and why; absent when all can. */
    problem?: string | undefined
  }>
  /** Sums what arrived in a period for one Payments and for no order, and the prices of the orders that it completed. */
  sums(period: SumsPeriod): Promise<InboxSums>
  /** Passes a function that logs a notice of the store as a warning. Called once by each Payments. */
  onNotice?(log: (message: string) => void): void
  /**
   * For an inbox that can share transactions with these orders. Called once by each Payments.
   * @returns `undefined` when it cannot; each step is then taken separately, and repaired if the next one fails.
   */
  joinOrders?<O extends Order>(orders: OrderRepository<O>): JoinedOrders<O> | undefined
}

/** A period of one Payments. */
export interface SumsPeriod {
  name: string
  /** Milliseconds since the Unix epoch. */
  fromMs: number
  /** Milliseconds since the Unix epoch; not included. */
  beforeMs: number
}

/** Sums of a period. */
export interface InboxSums {
  /** Credits by the time of their blocks, by asset. */
  credits: readonly SumOfCredits[]
  /** Reports that completed an order with a price, by the time when they were stored, by currency. */
  prices: readonly SumOfPrices[]
  /** Reports that completed an order without a price. */
  unpriced: number
}

/** Credits in one asset. */
export interface SumOfCredits {
  /** `'TON'` or the jetton master as `workchain:hash`. */
  asset: string
  /** Base units. */
  rawAmount: bigint
  count: number
}

/** Prices in one currency, as stored with the offers that were paid. */
export interface SumOfPrices {
  currency: string
  /** Decimal string without trailing zeros, for example `'12.5'`. */
  price: string
  count: number
}

/** Unfinished work of an inbox. */
export type InboxStats = Awaited<ReturnType<Inbox['stats']>>
/** A scheduled task, and its runs. */
export type TaskProgress = Awaited<ReturnType<InboxTasks['list']>>[number]
/** A recorded action of an operator. */
export type RecordedAction = Awaited<ReturnType<InboxReports['listActions']>>[number]
/** An action of an operator about a report. */
export type OperatorAction = Omit<RecordedAction, 'atMs'>
/** A task that has used all its attempts. */
export type DeadLetter = Awaited<ReturnType<InboxTasks['listDead']>>[number]
/** The decision that is stored after one was to be recorded. */
export type StoredDecision = Awaited<ReturnType<InboxReports['decide']>>

/**
 * Result of a joined transition. Only one that is `applied` records the decision. `reused`: a payment was claimed by another
 * order.
 */
export type JoinedTransition =
  | ({ transition: 'applied' } & StoredDecision)
  | { transition: Exclude<Transition, 'applied'> | 'reused' }

/** Steps that an inbox can take together for orders in its own database, in one transaction each. */
export interface JoinedOrders<O extends Order = Order> {
  /**
   * `orders.find`, then `store`. `wasCompletedBefore` follows from the order. Absent where the order can only be read
   * separately.
   */
  storeAndFind?(
    report: Omit<NewReport, 'wasCompletedBefore'>,
  ): Promise<{ report: Report; order: O | null }>
  /** `claimPayments`, `orders.complete`, then `decide`; nothing of these unless all are allowed. */
  completeAndDecide(
    reportId: string,
    move: {
      key: Required<OrderKey>
      payment: Payment
      /** As in {@link InboxCredits.claim}. */
      payments: readonly string[]
      /** As in {@link InboxCredits.claim}. */
      usedAmount?: bigint | undefined
      /** Hashes, see {@link InboxCredits.claim}; the result is `reused` when such a credit is stored. */
      unlessStored?: readonly string[] | undefined
      record: DecisionRecord
    },
  ): Promise<JoinedTransition>
  /** `orders.fail`, then `decide`, unless the order does not allow it. */
  failAndDecide(
    reportId: string,
    move: { key: Required<OrderKey>; failure: PaymentFailure; record: DecisionRecord },
  ): Promise<JoinedTransition>
}
