import type { Order, Payment, PaymentFailure, Transition } from '@tonplug/core'
import type { Database } from './database.js'
import { toJson } from './json.js'
import type { Row } from './queryable.js'
import { number, text } from './rows.js'
import { explainOrder } from './sql/orders.js'

/** An order as `postgresOrderRepository` keeps it. */
export interface PostgresOrder<Data = unknown> extends Order {
  createdAt: Date
  /** The transfer that failed last, while none has succeeded. */
  failure?: PaymentFailure | undefined
  /** What the shop keeps with the order: any JSON. */
  data: Data
}

/** Where a transition leads, and by which transfer. */
export interface Goal {
  status: 'completed' | 'failed'
  txHash: string
}

/** The columns of `ORDER_COLUMNS`. */
export function toOrder<Data>(row: Row): PostgresOrder<Data> {
  const { recipient, payment, failure, data, body_base64_hash: bodyBase64Hash } = row
  return {
    reference: text(row, 'order_reference'),
    rawAmount: BigInt(text(row, 'raw_amount')),
    asset: text(row, 'asset'),
    // The table checks it.
    status: text(row, 'status') as Order['status'],
    recipient: recipient ?? undefined,
    bodyBase64Hash: bodyBase64Hash ?? undefined,
    createdAt: new Date(number(row, 'created_ms')),
    payment: typeof payment === 'string' ? parsePayment(payment) : undefined,
    // Written by `recordFailure` alone.
    failure: typeof failure === 'string' ? (JSON.parse(failure) as PaymentFailure) : undefined,
    // Given to `create` by the shop, which says what it is.
    data: (typeof data === 'string' ? JSON.parse(data) : undefined) as Data,
  }
}

/** JSON has no number for base units. */
export function paymentJson(payment: Payment): string {
  return toJson({ ...payment, rawAmount: payment.rawAmount.toString() })
}

/** Why an order did not move. */
export async function explainTransition(
  database: Database,
  reference: string,
  goal: Goal,
): Promise<Exclude<Transition, 'applied'>> {
  const [row] = await database.run(explainOrder, [reference])
  if (row === undefined) return 'not-found'
  const txHash = row[goal.status === 'completed' ? 'payment_tx_hash' : 'failure_tx_hash']
  return row['status'] === goal.status && txHash === goal.txHash ? 'already-applied' : 'conflict'
}

function parsePayment(json: string): Payment {
  // Written by `paymentJson` alone.
  const payment = JSON.parse(json) as Omit<Payment, 'rawAmount'> & { rawAmount: string }
  return { ...payment, rawAmount: BigInt(payment.rawAmount) }
}
