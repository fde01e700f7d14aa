import type { CheckedInbox } from '../inbox/checked-inbox.js'
import { RepositoryError } from '../orders/errors.js'
import type { Report, StoredDecision, DecisionRecord } from '../inbox/inbox-reports.js'
import type { NewTask } from '../inbox/inbox-tasks.js'
import type { JoinedTransition } from '../inbox/inbox.js'
import { decide } from '../orders/decide.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import { toPayment, toPaymentFailure, type Order } from '../orders/order.js'
import type { Transition } from '../orders/repository.js'
import type { RuleContext } from '../orders/rules.js'
import { describeTooOld, isOlder, timeOf, TOO_OLD_FIELD } from '../orders/order-age.js'
import { isSamePayment } from '../orders/same-payment.js'
import type { Clock } from '../../shared/clock.js'
import { DECISIONS } from './decision-table.js'
import type { TransferData } from '../orders/payload.js'
import { withRecordedPayment } from './recorded-payment.js'
import { creditTask, nextLookInMs, proofTask } from './next-look.js'
import { acceptedBy, settleAccepted, unlessAccepted } from './accepted-money.js'
import type { EngineParts, Policy, Stores } from './engine-parts.js'
import { judgeLate } from './judge-late.js'
import { linkCredit } from './link-credit.js'
import { completeOrder, type CompletionResult } from './complete-order.js'
import { REPORTS_OF_TRANSACTION, reused } from './paid-elsewhere.js'
import {
  isBadNews,
  isShownByProof,
  isToldByChain,
  ofTrace,
  tellOnce,
  toldByOther,
  type ShownCredit,
} from './tell-once.js'

/** A stored report, and its transfer. */
export interface ReportedFacts {
  report: Report
  transfer: TransferData
  order?: Order | null | undefined
  /** The proof has shown the money of the report, which waits no longer for the chain. */
  shown?: ShownCredit | undefined
}

/** A stored report with its order, as read when the report arrived or later. */
export interface Decidable<O extends Order> extends ReportedFacts {
  order: O | null
}

/** A standing decision, and the decision to record. */
export interface RecordedDecision extends StoredDecision {
  /** The decision of this attempt, as its transition made it. */
  attempted: Decision
}

/**
 * Applies the rules to a stored report, makes the order's transition and records the decision with its tasks. A payment
 * that needs an on-chain proof becomes `verifying`. Safe to repeat after a crash at any point, and to run concurrently in
 * several processes.
 * @returns the decision; `duplicate` when another attempt recorded one first.
 */
export async function decideReport<O extends Order>(
  engine: EngineParts<O>,
  stored: Decidable<O>,
): Promise<Decision> {
  const { stores, policy, runtime } = engine
  // Most deliveries have nothing to wait for here.
  const order =
    stored.order?.status === 'completed'
      ? await withRecordedPayment(stores.inbox, stored.report, stored.order)
      : stored.order
  const decidable = { ...stored, order }
  const concluded =
    decidable.report.reference === ''
      ? await decideUnnamed(stores.inbox, decidable)
      : applyRules(policy, decidable, await lateRuleOf(engine, decidable))
  const decision = needsProof(policy, decidable, concluded)
    ? verifying(runtime.clock, decidable, concluded)
    : concluded
  return asSeen(await recordDecision(engine, decision, decidable), decidable)
}

/**
 * Returns the decision about a transfer that names no order. The watcher may have forgotten how it assigned the transfer to
 * one, for example by its amount.
 */
async function decideUnnamed(
  inbox: CheckedInbox,
  { report: { id, name, reference, txHash } }: ReportedFacts,
): Promise<Decision> {
  const query = { name, txHashes: [txHash], limit: REPORTS_OF_TRANSACTION }
  const reports = await inbox.reports.list(query)
  const other = reports.find((one) => one.source === 'chain' && one.id !== id)
  if (other === undefined) return { kind: 'unknown_order', reference, txHash }
  return { kind: 'duplicate', reference, txHash, first: other.decision?.kind }
}

/** Returns the verdict of the shop's rule about late payments. */
export function lateRuleOf<O extends Order>(
  { policy: { acceptLate }, runtime: { clock } }: EngineParts<O>,
  facts: Decidable<O>,
): ReturnType<typeof judgeLate> | undefined {
  return acceptLate && judgeLate({ acceptLate, clock }, facts)
}

