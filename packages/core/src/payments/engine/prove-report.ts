import type { Report } from '../inbox/inbox-reports.js'
import type { TaskOutcome } from '../inbox/inbox-tasks.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import type { StoredCredit } from '../inbox/inbox-credits.js'
import type { VerifiedPayment } from '../ledger/payment-verifier.js'
import { isOpen, orderId, type Order } from '../orders/order.js'
import type { Unproven } from '../orders/unproven.js'
import { backoffDelay } from '../../shared/timers.js'
import { askProof } from './ask-proof.js'
import { applyRules, hasCompleted, isUnproven, needsProof, type Decidable } from './apply-rules.js'
import {
  asSeen,
  completeUnlessUsed,
  recordDecision,
  type RecordedDecision,
} from './decide-report.js'
import { readStoredTransfer } from '../orders/payload.js'
import type { ProvingParts, Runtime } from './engine-parts.js'
import { checkLateRefunds } from './late-refunds.js'
import { withRecordedPayment } from './recorded-payment.js'
import { storeProven } from './proven-credits.js'
import { candidatesOf, claimedOf, claimsOf, namesOther } from './payable-credits.js'
import { creditsOf, isUseOf, usedAmountOf, keyOf } from './report.js'
import { reportCredits, reportEqual } from './show-credits.js'
import type { RunnableTask } from './run-task.js'
import { LONGEST_WAIT_MS } from './bad-news.js'

const PROOF_BACKOFF = { minDelayMs: 2000, maxDelayMs: 300_000 }

/**
 * Looks once for the payment of a report that is `verifying`. Proven, the order's transition is made; refuted, the report is
 * `unverified`; otherwise the task is retried until the proof's deadline. A payment that is not settled by then leaves a
 * dead task: replaying it looks once more, and a proof that is found then still pays.
 */
export async function proveReport<O extends Order>(
  engine: ProvingParts<O>,
  { task, report }: { task: RunnableTask; report: Report },
  signal: AbortSignal,
): Promise<TaskOutcome> {
  if (!isUnproven(report)) return reportLeft(engine, { task, report }, signal)
  const { facts, concluded } = await readFacts(engine, report)
  const { order } = facts
  if (order === null || !needsProof(engine.policy, facts, concluded)) {
    const outcome = await conclude(engine, concluded, facts)
    return outcome.kind === 'done' ? reportLeft(engine, { task, report }, signal) : outcome
  }
  const lookedAtMs = engine.runtime.clock.nowMs()
  const claim = {
    transfer: facts.transfer,
    order: report.source === 'operator' ? unbound(order) : order,
  }
  const verdict = await askProof(engine, claim, signal)
  const looked = { task, facts, concluded, lookedAtMs }
  if (verdict.kind !== 'verified') {
    const outcome = await whenUnproven(engine, { ...looked, verdict })
    const isOver = outcome.kind === 'done' && hasCompleted(report, order)
    return isOver ? reportLeft(engine, { task, report }, signal) : outcome
  }
  const { outcome, left } = await inTurn(engine.stores.inbox, orderId(report), () =>
    concludeProven(engine, looked, verdict.payments),
  )
  // Not before: another of two equal payments must not pay the order while this one has claimed its money.
  await reportOthers(engine, report, left)
  return outcome
}

