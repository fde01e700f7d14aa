import {
  ConfigurationError,
  type JoinedOrders,
  type JoinedTransition,
  type Order,
  type OrderRepository,
  type Transition,
} from '@tonplug/core'
import { ATTEMPTS, isSerializationFailure, runOn } from './database.js'
import { optionalJson, toJson } from './json.js'
import { keyValues } from './order-rows.js'
import { isPool, isPreparedStatementError } from './prepared-statements.js'
import type { Queryable } from './queryable.js'
import { claims, isClaimedByOther } from './claims.js'
import { claimPaymentsOf } from './sql/payments.js'
import { recordDecision, type Run } from './record-decision.js'

/** One transaction of the shop's database library. */
export interface OrderTransaction {
  /** The shop's orders, changed in this transaction. */
  orders: Pick<OrderRepository, 'complete' | 'fail'>
  /** Runs SQL in this transaction. */
  db: Queryable
}

/** Runs `work` in one transaction: commits when it resolves; rolls back and rethrows its error when it rejects. */
export type WithTransaction = <Result>(
  work: (transaction: OrderTransaction) => Promise<Result>,
) => Promise<Result>

/** Joins orders that another library stores in the inbox's database. They are read separately. */
export function joinByTransaction<O extends Order>(
  withTransaction: WithTransaction,
): JoinedOrders<O> {
  return {
    completeAndDecide: (reportId, { key, payment, payments, usedAmount, unlessStored, record }) =>
      runUntilCommitted(withTransaction, async ({ orders, run, rollBack }) => {
        const transition = await orders.complete(key, payment)
        if (!isMade(transition)) return { transition }
        const amount = usedAmount?.toString() ?? null
        const claim = [toJson(payments), payment.txHash, optionalJson(unlessStored), amount]
        const values = [reportId, ...keyValues(key), ...claim]
        const isFree = await claims(run, claimPaymentsOf, values)
        if (!isFree) return rollBack({ transition: 'reused' })
        if (transition !== 'applied') return { transition }
        return { transition, ...(await recordDecision(run, reportId, record)) }
      }),
    failAndDecide: (reportId, { key, failure, record }) =>
      runUntilCommitted(withTransaction, async ({ orders, run }) => {
        const transition = await orders.fail(key, failure)
        if (transition !== 'applied') return { transition }
        return { transition, ...(await recordDecision(run, reportId, record)) }
      }),
  }
}

/** Invalid results of the repository count as not made. */
function isMade(transition: Transition): transition is 'applied' | 'already-applied' {
  return transition === 'applied' || transition === 'already-applied'
}

interface Step {
  orders: OrderTransaction['orders']
  run: Run
  /** Rolls the transaction back; the step has this result. */
  rollBack: (result: JoinedTransition) => never
}

/** Each statement of a pool may run on another connection, and so outside the transaction. */
function rejectPool(db: Queryable): void {
  if (!isPool(db)) return
  const problem =
    'must pass the connection of the transaction as `db`, not the pool; see the example of withTransaction'
  throw new ConfigurationError({ option: 'withTransaction', problem })
}

/** Repeats a transaction that was rolled back because of a concurrent claim or an error of a prepared statement. */
async function runUntilCommitted(
  withTransaction: WithTransaction,
  work: (step: Step) => Promise<JoinedTransition>,
): Promise<JoinedTransition> {
  for (let attempt = 1; ; attempt++) {
    let rolledBack: JoinedTransition | undefined
    let mayRepeat = false
    const rollBack = (result: JoinedTransition): never => {
      rolledBack = result
      throw new Error(`the transaction is rolled back: the transition is ${result.transition}`)
    }
    try {
      return await withTransaction(({ orders, db }) => {
        rejectPool(db)
        const run: Run = (statement, values) =>
          runOn(db, statement, values).catch((error: unknown) => {
            // A claim that met another one sees it when it is repeated.
            const isConcurrent = isSerializationFailure(error) || isClaimedByOther(error)
            mayRepeat = attempt < ATTEMPTS && isConcurrent
            throw error
          })
        return work({ orders, run, rollBack }).catch((error: unknown) => {
          // A name that the library gave to a statement has aborted the transaction, which is repeated as a whole.
          mayRepeat ||= attempt < ATTEMPTS && isPreparedStatementError(error)
          throw error
        })
      })
    } catch (error) {
      if (mayRepeat) continue
      if (rolledBack !== undefined) return rolledBack
      throw error
    }
  }
}
