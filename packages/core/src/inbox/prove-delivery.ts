import type { Decision, PaidDecision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { PaymentProof } from '../proof/payment-proof.js'
import type { ProofVerdict, ProvenPayment } from '../proof/verdict.js'
import { errorFacts } from '../runtime/error-facts.js'
import type { Logger } from '../runtime/logger.js'
import { claimCredits } from './claim-credits.js'
import { applyRules, needsProof, settleDecision, type Deliverable } from './deliver.js'
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
    await conclude(options, concluded, facts)
    return { kind: 'done' }
  }
  const verdict = await prove(options, { ...facts, order }, signal)
  if (verdict.kind === 'unsettled') {
    const outcome = whenUnsettled(options, { task, delivery, verdict })
    if (outcome.kind === 'dead') await conclude(options, unverified(delivery, verdict), facts)
    return outcome
  }
  const decision =
    verdict.kind === 'proven'
      ? paidBy(concluded, verdict.payments[0])
      : unverified(delivery, verdict)
  await conclude(options, decision, facts)
  return { kind: 'done' }
}

/** A replayed task looks again at what was given up. */
function isUnproven({ decision }: Delivery): boolean {
  return decision?.kind === 'verifying' || decision?.kind === 'unverified'
}

async function conclude<O extends Order>(
  options: ProveOptions<O>,
  decision: Decision,
  facts: Deliverable<O>,
): Promise<void> {
  const settled = await settleDecision(options, decision, facts)
  options.announce(settled, facts.transfer, facts.delivery.id)
}

/** What the chain says, and whether the payment is free to pay this order. */
async function prove<O extends Order>(
  { proof, claimPayment, logger }: ProveOptions<O>,
  { transfer, order, delivery }: Deliverable<O> & { order: O },
  signal: AbortSignal,
): Promise<ProofVerdict> {
  let verdict: ProofVerdict
  try {
    verdict = await proof.prove({ transfer, order }, { signal })
  } catch (error) {
    signal.throwIfAborted()
    // A proof of the shop's own: what it throws must not keep the delivery from its deadline.
    const { reference } = delivery
    logger.error('verifyOnChain threw', { reference, error: errorFacts(error) })
    return { kind: 'unsettled', reason: 'unreachable', detail: 'verifyOnChain threw' }
  }
  if (verdict.kind !== 'proven') return verdict
  const claimant = { receiver: delivery.receiver, reference: order.reference }
  for (const payment of verdict.payments) {
    const isFree = await claimCredits({ claimPayment }, payment.credits, claimant)
    if (isFree) return { kind: 'proven', payments: [payment] }
  }
  const detail = `the money of the message ${verdict.payments[0].message} has paid another order`
  return { kind: 'refuted', reason: 'reused', detail }
}

interface Unsettled {
  task: HandlerTask
  delivery: Delivery
  verdict: Extract<ProofVerdict, { kind: 'unsettled' }>
}

function whenUnsettled<O extends Order>(
  { proof, clock, logger }: ProveOptions<O>,
  { task: { attempt: count }, delivery, verdict: { reason, detail } }: Unsettled,
): Extract<HandlerOutcome, { kind: 'retry' | 'dead' }> {
  const { reference, txHash, decision } = delivery
  const error = `${reason}: ${detail}`
  const sinceMs = decision?.kind === 'verifying' ? decision.sinceMs : -Infinity
  const endMs = sinceMs + proof.deadlineMs
  const nowMs = clock.nowMs()
  const isLate = nowMs >= endMs
  // The first look may be late, since the servers were away: one that fails then is not the last word.
  if (isLate && count > 1) return { kind: 'dead', error }
  // That the index is a little behind is nothing unusual.
  const level = reason === 'unreachable' ? 'warn' : 'debug'
  logger[level]('a payment is not proven yet', { reference, txHash, reason, detail })
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (count - 1), LONGEST_DELAY_MS)
  const retryAtMs = isLate ? nowMs + delayMs : Math.min(nowMs + delayMs, endMs)
  return { kind: 'retry', retryAtMs, error }
}

function paidBy(concluded: PaidDecision, { message, amount }: ProvenPayment): PaidDecision {
  return { ...concluded, proof: { message, credited: amount.toString() } }
}

function unverified(
  { reference, txHash }: Delivery,
  { reason, detail }: Exclude<ProofVerdict, { kind: 'proven' }>,
): Decision {
  return { kind: 'unverified', reference, txHash, reason, detail }
}