/** @returns the task's outcome, and the payments that have not paid the order. */
async function concludeProven<O extends Order>(
  engine: ProvingParts<O>,
  looked: Omit<Unsettled<O>, 'verdict'>,
  all: readonly VerifiedPayment[],
): Promise<{ outcome: TaskOutcome; left: readonly VerifiedPayment[] }> {
  const { report } = looked.facts
  const stored = await storeProven(engine, looked.facts, all)
  // Another report may have paid the order during the look.
  const isClaimed = claimedOf(report, stored, all).length > 0
  const { facts, concluded } = isClaimed ? await readFacts(engine, report) : looked
  const { order } = facts
  if (order === null || !needsProof(engine.policy, facts, concluded)) {
    return { outcome: await conclude(engine, concluded, facts), left: all }
  }
  const candidates = order.status === 'cancelled' ? all : candidatesOf(report, stored, all)
  for (const payment of candidates ?? []) {
    const own = stored.filter(({ id }) => payment.credits.includes(id))
    if (namesOther(own, report)) continue
    const payments = claimsOf(payment, { report, order, stored: own })
    // Any other payment that completes nothing may be that of the order: its credit decides.
    const isOver = order.status === 'cancelled' && !engine.runtime.isWatched()
    const shown = isOver ? { credit: creditsOf({ payments })[0] } : undefined
    const move = { concluded: paidBy(concluded, payment), payments }
    if (all.length > 1 && !(await claimAlone(engine, { report, order, ...move }, stored))) {
      const now = await engine.stores.inbox.credits.find({ ids: stored.map(({ id }) => id) })
      const isLater = !isClaimed && claimedOf(report, now, all).length > 0
      if (isLater) return concludeProven(engine, looked, all)
      continue
    }
    const recorded = await completeUnlessUsed(engine, move, { ...facts, shown })
    if (recorded === undefined) continue
    const { isPaid, outcome } = announceConclusion(engine.runtime, recorded, facts)
    return { outcome, left: isPaid ? all.filter((other) => other !== payment) : all }
  }
  const verdict = candidates === undefined ? WAITING : reusedBy(all)
  return {
    outcome: await whenUnproven(engine, { ...looked, facts, concluded, verdict }),
    left: hasCompleted(report, order) ? all : [],
  }
}

/** Reads the order of a report, and applies the rules. */
async function readFacts<O extends Order>(
  engine: ProvingParts<O>,
  report: Report,
): Promise<{ facts: Decidable<O>; concluded: Decision }> {
  const found = await engine.stores.orders.find(keyOf(report))
  const order = await withRecordedPayment(engine.stores.inbox, report, found)
  const facts = { report, transfer: readStoredTransfer(report.rawBody), order }
  return { facts, concluded: applyRules(engine.policy, facts) }
}

/**
 * Reports the credits of a decided report whose process may have crashed before it did: the payer may have paid twice in one
 * trace.
 */
async function reportLeft<O extends Order>(
  engine: ProvingParts<O>,
  { task, report }: { task: RunnableTask; report: Report },
  signal: AbortSignal,
): Promise<TaskOutcome> {
  if (task.attempt === 1 || !mayReport(engine.runtime, report)) return { kind: 'done' }
  const order = await engine.stores.orders.find(keyOf(report))
  if (order === null) return { kind: 'done' }
  const claim = { transfer: readStoredTransfer(report.rawBody), order }
  const verdict = await askProof(engine, claim, signal)
  if (verdict.kind === 'verified') {
    await storeProven(engine, { report, order }, verdict.payments)
    await reportOthers(engine, report, verdict.payments)
  }
  const isOver = engine.runtime.clock.nowMs() - report.receivedAtMs >= LONGEST_WAIT_MS
  if (verdict.kind !== 'pending' || verdict.reason === 'not_asked' || isOver) {
    return { kind: 'done' }
  }
  const retryInMs = backoffDelay(PROOF_BACKOFF, task.attempt)
  return { kind: 'retry', retryInMs, error: `${verdict.reason}: ${verdict.detail}` }
}

/** Reports the credits of proven payments, except the credits of the payment that has completed the order. */
async function reportOthers<O extends Order>(
  engine: ProvingParts<O>,
  report: Report,
  payments: readonly VerifiedPayment[],
): Promise<void> {
  if (payments.length === 0 || !mayReport(engine.runtime, report)) return
  const ids = payments.flatMap(({ credits }) => credits)
  const credits = await engine.stores.inbox.credits.find({ ids })
  if (credits.length === 0) return
  const order = await engine.stores.orders.find(keyOf(report))
  const completedBy = order?.payment?.txHash
  const stored = credits.filter(
    ({ uses }) =>
      completedBy === undefined ||
      !uses.some((use) => isUseOf(report, use) && use.payment === completedBy),
  )
  await reportCredits(engine, { report, stored }, payments)
  await reportEqual(engine, { report, stored }, payments)
}