/** Returns the outcome of the rules, without an on-chain proof. */
export function applyRules<O extends Order>(
  { wallets, amounts, rules }: Policy<O>,
  { report, transfer, order }: Decidable<O>,
  lateRule: RuleContext['lateRule'] = formerLateRule(report),
): Decision {
  const { txHash, wasCompletedBefore, source, receivedAtMs } = report
  const accepted = acceptedBy(report)
  const known = { order, transfer, txHash, wasCompletedBefore, source, receivedAtMs }
  const facts = { ...known, lateRule, accepted }
  const decision = decide<O>({ ...facts, wallets, amounts, rules })
  if (decision.kind !== 'paid' || order?.status === 'completed') return decision
  const { decision: former } = report
  // A report that has waited for its proof is late only if the order had expired when it arrived.
  const hasWaited = former?.kind === 'verifying' || former?.kind === 'unverified'
  const isLate = hasWaited ? (former.isLate ?? decision.isLate) : decision.isLate
  const detail = report.source === 'chain' && order ? whyTooOld(order, transfer) : undefined
  if (detail === undefined) return { ...decision, isLate }
  return { kind: 'unverified', ...identify(report), reason: 'older', detail, isLate }
}

/** A report whose payment is being proven, or was, has passed the shop's rule about late payments. */
export function formerLateRule({ decision }: Pick<Report, 'decision'>): RuleContext['lateRule'] {
  return decision?.kind === 'verifying' || decision?.kind === 'paid' ? 'accepted' : undefined
}

/** Returns why a payment that the watcher found is too old for its order, unless the order was dated again since. */
function whyTooOld({ reference, createdAt }: Order, transfer: TransferData): string | undefined {
  if (transfer[TOO_OLD_FIELD] !== true) return undefined
  const utime = Math.floor(Date.parse(transfer.date) / 1000)
  const createdMs = timeOf(createdAt)
  return isOlder({ utime, createdMs })
    ? describeTooOld({ reference, createdMs }, { utime })
    : undefined
}

/**
 * Returns true when a payment must be proven before it counts. An order that this very transfer completed was proven
 * before; only the record is missing, for which a report that waits for its proof is proven again: the record names the
 * message that paid. A report that is `verifying` is not paid without a proof even when proofs are disabled.
 */
export function needsProof<O extends Order>(
  { proof }: Policy<O>,
  { report, order }: Decidable<O>,
  concluded: Decision,
): concluded is DecisionOf<'paid'> {
  if (concluded.kind !== 'paid') return false
  if (proof === undefined && report.decision?.kind !== 'verifying') return false
  if (!hasCompleted(report, order)) return true
  return proof !== undefined && report.source !== 'chain' && isUnproven(report)
}

/** A replayed task proves again what was unverified. */
export function isUnproven({ decision }: Report): boolean {
  return decision?.kind === 'verifying' || decision?.kind === 'unverified'
}

/** Returns true when the order was completed by the transfer of this report. */
export function hasCompleted({ txHash }: Report, order: Order | null): boolean {
  return order?.status === 'completed' && order.payment?.txHash === txHash
}

/** Returns the decision of this attempt; `duplicate` when another one recorded its decision first. */
export function asSeen(
  { isRecorded, attempted, decision }: RecordedDecision,
  { report: { reference, txHash } }: ReportedFacts,
): Decision {
  return isRecorded ? attempted : { kind: 'duplicate', reference, txHash, first: decision.kind }
}

/** The proof's deadline starts when the report first passes the rules, by the process's clock. */
function verifying<O extends Order>(
  clock: Clock,
  { report }: Decidable<O>,
  { isLate }: DecisionOf<'paid'>,
): DecisionOf<'verifying'> {
  const { reference, txHash, decision } = report
  if (decision?.kind === 'verifying') return { ...decision, isLate }
  return { kind: 'verifying', reference, txHash, sinceMs: clock.nowMs(), isLate }
}

/**
 * Makes the transition of a decision (rule 8, or the failure of rule 5), then records the decision with its tasks.
 * @param payments on-chain payments that a completion claims, besides the payments of the report
 */
export async function recordDecision<O extends Order>(
  engine: EngineParts<O>,
  concluded: Decision,
  facts: Decidable<O>,
  payments: readonly string[] = [],
): Promise<RecordedDecision> {
  return settled(
    engine.stores.inbox,
    await transitionAndRecord(engine, { concluded, payments }, facts),
    facts,
  )
}

/**
 * Completes an order with a payment, and records the decision.
 * @returns `undefined`, and records nothing, when the payment has another use.
 */
export async function completeUnlessUsed<O extends Order>(
  engine: EngineParts<O>,
  move: { concluded: DecisionOf<'paid'>; payments: readonly string[] },
  facts: Decidable<O>,
): Promise<RecordedDecision | undefined> {
  const made = await makeCompletion(engine, move, facts)
  if (!isRecordedWith(made) && made.transition === 'reused') return undefined
  return settled(
    engine.stores.inbox,
    await recordCompletion(engine, made, { ...facts, ...move }),
    facts,
  )
}

