import {
  isOrderKey,
  type DecisionRecord,
  type JoinedOrders,
  type JoinedTransition,
  type Order,
  type OrderKey,
} from '@tonplug/core'
import { optionalJson, toJson } from './json.js'
import { explainTransition, keyValues, paymentJson, toOrder, type Goal } from './order-rows.js'
import { toReport } from './rows.js'
import { claimsAtOnce, repeatOnClaim, unlessClaimedByOther } from './claims.js'
import { areReportedPaymentsFree, claimPaymentsOf, CREDIT } from './sql/payments.js'
import { insertValues, storeRow } from './store-row.js'
import type { Row } from './queryable.js'
import type { TableOrders } from './table-orders.js'
import { decisionValues, standingDecision } from './record-decision.js'

/** Joins orders of a table in the inbox's own database: each combined step is one statement. */
export function joinByStatement<O extends Order>(orders: TableOrders): JoinedOrders<O> {
  const { database, statements } = orders
  return {
    storeAndFind: async (report) => {
      const { storeAndFind } = await statements()
      const values = [...insertValues(report), isOrderKey(report) ? report.reference : null]
      const row = await storeRow(database, storeAndFind, values)
      // The repository returns orders of the same type for the same rows.
      const order = row['order_reference'] === null ? null : (toOrder(row) as O)
      return { report: toReport(row), order }
    },
    completeAndDecide: (reportId, { key, payment, payments, usedAmount, unlessStored, record }) =>
      move(orders, {
        reportId,
        key,
        goal: { status: 'completed', txHash: payment.txHash },
        json: paymentJson(payment),
        payments,
        unlessStored: optionalJson(unlessStored),
        usedAmount: usedAmount?.toString() ?? null,
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
  /** The payments to claim. */
  payments?: readonly string[]
  /** A JSON list of hashes. */
  unlessStored?: string | null
  /** Base units. */
  usedAmount?: string | null
  record: DecisionRecord
}

async function move(
  { database: { run }, statements }: TableOrders,
  { reportId, key, goal, json, payments, unlessStored = null, usedAmount = null, record }: Move,
): Promise<JoinedTransition> {
  const { completeAndDecide, completeWithCredits, failAndDecide, explain } = await statements()
  const moved = [...decisionValues(reportId, record), ...keyValues(key), json, goal.txHash]
  const complete = async (claimed: readonly string[]): Promise<Row[]> => {
    const values = [...moved, toJson(claimed), unlessStored]
    const completed = claimed.some((payment) => payment.startsWith(CREDIT))
      ? repeatOnClaim(run)(completeWithCredits, [...values, usedAmount])
      : repeatOnClaim(run)(completeAndDecide, values)
    // No row when another order has claimed a payment.
    return unlessClaimedByOther(completed, [])
  }
  const [made] = payments === undefined ? await run(failAndDecide, moved) : await complete(payments)
  if (made?.['moved'] === '1') {
    const standing =
      made['recorded'] === '1'
        ? { isRecorded: true, decision: record.decision }
        : await standingDecision(run, reportId)
    return { transition: 'applied', ...standing }
  }
  const transition =
    made === undefined || made['is_stored'] === 'true'
      ? 'reused'
      : await explainTransition(run, { explain, key, goal })
  if (payments !== undefined && transition !== 'reused') {
    // An order that cannot be completed claims nothing.
    const statement = transition === 'already-applied' ? claimPaymentsOf : areReportedPaymentsFree
    const values = [reportId, ...keyValues(key), toJson(payments), goal.txHash, null, usedAmount]
    const isFree = await claimsAtOnce(run, statement, values)
    if (!isFree) return { transition: 'reused' }
  }
  return { transition }
}
