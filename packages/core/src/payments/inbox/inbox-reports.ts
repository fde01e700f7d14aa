import type { Decision, DecisionKind } from '../orders/decision.js'
import type { OrderKey, ReportSource } from '../orders/order.js'
import type { HandlerEvent } from './handler-event.js'
import type { NewTask } from './inbox-tasks.js'

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
  /** The trace as reported, in lower-case hex, to find reports by it; absent for any other string, and when unreadable. */
  traceId?: string | undefined
  /** The payer as reported, to find reports by it; absent when unreadable. */
  senderAddr?: string | undefined
  /** The amount as reported, to find reports by it; absent when unreadable. */
  rawAmount?: string | undefined
  /** The payer's comment, to find reports by it; absent when it is the reference, or unknown. */
  comment?: string | undefined
  /** The body as received (UTF-8 text). */
  rawBody: string
  /** On-chain payments that this report claims for its order; see `InboxCredits.claim`. */
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
  'key' | 'traceId' | 'senderAddr' | 'rawAmount' | 'comment' | 'decision' | 'retryInMs'
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
      | 'reference'
      | 'txHash'
      | 'traceId'
      | 'senderAddr'
      | 'rawAmount'
      | 'comment'
      | 'wasCompletedBefore'
    >
  | { problem: string }

/** A decision, and the work that it schedules. */
export interface DecisionRecord {
  decision: Decision
  /**
   * Schedules one task for each handler that is subscribed to this event under the report's `name`. The idempotency key is
   * `handlerTaskKey` of the handler, the report and the credit of the decision.
   */
  event?: HandlerEvent | undefined
  /** Further tasks. */
  tasks?: readonly NewTask[] | undefined
  /** Parks the report and decides it again after this time; without it the decision is final. */
  retryInMs?: number | undefined
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
  /** Transactions or traces, in lower-case hex: a report names one of them as either. */
  hashes?: readonly string[] | undefined
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

/** A recorded action of an operator. */
export interface RecordedAction {
  reportId: string
  /** `sign` and `end_signing`: a wallet was asked to sign a proposed refund, and it has declined. */
  action: 'reprocess' | 'retry' | 'sign' | 'end_signing'
  /** The operator, for example an email address. */
  by: string
  /** The reason, `''` when nothing was given; for a signing, its id. */
  note: string
  atMs: number
}

/** An action of an operator about a report. */
export type OperatorAction = Omit<RecordedAction, 'atMs'>

/** The decision that is stored after one was to be recorded. */
export interface StoredDecision {
  /** False when a final decision was stored before, or the credit was decided for another report. */
  isRecorded: boolean
  /** The stored decision; the given one when the credit was decided for another report. */
  decision: Decision
  /** The kind of the decision about the credit that was recorded for another report. */
  toldAs?: DecisionKind | undefined
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
  decide(reportId: string, record: DecisionRecord): Promise<StoredDecision>
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
  listActions(query: { reportIds: readonly string[] }): Promise<RecordedAction[]>
  /**
   * Deletes up to `limit` reports older than `olderThanMs` and their tasks, oldest first. Reports that are undecided, parked
   * or have an open, relayed or dead task stay, and so do all other reports of their order: if one is decided as `paid`, the tasks
   * of the others show which handlers have run. @returns how many.
   */
  forget(query: { name: string; olderThanMs: number; limit: number }): Promise<number>
}
