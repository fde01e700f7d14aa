import type {
  JoinedOrders,
  JoinedTransition,
  Order,
  OrderRepository,
  Transition,
  Verdict,
} from '@tonplug/core'
import { runOn } from './database.js'
import type { Queryable } from './queryable.js'
import { recordVerdict, type Run } from './verdict.js'

/** One transaction of the shop's database library. */
export interface OrderTransaction {
  /** The shop's orders, changed in this transaction. */
  orders: Pick<OrderRepository, 'complete' | 'recordFailure'>
  /** Runs SQL in this transaction. */
  db: Queryable
}

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back and throws what it threw when it rejects.
 */
export type WithTransaction = <Result>(
  work: (transaction: OrderTransaction) => Promise<Result>,
) => Promise<Result>

/** Orders that another library keeps in the inbox's database. They are read by themselves. */
export function joinByTransaction<O extends Order>(
  withTransaction: WithTransaction,
): JoinedOrders<O> {
  return {
    completeAndDecide: (deliveryId, { reference, payment, verdict }) =>
      withTransaction(async ({ orders, db }) => {
        const transition = await orders.complete(reference, payment)
        return record(db, transition, { deliveryId, verdict })
      }),
    failAndDecide: (deliveryId, { reference, failure, verdict }) =>
      withTransaction(async ({ orders, db }) => {
        const transition = await orders.recordFailure(reference, failure)
        return record(db, transition, { deliveryId, verdict })
      }),
  }
}

/** What is neither `applied` nor `already-applied` decides nothing, a wrong answer of the repository included. */
async function record(
  db: Queryable,
  transition: Transition,
  { deliveryId, verdict }: { deliveryId: string; verdict: Verdict },
): Promise<JoinedTransition> {
  if (transition !== 'applied' && transition !== 'already-applied') return { transition }
  const run: Run = (statement, values) => runOn(db, statement, values)
  return { transition, ...(await recordVerdict(run, deliveryId, verdict)) }
}
