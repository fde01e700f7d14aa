import {
  offersFromJson,
  withJson,
  type Offer,
  type Order,
  type OrderKey,
  type Payment,
  type PaymentFailure,
  type Transition,
} from '@tonplug/core'
import { storableText, toJson } from './json.js'
import type { Row } from './queryable.js'
import type { Run } from './record-decision.js'
import { number, text } from './rows.js'
import type { Statement } from './sql/statement.js'

const INTEGER = /^-?\d+$/

/** The status that a transition leads to, and the transfer that makes it. */
export interface Goal {
  status: 'completed' | 'failed'
  txHash: string
}

/**
 * Reads the columns of `selectedColumns`. The table is the shop's: a row that the rules cannot use must not end a list of orders,
 * so it is an order without what cannot be read, which is refused where it is used.
 */
export function toOrder(row: Row): Order {
  const { recipient, payment, failure, created_ms: createdMs } = row
  return withJson({
    // The further columns of the table, which the mapping names.
    ...(JSON.parse(text(row, 'extra')) as object),
    reference: text(row, 'order_reference'),
    merchant: text(row, 'order_merchant'),
    ...amountsOf(row),
    // The statement maps the table's values to these.
    status: text(row, 'status') as Order['status'],
    recipient: recipient === '' ? undefined : (recipient ?? undefined),
    bodyBase64Hash: row['body_base64_hash'] ?? undefined,
    createdAt: typeof createdMs === 'string' ? new Date(number(row, 'created_ms')) : undefined,
    payment: typeof payment === 'string' ? parsePayment(payment) : undefined,
    failure: typeof failure === 'string' ? parseFailure(failure) : undefined,
  })
}

/** An order has an amount and an asset, or offers. */
function amountsOf(row: Row): Pick<Order, 'rawAmount' | 'asset' | 'offers' | 'expiresAt'> {
  const { offers: json } = row
  if (typeof json !== 'string') {
    const rawAmount = text(row, 'raw_amount')
    return {
      rawAmount: INTEGER.test(rawAmount) ? BigInt(rawAmount) : undefined,
      asset: text(row, 'asset'),
    }
  }
  const offers = parseOffers(json)
  return { offers, expiresAt: endOf(offers) }
}

function parseOffers(json: string): readonly Offer[] {
  try {
    return offersFromJson(JSON.parse(json))
  } catch {
    return []
  }
}

/** Returns when the last offer ends; `undefined` while one has no end. */
function endOf(offers: readonly Offer[]): Date | undefined {
  const ends = offers.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity)
  const last = Math.max(0, ...ends)
  return Number.isFinite(last) ? new Date(last) : undefined
}

/** Returns a payment as JSON, with base units as a string. */
export function paymentJson(payment: Payment): string {
  return toJson({ ...payment, rawAmount: payment.rawAmount.toString() })
}

/** Returns the merchant and the reference, in the order of the statements' parameters. */
export function keyValues({ merchant = '', reference }: OrderKey): string[] {
  return [merchant, reference]
}

/** Returns why a transition of an order was not applied. */
export async function explainTransition(
  run: Run,
  { explain, key, goal }: { explain: Statement; key: OrderKey; goal: Goal },
): Promise<Exclude<Transition, 'applied'>> {
  const [row] = await run(explain, keyValues(key))
  if (row === undefined) return 'not-found'
  const isOpen = OPEN.some((open) => open === row['status'])
  if (goal.status === 'completed') {
    const txHash = storableText(goal.txHash)
    const isCompleted = row['status'] === 'completed' && row['payment_tx_hash'] === txHash
    return isCompleted ? 'already-applied' : 'conflict'
  }
  // An open order was not failed because it had this failure, even if another one has replaced it since.
  return isOpen && row['failure_tx_hash'] !== null ? 'already-applied' : 'conflict'
}

const OPEN: readonly Order['status'][] = ['pending', 'failed', 'expired']

/** Returns what `paymentJson` has written; `undefined` for anything else that the column has. */
function parsePayment(json: string): Payment | undefined {
  const written = parseTransfer(json)
  const rawAmount = String(written?.['rawAmount'])
  if (!INTEGER.test(rawAmount)) return undefined
  // What `paymentJson` has written.
  return withJson({ ...(written as object as Payment), rawAmount: BigInt(rawAmount) })
}

/** Returns what `fail` has written; `undefined` for anything else that the column has. */
function parseFailure(json: string): PaymentFailure | undefined {
  return parseTransfer(json) as PaymentFailure | undefined
}

/** Returns an object with a transaction; `undefined` for other text. */
function parseTransfer(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    const isTransfer = typeof value === 'object' && value !== null && 'txHash' in value
    return isTransfer ? { ...value } : undefined
  } catch {
    return undefined
  }
}
