import type { Report, TaskOutcome } from '../inbox/inbox.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import type { StoredCredit } from '../inbox/inbox-credits.js'
import type { PaymentVerifier, VerifiedPayment } from '../ledger/payment-verifier.js'
import { orderId, type Order } from '../orders/order.js'
import type { Unproven } from '../orders/unproven.js'
import type { Logger } from '../../shared/logger.js'
import { backoffDelay } from '../../shared/timers.js'
import { askProof } from './ask-proof.js'
import {
  applyRules,
  asSeen,
  keyOf,
  needsProof,
  recordDecision,
  type Decidable,
  type RecordedDecision,
} from './decide-report.js'
import { readStoredTransfer } from '../orders/payload.js'
import { withRecordedPayment } from './recorded-payment.js'
import { storeProven } from './proven-credits.js'
import { creditsOf, paymentClaims, usedAmountOf } from './report.js'
import { reportCredits } from './show-credits.js'
import type { RunnableTask } from './run-task.js'
import type { SubmitOptions } from './submit.js'

const PROOF_BACKOFF = { minDelayMs: 2000, maxDelayMs: 300_000 }

/** Deciding, and the proof. */
export interface ProveOptions<O extends Order> extends SubmitOptions<O> {
  proof: PaymentVerifier
  logger: Logger
}

/**
 * Looks once for the payment of a report that is `verifying`. Proven, the order's transition is made; refuted, the report is
 * `unverified`; otherwise the task is retried until the proof's deadline. A payment that is not settled by then leaves a
 * dead task: replaying it looks once more, and a proof that is found then still pays.
 */
export async function proveReport<O extends Order>(
  options: ProveOptions<O>,
  { task, report }: { task: RunnableTask; report: Report },
  signal: AbortSignal,
): Promise<TaskOutcome> {
  if (!isUnproven(report)) return { kind: 'done' }
  const found = await options.orders.find(keyOf(report))
  const order = await withRecordedPayment(options.inbox, report, found)
  const facts = { report, transfer: readStoredTransfer(report.rawBody), order }
  const concluded = applyRules(options, facts)
  if (order === null || !needsProof(options, facts, concluded)) {
    return conclude(options, concluded, { facts })
  }
  const lookedAtMs = options.clock.nowMs()
  const verdict = await prove(options, { ...facts, order, concluded }, signal)
  switch (verdict.kind) {
    case 'pending':
      return whenUnsettled(options, { task, facts, concluded, verdict, lookedAtMs })
    case 'contradicted':
      return conclude(options, unverified(concluded, verdict), { facts })
    case 'verified': {
      const { payment, claims: payments, others, stored } = verdict
      // Stored before, so that a crash loses none of them: the payer may have paid twice in one trace.
      const isAlone = report.source !== 'chain' && !options.isWatched()
      const more = isAlone ? await reportCredits(options, { report, stored }, others) : []
      // Any other payment that completes nothing may be that of the order: its credit decides.
      const isOver = order.status === 'cancelled' && !options.isWatched()
      const shown = isOver ? { credit: creditsOf({ payments })[0] } : undefined
      const decision = paidBy(concluded, payment)
      const outcome = await conclude({ ...options, shown }, decision, { facts, payments })
      for (const one of more) await one.decide()
      return outcome
    }
  }
}

/** A replayed task proves again what was unverified. */
function isUnproven({ decision }: Report): boolean {
  return decision?.kind === 'verifying' || decision?.kind === 'unverified'
}

interface Conclusion<O extends Order> {
  facts: Decidable<O>
  payments?: readonly string[]
}

/** @returns the task's outcome: dead where an operator must handle the money. */
async function conclude<O extends Order>(
  options: ProveOptions<O>,
  decision: Decision,
  { facts, payments = [] }: Conclusion<O>,
): Promise<TaskOutcome> {
  const recorded = await recordDecision(options, decision, facts, payments)
  options.announce(asSeen(recorded, facts), facts.transfer, facts.report)
  if (!isLeftUnverified(recorded)) return { kind: 'done' }
  const { reference, txHash } = facts.report
  const { kind } = recorded.attempted
  options.logger.error('replayed proof came too late for its order', { reference, txHash, kind })
  const error = `the rules now say ${kind}, so the payment no longer pays the order. The report stays unverified; handle the money manually`
  return { kind: 'dead', error }
}