/** A watcher reports the credits of its wallets itself. */
function mayReport({ isWatched }: Runtime, { source }: Report): boolean {
  return source !== 'chain' && !isWatched()
}

async function conclude<O extends Order>(
  engine: ProvingParts<O>,
  decision: Decision,
  facts: Decidable<O>,
): Promise<TaskOutcome> {
  const recorded = await recordDecision(engine, decision, facts)
  return announceConclusion(engine.runtime, recorded, facts).outcome
}

/** @returns whether the report has paid its order, and the task's outcome: dead where an operator must handle the money. */
function announceConclusion<O extends Order>(
  { announce, logger }: Runtime,
  recorded: RecordedDecision,
  facts: Decidable<O>,
): { isPaid: boolean; outcome: TaskOutcome } {
  announce(asSeen(recorded, facts), facts.transfer, facts.report)
  const isPaid = recorded.isRecorded && recorded.decision.kind === 'paid'
  if (!isLeftUnverified(recorded)) return { isPaid, outcome: { kind: 'done' } }
  const { reference, txHash } = facts.report
  const { kind } = recorded.attempted
  logger.error('replayed proof came too late for its order', { reference, txHash, kind })
  const error = `the rules now say ${kind}, so the payment no longer pays the order. The report stays unverified; handle the money manually`
  return { isPaid, outcome: { kind: 'dead', error } }
}

/** An unverified report takes no other decision than `paid`. */
function isLeftUnverified({ isRecorded, decision, attempted }: RecordedDecision): boolean {
  if (isRecorded || decision.kind !== 'unverified') return false
  return attempted.kind !== 'unverified' && attempted.kind !== 'duplicate'
}

/** The last claim of each order, by the inbox of a Payments. */
const turns = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * Runs the claims of one order one after the other in this process, so that reports of equal payments seldom meet.
 * Reports in other processes meet at {@link claimAlone}, where the loser looks at the chain again, seconds later.
 */
async function inTurn<T>(inbox: object, order: string, run: () => Promise<T>): Promise<T> {
  const ofInbox = turns.get(inbox) ?? new Map<string, Promise<unknown>>()
  turns.set(inbox, ofInbox)
  const turn = (ofInbox.get(order) ?? Promise.resolve()).then(run)
  const end = turn.catch(() => undefined)
  ofInbox.set(order, end)
  try {
    return await turn
  } finally {
    if (ofInbox.get(order) === end) ofInbox.delete(order)
  }
}

/**
 * Claims one of several equal payments for an order in another store, before it is completed: while one is claimed by the name
 * of their trace, another report claims no other one. An operator has chosen one.
 * @returns false when the payment has another use, or the order has claimed another one.
 * @throws {RepositoryError} when the inbox fails; what API v3 throws when it cannot show whether a released refund was sent.
 */
async function claimAlone<O extends Order>(
  engine: ProvingParts<O>,
  given: { report: Report; order: O; concluded: DecisionOf<'paid'>; payments: readonly string[] },
  [credit]: readonly StoredCredit[],
): Promise<boolean> {
  const { inbox, joined } = engine.stores
  const { claimLateRefunds } = engine.runtime
  const { report, order, concluded, payments } = given
  const isChosen = report.source === 'operator'
  if (joined !== undefined || credit === undefined || !isOpen(order) || isChosen) return true
  await checkLateRefunds({ inbox, claimLateRefunds }, creditsOf({ payments }))
  const { received, surplus } = concluded
  const usedAmount = usedAmountOf({ rawAmount: BigInt(received), surplus })
  const claim = { name: report.name, ...keyOf(report), payments, usedAmount }
  return inbox.credits.claim({ ...claim, payment: credit.traceId })
}

