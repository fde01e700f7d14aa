import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { DecisionRecord, Report, StoredDecision } from '../inbox/inbox-reports.js'
import type { NewTask } from '../inbox/inbox-tasks.js'
import type { JoinedTransition } from '../inbox/inbox.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import { toPayment, toPaymentFailure, type Order } from '../orders/order.js'
import { readTransactionHash } from '../orders/transaction-hash.js'
import type { Transition } from '../orders/repository.js'
import type { Clock } from '../../shared/clock.js'
import { DECISIONS } from './decision-table.js'
import { withRecordedPayment } from './recorded-payment.js'
import { creditTask, nextLookInMs, proofTask } from './next-look.js'
import {
  applyRules,
  lateRuleOf,
  needsProof,
  type Decidable,
  type ReportedFacts,
} from './apply-rules.js'
import { settleAccepted, unlessAccepted } from './accepted-money.js'
import type { EngineParts } from './engine-parts.js'
import { settleLostUses, takeOverParts } from './end-lost-uses.js'
import { linkAssigned } from './link-assigned.js'
import { linkCredit, unlessOtherCredit } from './link-credit.js'
import { namedHashes } from './link-report.js'
import { reconsider } from './lost-transition.js'
import { identify, keyOf } from './report.js'
import { completeOrder, type CompletionResult } from './complete-order.js'
import { logContested } from './paid-elsewhere.js'
import { ofTrace, tellOnce, toldByOther } from './tell-once.js'
import { isShownByProof } from './shown-money.js'
import { isBadNews, isToldByChain } from './bad-news.js'

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
 * one, for example by its amount, or to which merchant it reported the money.
 */
async function decideUnnamed(inbox: CheckedInbox, { report }: ReportedFacts): Promise<Decision> {
  const { name, reference, txHash } = report
  const reports = await allReports(inbox.reports, { name, txHashes: [txHash] })
  const other = reports.find((one) => one.source === 'chain' && repeats(report, one))
  if (other === undefined) return { kind: 'unknown_order', reference, txHash }
  return { kind: 'duplicate', reference, txHash, first: other.decision?.kind }
}

/** Returns true when the other report reports the money of both: an order's, one that has reported it, or else the older one. */
function repeats(report: Report, other: Report): boolean {
  if (other.id === report.id) return false
  const { reference, decision } = other
  if (reference !== '') return true
  if (decision === undefined) return isOlder(other, report)
  if (decision.kind !== 'duplicate') return true
  return decision.first !== undefined && decision.first !== 'duplicate'
}

function isOlder(one: Report, other: Report): boolean {
  const laterMs = other.receivedAtMs - one.receivedAtMs
  return laterMs === 0 ? one.id < other.id : laterMs > 0
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
  const recorded = await transitionAndRecord(engine, { concluded, payments }, facts)
  return settled(engine, recorded, facts)
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
  return settled(engine, await recordCompletion(engine, made, { ...facts, ...move }), facts)
}

async function settled<O extends Order>(
  { stores }: EngineParts<O>,
  recorded: RecordedDecision,
  facts: Decidable<O>,
): Promise<RecordedDecision> {
  const { isRecorded, decision } = recorded
  if (!isRecorded || decision.kind !== 'paid') return recorded
  await settleAccepted(stores.inbox, decision, facts.report)
  await linkStored(stores, decision, facts)
  return recorded
}

/**
 * Links stored credits to a payment that names none: a watcher that stores them at this moment either finds the decision, or has
 * stored them before this look. A webhook that completes its order together with its decision has looked then.
 */
async function linkStored<O extends Order>(
  { inbox, joined }: EngineParts<O>['stores'],
  { accepted = [] }: DecisionOf<'paid'>,
  facts: Decidable<O>,
): Promise<void> {
  const { source } = facts.report
  if (source === 'chain' || (source !== 'operator' && joined !== undefined)) return
  const named = accepted.flatMap(({ txHash, traceId }) => [txHash, traceId])
  const hashes = [...namedHashes(facts), ...named].flatMap(
    (hash) => readTransactionHash(hash) ?? [],
  )
  const credits = await inbox.credits.find({ hashes: [...new Set(hashes)] })
  await linkAssigned(inbox, { credits, transactions: [] })
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
      return record(engine, await linked(engine, concluded, facts), facts)
  }
}

async function complete<O extends Order>(
  engine: EngineParts<O>,
  { concluded, payments }: { concluded: DecisionOf<'paid'>; payments: readonly string[] },
  facts: Decidable<O>,
): Promise<RecordedDecision> {
  const made = await makeCompletion(engine, { concluded, payments }, facts)
  const recorded = await recordCompletion(engine, made, { ...facts, concluded })
  if (made.linked !== undefined && recorded.decision.kind === 'paid') {
    await logContested(engine.stores.inbox, [made.linked], engine.runtime.logger)
  }
  return recorded
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
      : await linked(
          engine,
          await reconsider(engine.stores, { transition, concluded }, facts),
          facts,
        )
  return record(engine, decision, facts)
}

async function linked<O extends Order>(
  engine: EngineParts<O>,
  concluded: Decision,
  facts: Decidable<O>,
): Promise<Decision> {
  const compared = await unlessOtherCredit(engine.stores, concluded, facts)
  const decision = await linkCredit(engine, compared, facts)
  return settleLostUses(engine.stores, decision, facts)
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
  await takeOverParts(engine.stores, facts)
  return record(engine, { kind: 'duplicate', ...identify(facts.report), completedBy }, facts)
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