async function settled(
  inbox: CheckedInbox,
  recorded: RecordedDecision,
  { report }: ReportedFacts,
): Promise<RecordedDecision> {
  const { isRecorded, decision } = recorded
  if (isRecorded && decision.kind === 'paid') await settleAccepted(inbox, decision, report)
  return recorded
}

async function transitionAndRecord<O extends Order>(
  engine: EngineParts<O>,
  { concluded, payments }: { concluded: Decision; payments: readonly string[] },
  facts: Decidable<O>,
): Promise<RecordedDecision> {
  switch (concluded.kind) {
    case 'paid':
      return complete(engine, { concluded, payments }, facts)
    case 'failed':
      return fail(engine, concluded, facts)
    default:
      return record(engine, await linkCredit(engine, concluded, facts), facts)
  }
}

async function complete<O extends Order>(
  engine: EngineParts<O>,
  { concluded, payments }: { concluded: DecisionOf<'paid'>; payments: readonly string[] },
  facts: Decidable<O>,
): Promise<RecordedDecision> {
  const made = await makeCompletion(engine, { concluded, payments }, facts)
  return recordCompletion(engine, made, { ...facts, concluded })
}

async function recordCompletion<O extends Order>(
  engine: EngineParts<O>,
  made: CompletionResult,
  { concluded, ...facts }: Decidable<O> & { concluded: DecisionOf<'paid'> },
): Promise<RecordedDecision> {
  if (isRecordedWith(made)) return { ...made, attempted: concluded }
  const { transition } = made
  const decision =
    transition === 'applied'
      ? concluded
      : await linkCredit(
          engine,
          await reconsider(engine.stores, { transition, concluded }, facts),
          facts,
        )
  return record(engine, decision, facts)
}

function makeCompletion<O extends Order>(
  engine: EngineParts<O>,
  { concluded, payments }: { concluded: DecisionOf<'paid'>; payments: readonly string[] },
  facts: Decidable<O>,
): Promise<CompletionResult> {
  const { report, transfer } = facts
  const received = { ...transfer, rawAmount: concluded.received }
  const payment = toPayment(received, report.txHash, concluded)
  const decision = recordOf(concluded)
  return completeOrder(engine, {
    ...facts,
    key: keyOf(report),
    payment,
    payments,
    record: decision,
  })
}

/**
 * Completes an order with several credits, and records the decision.
 * @returns `undefined`, and records nothing, when one of them has another use, or another payment has completed the order.
 */
export async function completeParts<O extends Order>(
  engine: EngineParts<O>,
  move: { concluded: DecisionOf<'paid'>; payments: readonly string[] },
  facts: Decidable<O>,
): Promise<RecordedDecision | undefined> {
  const { concluded } = move
  const made = await makeCompletion(engine, move, facts)
  if (isRecordedWith(made)) return { ...made, attempted: concluded }
  const { transition } = made
  if (transition === 'applied') return record(engine, concluded, facts)
  if (transition !== 'already-applied') return undefined
  return record(engine, await reconsider(engine.stores, { transition, concluded }, facts), facts)
}

/** Records that a report is a part of the payment that has completed its order. */
export async function recordRepetition<O extends Order>(
  engine: EngineParts<O>,
  facts: Decidable<O>,
): Promise<RecordedDecision> {
  const completedBy = facts.order?.payment?.txHash
  return record(engine, { kind: 'duplicate', ...identify(facts.report), completedBy }, facts)
}

/** Returns the decision about a payment whose order was not completed by it now. */
async function reconsider<O extends Order>(
  { orders, inbox }: Stores<O>,
  attempted: {
    transition: Exclude<JoinedTransition['transition'], 'applied'>
    concluded: DecisionOf<'paid'>
  },
  facts: ReportedFacts,
): Promise<Decision> {
  const { report } = facts
  const { transition, concluded } = attempted
  const readOrder = async (): Promise<O | null> =>
    withRecordedPayment(inbox, report, await orders.find(keyOf(report)))
  switch (transition) {
    // Made since the report arrived, by an attempt that crashed or runs concurrently. The first one that records
    // `paid` schedules the handlers, and their keys are the same.
    case 'already-applied':
      return asCompleted(concluded, await readOrder(), facts)
    case 'not-found':
      return { kind: 'unknown_order', ...identify(report) }
    case 'reused':
      return reused(report, concluded.isLate)
    case 'conflict':
      return explainConflict(await readOrder(), facts, transition)
  }
}

