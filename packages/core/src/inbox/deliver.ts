import { RepositoryError } from '../errors/repository.js'
import { attempt, type CheckedRepository } from '../orders/checked-repository.js'
import { decide } from '../orders/decide.js'
import type {
  Decision,
  FailedDecision,
  PaidDecision,
  VerifyingDecision,
} from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { foundBy } from '../orders/found-by.js'
import { toPayment, toPaymentFailure } from '../orders/payment.js'
import { isSamePayment, type ToldTransfer } from '../orders/same-payment.js'
import type { Transition } from '../orders/repository.js'
import type { AcceptAmount, Rule } from '../orders/rules.js'
import type { PaymentProof } from '../proof/payment-proof.js'
import type { Clock } from '../runtime/clock.js'
import type { TransferData } from '../webhook/payload.js'
import type { HandlerRegistry } from './handler-registry.js'
import type { Delivery, Inbox, NewHandlerTask, StandingDecision, Verdict } from './inbox.js'
import type { JoinedOrders, JoinedTransition } from './joined-orders.js'
import { PROOF_TASK } from './proof-task.js'

const FIRST_MATCH_DELAY_MS = 1000
const LONGEST_MATCH_DELAY_MS = 3_600_000
/** The proof has a task of its own; this is for a delivery whose order is decided otherwise meanwhile. */
const VERIFYING_RETRY_MS = 3_600_000

/** What deciding a stored delivery needs. */
export interface DeliverOptions<O extends Order> {
  /** The receiver's name. */
  name: string
  orders: CheckedRepository<O>
  inbox: Inbox
  /** Where the inbox shares a database with the orders. */
  joined: JoinedOrders<O> | undefined
  registry: HandlerRegistry<O>
  recipients: readonly string[] | undefined
  acceptAmount: AcceptAmount<O> | undefined
  rules: readonly Rule<O>[]
  /** Without it the webhook's word is enough. */
  proof: PaymentProof | undefined
  clock: Clock
}

/** One stored delivery on its way to a decision. */
export interface Deliverable<O extends Order> {
  delivery: Delivery
  transfer: TransferData
  /** As it was read when the delivery came, or since. */
  order: O | null
}

/**
 * Takes a stored delivery through the rules, makes the order's transition and records the decision with its
 * handler tasks. A payment that has to be proven on the chain first is left `verifying`. Safe to run again after a crash at
 * any point, and at the same time in several processes.
 * @returns the decision; `duplicate` when another attempt recorded one first.
 */
export async function deliver<O extends Order>(
  options: DeliverOptions<O>,
  deliverable: Deliverable<O>,
): Promise<Decision> {
  const concluded = applyRules(options, deliverable)
  const decision = needsProof(options, deliverable, concluded)
    ? verifying(options, deliverable, concluded)
    : concluded
  return settledAs(await settleDecision(options, decision, deliverable), deliverable)
}

/** What the rules conclude, whatever the chain says. */
export function applyRules<O extends Order>(
  { recipients, acceptAmount, rules }: DeliverOptions<O>,
  { delivery, transfer, order }: Deliverable<O>,
): Decision {
  const { txHash, wasCompletedBefore } = delivery
  const decision = decide<O>({
    order,
    transfer,
    txHash,
    wasCompletedBefore,
    foundBy: foundBy(delivery.signedWith),
    recipients,
    acceptAmount,
    rules,
  })
  if (decision.kind !== 'paid' || order?.status === 'completed') return decision
  return { ...decision, late: wasLate(delivery) ?? decision.late }
}

/** Whether the order had expired when the transfer was told, of one that waits for its proof, or was given up. */
function wasLate({ decision }: Delivery): boolean | undefined {
  return decision?.kind === 'verifying' || decision?.kind === 'unverified'
    ? decision.late
    : undefined
}

/**
 * An order that this very transfer completed was completed by a proof; what is missing is the record of it. What began to
 * wait for its proof is not paid without one when proofs are switched off.
 */
