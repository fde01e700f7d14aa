import type { JoinedOrders, JoinedTransition, Order, Verdict } from '@tonplug/core'
import type { Database } from './database.js'
import { toJson } from './json.js'
import { explainTransition, paymentJson, toOrder, type Goal } from './order-rows.js'
import { toDelivery } from './rows.js'
import { completeAndDecide, failAndDecide, storeAndFind } from './sql/orders.js'
import type { Statement } from './sql/statement.js'
import { insertValues, storeRow } from './store-row.js'
import { recordVerdict, standingDecision, verdictValues } from './verdict.js'

/** Orders of `postgresOrderRepository` in the inbox's own database: each combined step is one statement. */
export function joinByStatement<O extends Order>(database: Database): JoinedOrders<O> {
  return {
    storeAndFind: async (delivery) => {
      const row = await storeRow(database, storeAndFind, insertValues(delivery))
      // The repository answers orders of the same type for the same rows.
      const order = row['order_reference'] === null ? null : (toOrder(row) as Order as O)
      return { delivery: toDelivery(row), order }
    },
    completeAndDecide: (deliveryId, { reference, payment, verdict }) => {
      const goal = { status: 'completed', txHash: payment.txHash } as const
      const json = paymentJson(payment)
      return move(database, completeAndDecide, { deliveryId, reference, goal, json, verdict })
    },
    failAndDecide: (deliveryId, { reference, failure, verdict }) => {
      const goal = { status: 'failed', txHash: failure.txHash } as const
      const json = toJson(failure)
      return move(database, failAndDecide, { deliveryId, reference, goal, json, verdict })
    },
  }
}

interface Move {
  deliveryId: string
  reference: string
  goal: Goal
  /** The payment, or the failure. */
  json: string
  verdict: Verdict
}

async function move(
  database: Database,
  statement: Statement,
  { deliveryId, reference, goal, json, verdict }: Move,
): Promise<JoinedTransition> {
  const values = [...verdictValues(deliveryId, verdict), reference, goal.txHash, json]
  const [made] = await database.run(statement, values)
  if (made?.['moved'] === '1') {
    const standing =
      made['recorded'] === '1'
        ? { isRecorded: true, decision: verdict.decision }
        : await standingDecision(database.run, deliveryId)
    return { transition: 'applied', ...standing }
  }
  const transition = await explainTransition(database, reference, goal)
  if (transition !== 'already-applied') return { transition }
  return { transition, ...(await recordVerdict(database.run, deliveryId, verdict)) }
}
