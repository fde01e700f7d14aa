import type { JoinedTransition } from '../inbox/inbox.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import { RepositoryError } from '../orders/errors.js'
import type { Order } from '../orders/order.js'
import type { Transition } from '../orders/repository.js'
import { isRepetition } from '../orders/same-payment.js'
import { hasCompleted, type ReportedFacts } from './apply-rules.js'
import type { Stores } from './engine-parts.js'
import { reused } from './paid-elsewhere.js'
import { withRecordedPayment } from './recorded-payment.js'
import { identify, keyOf } from './report.js'

/** Returns the decision about a payment whose order was not completed by it now. */
export async function reconsider<O extends Order>(
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
    case 'reused': {
      // An attempt that completed the order may have ended before it recorded that, and then the money named another order.
      const order = await readOrder()
      return isOwnPayment(order, facts)
        ? asCompleted(concluded, order, facts)
        : reused(report, concluded.isLate)
    }
    case 'conflict':
      return explainConflict(await readOrder(), facts, transition)
  }
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

/** Returns true when the order was completed with the payment of the report: webhooks about other money may name its transaction. */
function isOwnPayment(order: Order | null, { report, transfer }: ReportedFacts): boolean {
  if (!hasCompleted(report, order)) return false
  const { rawAmount, bodyBase64Hash } = order?.payment ?? {}
  return `${rawAmount}` === transfer.rawAmount && bodyBase64Hash === transfer.bodyBase64Hash
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
    if (payment && isRepetition(payment, { ...facts, transfer, source: report.source })) {
      return { kind: 'duplicate', ...facts, completedBy: payment.txHash }
    }
    return { kind: 'extra_payment', ...facts, ...money, completedBy: order.payment?.txHash }
  }
  throw new RepositoryError({
    operation: 'orders.complete',
    problem: `returned ${transition} for the order ${JSON.stringify(report.reference)}, which is ${order.status} and can be completed`,
  })
}