/** An unverified report takes no other decision than `paid`. */
function isLeftUnverified({ isRecorded, decision, attempted }: RecordedDecision): boolean {
  if (isRecorded || decision.kind !== 'unverified') return false
  return attempted.kind !== 'unverified' && attempted.kind !== 'duplicate'
}

interface Provable<O extends Order> extends Decidable<O> {
  order: O
  concluded: DecisionOf<'paid'>
}

/** A proven payment that may pay the order, and the claims on it. */
interface ProvenPayment {
  kind: 'verified'
  payment: VerifiedPayment
  claims: string[]
  /** Equal payments of the trace. */
  others: VerifiedPayment[]
  stored: readonly StoredCredit[]
}

/**
 * Returns the proof's verdict, with the first payment that is free to pay this order. All credits that the proof has shown are
 * stored before: they have arrived, even for an order that cannot be completed.
 */
async function prove<O extends Order>(
  options: ProveOptions<O>,
  { report, transfer, order, concluded }: Provable<O>,
  signal: AbortSignal,
): Promise<ProvenPayment | Unproven> {
  const claim = { transfer, order: report.source === 'operator' ? unbound(order) : order }
  const verdict = await askProof(options, claim, signal)
  if (verdict.kind !== 'verified') return verdict
  const facts = { report, order }
  const stored = await storeProven(options, facts, verdict.payments)
  const { received, surplus } = concluded
  const usedAmount = usedAmountOf({ rawAmount: BigInt(received), surplus })
  for (const payment of verdict.payments) {
    const own = stored.filter(({ id }) => payment.credits.includes(id))
    if (namesOther(own, report)) continue
    const claims = claimsOf(payment, { ...facts, stored: own })
    // A claim is permanent: none is made for an order that cannot be completed.
    const others = verdict.payments.filter((other) => other !== payment)
    const proven = { kind: 'verified', payment, claims, others, stored } as const
    if (order.status === 'cancelled') return proven
    const wanted = { name: report.name, ...keyOf(report), payments: claims, usedAmount }
    if (await options.inbox.credits.claim(wanted)) return proven
  }
  const detail = `the money of the message ${verdict.payments[0].message} has paid another order, or names one`
  return { kind: 'contradicted', reason: 'reused', detail }
}

/** Returns true for a webhook about money that names another order. An operator decides otherwise. */
function namesOther(credits: readonly StoredCredit[], report: Report): boolean {
  const isReported = report.source === 'webhook' || report.source === 'gateway'
  return isReported && credits.some(({ order }) => order && orderId(order) !== orderId(report))
}

/**
 * Returns the claims on a proven payment. Unless the order's body hash or the credits bind it to the order, a merchant's
 * webhook alone says which payment is meant: it must not take a credit from another merchant of the same wallet.
 */
function claimsOf(
  { credits, transactions }: VerifiedPayment,
  { report, order, stored }: { report: Report; order: Order; stored: readonly StoredCredit[] },
): string[] {
  const { merchant, source } = report
  const isNamed =
    stored.length === credits.length &&
    stored.every((credit) => credit.order && orderId(credit.order) === orderId(report))
  const isBound = source === 'chain' || source === 'operator' || Boolean(order.bodyBase64Hash)
  const isTrusted = merchant === '' || isBound || isNamed
  const claims = paymentClaims({ credits: isTrusted ? credits : [], transactions })
  return isTrusted ? claims : [...credits, ...claims]
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

/** The first attempt may be late because the servers were down: it is not the last one then. */
async function whenUnsettled<O extends Order>(
  options: ProveOptions<O>,
  { task, facts, concluded, verdict, lookedAtMs }: Unsettled<O>,
): Promise<TaskOutcome> {
  const { proof, clock, logger, inbox } = options
  const { id, reference, txHash, decision } = facts.report
  const current = await inbox.reports.find(id)
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
    const recorded = await recordDecision(options, unverified(concluded, verdict), facts)
    options.announce(asSeen(recorded, facts), facts.transfer, facts.report)
    // Without a dead letter when another decision was recorded in the meantime.
    return recorded.decision.kind === 'unverified' ? { kind: 'dead', error } : { kind: 'done' }
  }
  if (waiting !== undefined) await recordDecision(options, { ...waiting, looks }, facts)
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

function unverified(
  { reference, txHash, isLate }: DecisionOf<'paid'>,
  { reason, detail }: Unproven,
): Decision {
  return { kind: 'unverified', reference, txHash, reason, detail, isLate }
}
