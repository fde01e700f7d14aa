import type { Order, OrderKey, Payment, PaymentFailure, Transition } from '@tonplug/core'
import type { Database } from './database.js'
import { toJson } from './json.js'
import type { Row } from './queryable.js'
import { number, text } from './rows.js'
import { explainOrder } from './sql/orders.js'

/** An order as `postgresOrderRepository` stores it. */
export interface PostgresOrder<Data = unknown> extends Order {
  merchant: string
  createdAt: Date
  /** Any JSON that the shop stores with the order. */
  data: Data
}

/** The status that a transition leads to, and the transfer that makes it. */
export interface Goal {
  status: 'completed' | 'failed'
  txHash: string
}

/** Reads the columns of `ORDER_COLUMNS`. */
export function toOrder<Data>(row: Row): PostgresOrder<Data> {
  const { recipient, payment, failure, data, body_base64_hash: bodyBase64Hash } = row
  return {
    reference: text(row, 'order_reference'),
    merchant: text(row, 'order_merchant'),
    rawAmount: BigInt(text(row, 'raw_amount')),
    asset: text(row, 'asset'),
    // The table checks it.
    status: text(row, 'status') as Order['status'],
    recipient: recipient ?? undefined,
    bodyBase64Hash: bodyBase64Hash ?? undefined,
    createdAt: new Date(number(row, 'created_ms')),
    payment: typeof payment === 'string' ? parsePayment(payment) : undefined,
    // Written by `fail`.
    failure: typeof failure === 'string' ? (JSON.parse(failure) as PaymentFailure) : undefined,
    // Given to `create` by the shop, which names the type.
    data: (typeof data === 'string' ? JSON.parse(data) : undefined) as Data,
  }
}

/** Returns a payment as JSON, with base units as a string. */
export function paymentJson(payment: Payment): string {
  return toJson({ ...payment, rawAmount: payment.rawAmount.toString() })
}

/** Returns the merchant and the reference, in the order of the statements' parameters. */
export function keyValues({ merchant = '', reference }: OrderKey): string[] {
  return [merchant, reference]
}

/** Returns why a transition of the order `key` (its name, merchant and reference) was not applied. */
export async function explainTransition(
  database: Database,
  key: string[],
  { status, txHash }: Goal,
): Promise<Exclude<Transition, 'applied'>> {
  const [row] = await database.run(explainOrder, key)
  if (row === undefined) return 'not-found'
  const isOpen = OPEN.some((open) => open === row['status'])
  if (status === 'completed') {
    const isCompleted = row['status'] === 'completed' && row['payment_tx_hash'] === txHash
    return isCompleted ? 'already-applied' : 'conflict'
  }
  return isOpen && row['failure_tx_hash'] === txHash ? 'already-applied' : 'conflict'
}

const OPEN: readonly Order['status'][] = ['pending', 'failed', 'expired']

function parsePayment(json: string): Payment {
  // Written by `paymentJson`.
  const payment = JSON.parse(json) as Omit<Payment, 'rawAmount'> & { rawAmount: string }
  return { ...payment, rawAmount: BigInt(payment.rawAmount) }
}
