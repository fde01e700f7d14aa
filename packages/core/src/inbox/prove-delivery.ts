import type { Decision, PaidDecision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { PaymentProof } from '../proof/payment-proof.js'
import type { ProofVerdict, ProvenPayment } from '../proof/verdict.js'
import type { Logger } from '../runtime/logger.js'
import { askProof } from './ask-proof.js'
import { claimCredits } from './claim-credits.js'
import {
  applyRules,
  needsProof,
  settledAs,
  settleDecision,
  type Deliverable,
  type SettledDecision,
} from './deliver.js'
import type { Delivery, HandlerOutcome, HandlerTask, Inbox } from './inbox.js'
import { readTransfer } from './run-handler.js'
import type { SettleOptions } from './settle.js'

const FIRST_DELAY_MS = 2000
const LONGEST_DELAY_MS = 300_000

/** What proving needs, besides what deciding does. */
export interface ProveOptions<O extends Order> extends SettleOptions<O> {
  proof: PaymentProof
  claimPayment: NonNullable<Inbox['claimPayment']>
  logger: Logger
}

/**
 * Looks once for the payment of a delivery that is `verifying`. Proven, the delivery goes on to the order's transition;
 * refuted, it is `unverified`; otherwise the task is tried again until the proof's deadline. What was not settled by then
 * is a dead task: to replay it is to look once more, and a proof that is found then still pays.
 */
export async function proveDelivery<O extends Order>(
  options: ProveOptions<O>,
  task: HandlerTask,
  signal: AbortSignal,
): Promise<HandlerOutcome> {
  const delivery = await options.inbox.find(task.deliveryId)
  if (delivery === null || !isUnproven(delivery)) return { kind: 'done' }
  const { reference, signedWith } = delivery
  const order = await options.orders.findByReference(reference, { signedWith })
  const facts = { delivery, transfer: readTransfer(delivery), order }
  const concluded = applyRules(options, facts)
  if (order === null || !needsProof(options, facts, concluded)) {
    return conclude(options, concluded, facts)
  }
  const lookedAtMs = options.clock.nowMs()
  const verdict = await prove(options, { ...facts, order }, signal)
  if (verdict.kind === 'unsettled') {
    return whenUnsettled(options, { task, facts, concluded, verdict, lookedAtMs })
  }
  const decision =
    verdict.kind === 'proven'
      ? paidBy(concluded, verdict.payments[0])
      : unverified(concluded, verdict)
  return conclude(options, decision, facts)
}

/** A replayed task looks again at what was given up. */
function isUnproven({ decision }: Delivery): boolean {
  return decision?.kind === 'verifying' || decision?.kind === 'unverified'
}

/** @returns how the task ends: dead where somebody has to see to the money. */
async function conclude<O extends Order>(
  options: ProveOptions<O>,
  decision: Decision,
  facts: Deliverable<O>,
): Promise<HandlerOutcome> {
  const settled = await settleAnnounced(options, decision, facts)
  if (!isLeftUnverified(settled)) return { kind: 'done' }
  const { reference, txHash } = facts.delivery
  const { kind } = settled.verdict
  options.logger.error('a replayed proof came too late for its order', { reference, txHash, kind })
  const error = `the order is not paid by it any more: the rules say ${kind} by now. The delivery stays unverified; see to the money by hand`
  return { kind: 'dead', error }
}

async function settleAnnounced<O extends Order>(
  options: ProveOptions<O>,
  decision: Decision,
  facts: Deliverable<O>,
): Promise<SettledDecision> {
  const settled = await settleDecision(options, decision, facts)
  options.announce(settledAs(settled, facts), facts.transfer, facts.delivery.id)
  return settled
}

/** What was given up before takes no other decision than `paid`. */
function isLeftUnverified({ isRecorded, decision, verdict }: SettledDecision): boolean {
  if (isRecorded || decision.kind !== 'unverified') return false
  return verdict.kind !== 'unverified' && verdict.kind !== 'duplicate'
}

/** What the chain says, and whether the payment is free to pay this order. */
async function prove<O extends Order>(
  options: ProveOptions<O>,
  { transfer, order }: Deliverable<O> & { order: O },
  signal: AbortSignal,
): Promise<ProofVerdict> {
  const verdict = await askProof(options, { transfer, order }, signal)
  if (verdict.kind !== 'proven') return verdict
  const claimant = { receiver: options.name, reference: order.reference }
  for (const payment of verdict.payments) {
    const isFree = await claimCredits(options, payment.credits, claimant)
    if (isFree) return { kind: 'proven', payments: [payment] }
  }
  const detail = `the money of the message ${verdict.payments[0].message} has paid another order`
  return { kind: 'refuted', reason: 'reused', detail }
}

interface Unsettled<O extends Order> {
  task: HandlerTask
  facts: Deliverable<O>
  concluded: PaidDecision
  verdict: Extract<ProofVerdict, { kind: 'unsettled' }>
  lookedAtMs: number
}

/** The first look may be late, since the servers were away: one that shows nothing then is not the last word. */
async function whenUnsettled<O extends Order>(
  options: ProveOptions<O>,
  { task, facts, concluded, verdict, lookedAtMs }: Unsettled<O>,
): Promise<HandlerOutcome> {
  const { proof, clock, logger } = options
  const { reference, txHash, decision } = facts.delivery
  const { reason, detail } = verdict
  const error = `${reason}: ${detail}`
  const waiting = decision?.kind === 'verifying' ? decision : undefined
  // Attempts count those of processes that ended before they looked, too.
  const looks = waiting === undefined ? task.attempt : (waiting.looks ?? 0) + 1
  const endMs = waiting === undefined ? -Infinity : waiting.sinceMs + proof.deadlineMs
  const isLate = lookedAtMs >= endMs
  if (isLate && looks > 1) {
    const settled = await settleAnnounced(options, unverified(concluded, verdict), facts)
    // Something else may have been decided while this looked: then nobody has to see to it.
    return settled.decision.kind === 'unverified' ? { kind: 'dead', error } : { kind: 'done' }
  }
  if (waiting !== undefined) await settleDecision(options, { ...waiting, looks }, facts)
  // That the index is a little behind is nothing unusual.
  const level = reason === 'unreachable' ? 'warn' : 'debug'
  logger[level]('a payment is not proven yet', { reference, txHash, reason, detail })
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (looks - 1), LONGEST_DELAY_MS)
  const nextMs = clock.nowMs() + delayMs
  return { kind: 'retry', retryAtMs: isLate ? nextMs : Math.min(nextMs, endMs), error }
}

function paidBy(concluded: PaidDecision, { message, amount }: ProvenPayment): PaidDecision {
  return { ...concluded, proof: { message, credited: amount.toString() } }
}

function unverified(
  { reference, txHash, late }: PaidDecision,
  { reason, detail }: Exclude<ProofVerdict, { kind: 'proven' }>,
): Decision {
  return { kind: 'unverified', reference, txHash, reason, detail, late }
}