export function needsProof<O extends Order>(
  { proof }: DeliverOptions<O>,
  { delivery, order }: Deliverable<O>,
  concluded: Decision,
): concluded is PaidDecision {
  if (concluded.kind !== 'paid') return false
  if (proof === undefined && delivery.decision?.kind !== 'verifying') return false
  return order?.status !== 'completed' || order.payment?.txHash !== delivery.txHash
}

/** A standing decision, and the one that was to be recorded. */
export interface SettledDecision extends StandingDecision {
  /** As the order's transition made it. */
  verdict: Decision
}

/** What a delivery was decided to be by this attempt; `duplicate` when another one recorded its decision first. */
export function settledAs(
  { isRecorded, verdict, decision }: SettledDecision,
  { delivery: { reference, txHash } }: Facts,
): Decision {
  return isRecorded ? verdict : { kind: 'duplicate', reference, txHash, first: decision.kind }
}

/** The time for the proof counts from when the delivery was stored, or found its order. */
function verifying<O extends Order>(
  { clock }: DeliverOptions<O>,
  { delivery }: Deliverable<O>,
  { late }: PaidDecision,
): VerifyingDecision {
  const { reference, txHash, receivedAtMs, decision } = delivery
  if (decision?.kind === 'verifying') return { ...decision, late }
  const sinceMs = decision === undefined ? receivedAtMs : clock.nowMs()
  return { kind: 'verifying', reference, txHash, sinceMs, late }
}

interface Facts {
  delivery: Delivery
  transfer: TransferData
}

/** Rule 8, and rule 5's record of a failure: the transition that a decision means. Then it is recorded with its tasks. */
export async function settleDecision<O extends Order>(
  options: DeliverOptions<O>,
  concluded: Decision,
  facts: Facts,
): Promise<SettledDecision> {
  if (concluded.kind !== 'paid' && concluded.kind !== 'failed') {
    return record(options, concluded, facts)
  }
  const made = await makeTransition(options, concluded, facts)
  if ('isRecorded' in made) return { ...made, verdict: concluded }
  const { transition } = made
  if (transition === 'applied') return record(options, concluded, facts)
  const decision =
    concluded.kind === 'paid'
      ? await afterCompletion(options, { concluded, transition }, facts)
      : await afterFailure(options, { concluded, transition }, facts)
  return record(options, decision, facts)
}

/**
 * The decision is recorded with the transition where the inbox shares a database with the orders; that of a payment which
 * was found only after it, since it says whether a webhook came meanwhile.
 */
async function makeTransition<O extends Order>(
  { orders, joined, registry }: DeliverOptions<O>,
  concluded: PaidDecision | FailedDecision,
  { delivery, transfer }: Facts,
): Promise<{ transition: Transition } | JoinedTransition> {
  const { reference } = concluded
  const makeVerdict = (): Verdict => ({ decision: concluded, tasks: registry.tasksFor(concluded) })
  if (concluded.kind === 'paid') {
    const payment = toPayment(transfer, concluded)
    return joined === undefined || concluded.foundBy !== undefined
      ? { transition: await orders.complete(reference, payment) }
      : joined.completeAndDecide(delivery.id, { reference, payment, verdict: makeVerdict() })
  }
  const failure = toPaymentFailure(transfer)
  return joined === undefined
    ? { transition: await orders.recordFailure(reference, failure) }
    : joined.failAndDecide(delivery.id, { reference, failure, verdict: makeVerdict() })
}

async function record<O extends Order>(
  { inbox, registry, clock }: DeliverOptions<O>,
  decision: Decision,
  { delivery }: Facts,
): Promise<SettledDecision> {
  const standing = await attempt('inbox.decide', () =>
    inbox.decide(delivery.id, {
      decision,
      tasks:
        decision.kind === 'verifying'
          ? [proofTask(delivery, decision)]
          : registry.tasksFor(decision),
      retryAtMs: nextLookMs(clock, delivery, decision),
    }),
  )
  return { ...standing, verdict: decision }
}

