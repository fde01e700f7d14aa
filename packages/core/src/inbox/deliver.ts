import { RepositoryError } from '../errors/repository.js'
import { attempt, type CheckedRepository } from '../orders/checked-repository.js'
import { decide } from '../orders/decide.js'
import type { Decision, FailedDecision, PaidDecision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { toPayment, toPaymentFailure } from '../orders/payment.js'
import type { AcceptAmount, Rule } from '../orders/rules.js'
import type { Clock } from '../runtime/clock.js'
import type { TransferData } from '../webhook/payload.js'
import type { HandlerRegistry } from './handler-registry.js'
import type { Delivery, Inbox } from './inbox.js'

const FIRST_MATCH_DELAY_MS = 1000
const LONGEST_MATCH_DELAY_MS = 3_600_000

/** What deciding a stored delivery needs. */
export interface DeliverOptions<O extends Order> {
  /** The receiver's name. */
  name: string
  orders: CheckedRepository<O>
  inbox: Inbox
  registry: HandlerRegistry<O>
  recipients: readonly string[] | undefined
  acceptAmount: AcceptAmount<O> | undefined
  rules: readonly Rule<O>[]
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
 * handler tasks. Safe to run again after a crash at any point, and at the same time in several processes.
 * @returns the decision; `duplicate` when another attempt recorded one first.
 */
export async function deliver<O extends Order>(
  options: DeliverOptions<O>,
  { delivery, transfer, order }: Deliverable<O>,
): Promise<Decision> {
  const { inbox, registry, recipients, acceptAmount, rules } = options
  const { reference, txHash, signedWith, wasCompletedBefore } = delivery
  const concluded = decide<O>({
    order,
    transfer,
    txHash,
    wasCompletedBefore,
    recipients,
    acceptAmount,
    rules,
  })
  const decision = await makeTransition(options, concluded, { transfer, signedWith })
  const { isRecorded, decision: standing } = await attempt('inbox.decide', () =>
    inbox.decide(delivery.id, {
      decision,
      tasks: registry.tasksFor(decision),
      retryAtMs: decision.kind === 'unmatched' ? nextMatchMs(options.clock, delivery) : undefined,
    }),
  )
  return isRecorded ? decision : { kind: 'duplicate', reference, txHash, first: standing.kind }
}

interface TransitionFacts {
  transfer: TransferData
  signedWith: string
}

/** Rule 8, and rule 5's record of a failure. */
async function makeTransition<O extends Order>(
  options: DeliverOptions<O>,
  concluded: Decision,
  facts: TransitionFacts,
): Promise<Decision> {
  if (concluded.kind === 'paid') return complete(options, concluded, facts)
  if (concluded.kind === 'failed') return recordFailure(options, concluded, facts)
  return concluded
}

async function complete<O extends Order>(
  { orders }: DeliverOptions<O>,
  concluded: PaidDecision,
  { transfer, signedWith }: TransitionFacts,
): Promise<Decision> {
  const { reference, txHash } = concluded
  const transition = await orders.complete(reference, toPayment(transfer, concluded.late))
  switch (transition) {
    case 'applied':
    // Made since the delivery came, by an attempt that crashed or runs beside this one. Whoever records `paid` first
    // arranges the handlers, and their keys are the same.
    case 'already-applied':
      return concluded
    case 'not-found':
      return { kind: 'unmatched', reference, txHash }
    case 'conflict': {
      const order = await orders.findByReference(reference, { signedWith })
      return explainConflict(order, { reference, txHash, transfer })
    }
  }
}

/** A failure is news only for an order that is not completed meanwhile. */
async function recordFailure<O extends Order>(
  { orders }: DeliverOptions<O>,
  concluded: FailedDecision,
  { transfer, signedWith }: TransitionFacts,
): Promise<Decision> {
  const { reference, txHash } = concluded
  const transition = await orders.recordFailure(reference, toPaymentFailure(transfer))
  if (transition === 'not-found') return { kind: 'unmatched', reference, txHash }
  if (transition !== 'conflict') return concluded
  const order = await orders.findByReference(reference, { signedWith })
  return order?.status === 'completed' ? { kind: 'duplicate', reference, txHash } : concluded
}

/** The order moved between the rules and the transition, or the shop had cancelled it. */
function explainConflict(
  order: Order | null,
  { reference, txHash, transfer }: { reference: string; txHash: string; transfer: TransferData },
): Decision {
  const facts = { reference, txHash }
  const money = { received: transfer.rawAmount, asset: transfer.asset }
  if (order === null) return { kind: 'unmatched', ...facts }
  if (order.status === 'cancelled') return { kind: 'paid_after_cancel', ...facts, ...money }
  if (order.status === 'completed') {
    return { kind: 'extra_payment', ...facts, ...money, completedBy: order.payment?.txHash }
  }
  throw new RepositoryError({
    operation: 'orders.complete',
    problem: `answered conflict for the order ${JSON.stringify(reference)}, which is ${order.status} and can be completed`,
  })
}

function nextMatchMs(clock: Clock, { attempts }: Delivery): number {
  return clock.nowMs() + Math.min(FIRST_MATCH_DELAY_MS * 2 ** attempts, LONGEST_MATCH_DELAY_MS)
}
