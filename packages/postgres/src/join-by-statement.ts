import type { JoinedOrders, Order, OrderKey } from '@tonplug/core'
import type { Database } from './database.js'
import { isStorable, toJson } from './json.js'
import { explainTransition, keyValues, paymentJson, toOrder, type Goal } from './order-rows.js'
import { toReport } from './rows.js'
import { completeAndDecide, failAndDecide, storeAndFind } from './sql/orders.js'
import { claimPayments } from './sql/payments.js'
import { insertValues, storeRow } from './store-row.js'
import {
  decisionValues,
  recordDecision,
  standingDecision,
  type DecisionRecord,
  type JoinedTransition,
} from './record-decision.js'

/** The orders of a `postgresOrderRepository`. */
export interface OwnOrders {
  database: Database
  name: string
}

/** Joins orders of `postgresOrderRepository` in the inbox's own database: each combined step is one statement. */
export function joinByStatement<O extends Order>(orders: OwnOrders): JoinedOrders<O> {
  const { database, name } = orders
  return {
    storeAndFind: async (report) => {
      const { reference } = report
      const values = [...insertValues(report), name, isStorable(reference) ? reference : null]
      const row = await storeRow(database, storeAndFind, values)
      // The repository returns orders of the same type for the same rows.
      const order = row['order_reference'] === null ? null : (toOrder(row) as Order as O)
      return { report: toReport(row), order }
    },
    completeAndDecide: (reportId, { key, payment, payments, record }) =>
      move(orders, {
        reportId,
        key,
        goal: { status: 'completed', txHash: payment.txHash },
        json: paymentJson(payment),
        payments: toJson(payments),
        record,
      }),
    failAndDecide: (reportId, { key, failure, record }) =>
      move(orders, {
        reportId,
        key,
        goal: { status: 'failed', txHash: failure.txHash },
        json: toJson(failure),
        record,
      }),
  }
}

interface Move {
  reportId: string
  key: OrderKey
  goal: Goal
  /** The payment or the failure. */
  json: string
  /** A JSON list of the payments to claim. */
  payments?: string
  record: DecisionRecord
}

async function move(
  { database, name }: OwnOrders,
  { reportId, key, goal, json, payments, record }: Move,
): Promise<JoinedTransition> {
  const order = [name, ...keyValues(key)]
  const values = [...decisionValues(reportId, record), ...order, goal.txHash, json]
  const [made] =
    payments === undefined
      ? await database.run(failAndDecide, values)
      : await database.run(completeAndDecide, [...values, payments])
  if (made?.['moved'] === '1') {
    const standing =
      made['recorded'] === '1'
        ? { isRecorded: true, decision: record.decision }
        : await standingDecision(database.run, reportId)
    return { transition: 'applied', ...standing }
  }
  if (made?.['is_reused'] === 'true') return { transition: 'reused' }
  const transition = await explainTransition(database, order, goal)
  if (transition !== 'already-applied') return { transition }
  if (payments !== undefined) {
    const [claim] = await database.run(claimPayments, [...order, payments])
    if (claim?.['is_ours'] !== 'true') return { transition: 'reused' }
  }
  return { transition, ...(await recordDecision(database.run, reportId, record)) }
}