type Unapplied = Exclude<Transition, 'applied'>

async function afterCompletion<O extends Order>(
  { orders }: DeliverOptions<O>,
  { concluded, transition }: { concluded: PaidDecision; transition: Unapplied },
  { delivery: { signedWith }, transfer }: Facts,
): Promise<Decision> {
  const { reference, txHash } = concluded
  switch (transition) {
    // Made since the delivery came, by an attempt that crashed or runs beside this one. Whoever records `paid` first
    // arranges the handlers, and their keys are the same.
    case 'already-applied':
      if (concluded.foundBy === undefined) return concluded
      return asCompleted(concluded, await orders.findByReference(reference, { signedWith }))
    case 'not-found':
      return { kind: 'unmatched', reference, txHash }
    case 'conflict': {
      const order = await orders.findByReference(reference, { signedWith })
      return explainConflict(order, { reference, txHash, transfer, foundBy: concluded.foundBy })
    }
  }
}

/** A payment that was found, as its order was completed: by a webhook that told it meanwhile, perhaps. */
function asCompleted(concluded: PaidDecision, order: Order | null): PaidDecision {
  const payment = order?.payment
  const foundBy = payment ? payment.foundBy : concluded.foundBy
  return { ...concluded, late: payment?.late ?? concluded.late, foundBy }
}

/** A failure is news only for an order that is not completed meanwhile. */
async function afterFailure<O extends Order>(
  { orders }: DeliverOptions<O>,
  { concluded, transition }: { concluded: FailedDecision; transition: Unapplied },
  { delivery: { signedWith } }: Facts,
): Promise<Decision> {
  const { reference, txHash } = concluded
  if (transition === 'not-found') return { kind: 'unmatched', reference, txHash }
  if (transition !== 'conflict') return concluded
  const order = await orders.findByReference(reference, { signedWith })
  return order?.status === 'completed' ? { kind: 'duplicate', reference, txHash } : concluded
}

/** The order moved between the rules and the transition, or the shop had cancelled it. */
export function explainConflict(
  order: Order | null,
  told: ToldTransfer & { reference: string; transfer: TransferData },
): Decision {
  const { reference, txHash, transfer } = told
  const facts = { reference, txHash }
  const money = { received: transfer.rawAmount, asset: transfer.asset }
  if (order === null) return { kind: 'unmatched', ...facts }
  if (order.status === 'cancelled') return { kind: 'paid_after_cancel', ...facts, ...money }
  if (order.status === 'completed') {
    const { payment } = order
    if (payment && isSamePayment(payment, told)) {
      return { kind: 'duplicate', ...facts, completedBy: payment.txHash }
    }
    return { kind: 'extra_payment', ...facts, ...money, completedBy: order.payment?.txHash }
  }
  throw new RepositoryError({
    operation: 'orders.complete',
    problem: `answered conflict for the order ${JSON.stringify(reference)}, which is ${order.status} and can be completed`,
  })
}

/** One for each time that the delivery begins to wait for its proof. */
function proofTask({ id }: Delivery, { sinceMs }: VerifyingDecision): NewHandlerTask {
  return { handler: PROOF_TASK, idempotencyKey: `${PROOF_TASK}:${id}:${sinceMs}` }
}

/** When a decision that is not final is made again. */
function nextLookMs(clock: Clock, { attempts }: Delivery, { kind }: Decision): number | undefined {
  switch (kind) {
    case 'verifying':
      return clock.nowMs() + VERIFYING_RETRY_MS
    case 'unmatched':
      return clock.nowMs() + Math.min(FIRST_MATCH_DELAY_MS * 2 ** attempts, LONGEST_MATCH_DELAY_MS)
    default:
      return undefined
  }
}