async function fail<O extends Order>(
  engine: EngineParts<O>,
  concluded: DecisionOf<'failed'>,
  facts: ReportedFacts,
): Promise<RecordedDecision> {
  const { orders, joined } = engine.stores
  const { report, transfer } = facts
  const key = keyOf(report)
  const failure = toPaymentFailure(transfer, report.txHash)
  const move = { key, failure, record: recordOf(concluded) }
  const made =
    joined === undefined
      ? { transition: await orders.fail(key, failure) }
      : await joined.failAndDecide(report.id, move)
  if (isRecordedWith(made)) return { ...made, attempted: concluded }
  if (made.transition === 'not-found') {
    return record(engine, { kind: 'unknown_order', ...identify(report) }, facts)
  }
  if (made.transition !== 'conflict') return record(engine, concluded, facts)
  // The order was completed in the meantime: its failure no longer matters.
  const order = await orders.find(key)
  const isCompleted = order?.status === 'completed'
  const decision: Decision = isCompleted ? { kind: 'duplicate', ...identify(report) } : concluded
  return record(engine, decision, facts)
}

function isRecordedWith(
  made: CompletionResult | { transition: Transition },
): made is Extract<JoinedTransition, StoredDecision> {
  return 'isRecorded' in made
}

async function record<O extends Order>(
  engine: EngineParts<O>,
  concluded: Decision,
  facts: ReportedFacts,
): Promise<RecordedDecision> {
  const { inbox } = engine.stores
  const { report } = facts
  const told = await unlessAccepted(inbox, concluded, facts)
  const recordOne = async (decision: Decision): Promise<RecordedDecision> => {
    const standing = await inbox.reports.decide(report.id, {
      decision,
      event: isToldByChain(decision) ? undefined : DECISIONS[decision.kind].event,
      tasks: tasksOf(engine, decision, facts),
      retryInMs: nextLookInMs(report, { decision, nowMs: engine.runtime.clock.nowMs() }),
    })
    if (standing.toldAs === undefined) return { ...standing, attempted: decision }
    return recordOne(toldByOther(report, decision, standing.toldAs))
  }
  const standing = await recordOne(
    isBadNews(told) ? await tellOnce(engine, told, facts) : ofTrace(told, facts),
  )
  const decision = standing.attempted
  // Webhooks that wait for this payment are decided at once.
  if (standing.isRecorded && report.source === 'chain' && isBadNews(decision)) {
    await inbox.reports.orderCreated({ name: report.name, ...keyOf(report) })
  }
  return standing
}

function tasksOf<O extends Order>(
  engine: EngineParts<O>,
  decision: Decision,
  { report, transfer }: ReportedFacts,
): NewTask[] | undefined {
  if (decision.kind === 'verifying') return [proofTask(report, decision)]
  const isByProof = isToldByChain(decision) && report.source !== 'chain'
  return isByProof && isShownByProof(engine, transfer) ? [creditTask(report)] : undefined
}

function recordOf(decision: Decision): DecisionRecord {
  return { decision, event: DECISIONS[decision.kind].event }
}

/** Returns the key of a report's order; `merchant` is always present. */
export function keyOf({ reference, merchant }: Report): { reference: string; merchant: string } {
  return { reference, merchant }
}

function identify({ reference, txHash }: Report): { reference: string; txHash: string } {
  return { reference, txHash }
}

/**
 * Returns the decision with the facts of the order's payment, which another source may have reported. The stored payment
 * must be this one: a repository that calls every completed order `already-applied` would have a second payment shipped.
 */
function asCompleted(
  concluded: DecisionOf<'paid'>,
  order: Order | null,
  facts: ReportedFacts,
): Decision {
  const { txHash } = facts.report
  const isCompleted = order === null || order.status === 'completed'
  if (!isCompleted || (order?.payment?.txHash ?? txHash) !== txHash) {
    return explainConflict(order, facts, 'already-applied')
  }
  const { isLate, source } = order?.payment ?? concluded
  return { ...concluded, isLate, source: source ?? 'webhook' }
}

/** The order moved between the rules and the transition, or the shop had cancelled it. */
function explainConflict(
  order: Order | null,
  { report, transfer }: ReportedFacts,
  transition: Transition,
): Decision {
  const facts = identify(report)
  const money = { received: transfer.rawAmount, asset: transfer.asset }
  if (order === null) return { kind: 'unknown_order', ...facts }
  if (order.status === 'cancelled') return { kind: 'paid_after_cancel', ...facts, ...money }
  if (order.status === 'completed') {
    const { payment } = order
    if (payment && isSamePayment(payment, { ...facts, transfer, source: report.source })) {
      return { kind: 'duplicate', ...facts, completedBy: payment.txHash }
    }
    return { kind: 'extra_payment', ...facts, ...money, completedBy: order.payment?.txHash }
  }
  throw new RepositoryError({
    operation: 'orders.complete',
    problem: `returned ${transition} for the order ${JSON.stringify(report.reference)}, which is ${order.status} and can be completed`,
  })
}