/** The order has claimed an equal payment of the trace, and is about to be completed with it. */
const WAITING = {
  kind: 'pending',
  reason: 'incomplete',
  detail: 'the order has claimed an equal payment of the same trace',
} as const

function reusedBy([payment]: readonly VerifiedPayment[]): Unproven {
  const detail = `the money of the message ${payment?.message} has paid another order, or names another order`
  return { kind: 'contradicted', reason: 'reused', detail }
}

/** The operator assigns the payment to the order, so neither its body nor its age has to. */
function unbound(order: Order): Order {
  return { ...order, bodyBase64Hash: undefined, createdAt: undefined }
}

interface Unsettled<O extends Order> {
  task: RunnableTask
  facts: Decidable<O>
  concluded: DecisionOf<'paid'>
  verdict: Extract<Unproven, { kind: 'pending' }>
  lookedAtMs: number
}

async function whenUnproven<O extends Order>(
  engine: ProvingParts<O>,
  { verdict, ...looked }: Omit<Unsettled<O>, 'verdict'> & { verdict: Unproven },
): Promise<TaskOutcome> {
  if (verdict.kind === 'pending') return whenUnsettled(engine, { ...looked, verdict })
  const { facts, concluded } = looked
  return conclude(engine, unverified(concluded, { verdict, facts }), facts)
}

/** The first attempt may be late because the servers were down: it is not the last one then. */
async function whenUnsettled<O extends Order>(
  engine: ProvingParts<O>,
  { task, facts, concluded, verdict, lookedAtMs }: Unsettled<O>,
): Promise<TaskOutcome> {
  const { proof } = engine.policy
  const { clock, logger } = engine.runtime
  const { id, reference, txHash, decision } = facts.report
  const current = await engine.stores.inbox.reports.find(id)
  // Decided otherwise during the look.
  if (current === null || !isUnproven(current)) return { kind: 'done' }
  const { reason, detail } = verdict
  const error = `${reason}: ${detail}`
  const waiting = decision?.kind === 'verifying' ? decision : undefined
  // A task's attempts include attempts of processes that ended before they looked.
  const looks = waiting === undefined ? task.attempt : (waiting.looks ?? 0) + 1
  const endMs = waiting === undefined ? -Infinity : waiting.sinceMs + proof.deadlineMs
  const isLate = lookedAtMs >= endMs
  if (isLate && looks > 1) {
    const recorded = await recordDecision(engine, unverified(concluded, { verdict, facts }), facts)
    engine.runtime.announce(asSeen(recorded, facts), facts.transfer, facts.report)
    // Without a dead letter when another decision was recorded in the meantime.
    return recorded.decision.kind === 'unverified' ? { kind: 'dead', error } : { kind: 'done' }
  }
  if (waiting !== undefined) await recordDecision(engine, { ...waiting, looks }, facts)
  // An index that is a little behind is normal.
  const level = reason === 'unreachable' ? 'warn' : 'debug'
  logger[level]('payment not proven yet', { reference, txHash, reason, detail })
  const delayMs = backoffDelay(PROOF_BACKOFF, looks)
  const leftMs = isLate ? Infinity : Math.max(0, endMs - clock.nowMs())
  return { kind: 'retry', retryInMs: Math.min(delayMs, leftMs), error }
}

function paidBy(
  concluded: DecisionOf<'paid'>,
  { message, amount }: VerifiedPayment,
): DecisionOf<'paid'> {
  return { ...concluded, proof: { message, credited: amount.toString() } }
}

/** An order that the report has completed stays paid: it was proven then, or by another report. */
function unverified<O extends Order>(
  concluded: DecisionOf<'paid'>,
  { verdict, facts }: { verdict: Unproven; facts: Decidable<O> },
): Decision {
  if (hasCompleted(facts.report, facts.order)) return concluded
  const { reference, txHash, isLate } = concluded
  const { reason, detail } = verdict
  return { kind: 'unverified', reference, txHash, reason, detail, isLate }
}
