import { accessProblem, ORDER_PRIVILEGES } from './access.js'
import type { OrderColumn, OrderTable } from './order-table.js'
import { quoteText } from './quote.js'
import { MATCHED } from './reports.js'
import { fromMs, NOW, statement } from './statement.js'

const column = (name: string, type = 'text', isNullable = false): OrderColumn => ({
  name,
  type,
  isNullable,
})

/** The table of shops without one of their own: the orders of one Payments. */
export function ownOrderTable(name: string, search: readonly string[] = []): OrderTable {
  return {
    name: 'tonplug.orders',
    scope: `o.name = ${quoteText(name)}`,
    columns: {
      reference: column('reference'),
      merchant: column('merchant'),
      rawAmount: column('raw_amount', 'numeric(80,0)'),
      asset: column('asset'),
      offers: column('offers', 'jsonb'),
      status: column('status'),
      recipient: column('recipient', 'text', true),
      bodyBase64Hash: column('body_base64_hash', 'text', true),
      createdAt: column('created_at', 'timestamp(3) with time zone'),
      payment: column('payment', 'jsonb', true),
      paymentTxHash: column('payment_tx_hash', 'text', true),
      failure: column('failure', 'jsonb', true),
      failureTxHash: column('failure_tx_hash', 'text', true),
    },
    statuses: {
      pending: ['pending'],
      failed: ['failed'],
      expired: ['expired'],
      cancelled: ['cancelled'],
      completed: ['completed'],
    },
    extra: { data: column('data', 'jsonb', true) },
    search: search.map((field) => ({
      ...column('data', 'text', true),
      expression: (table) =>
        `(${table === undefined ? '' : `${table}.`}data->>${quoteText(field)})`,
    })),
  }
}

/** $1 to $3 are the name, the merchant and the reference. */
const HAS_KEY = 'name = $1::text AND merchant = $2::text AND reference = $3::text'

/** Also makes reports due that arrived before the order. */
export const createOrder = statement(
  'orders.create',
  `WITH created AS (
    INSERT INTO tonplug.orders
      (name, merchant, reference, raw_amount, asset, recipient, data, created_at, body_base64_hash,
        offers)
    VALUES ($1::text, $2::text, $3::text, $4::text::numeric, $5::text, $6::text,
      $7::text::jsonb, coalesce(${fromMs('$8')}, ${NOW}), $9::text, $10::text::jsonb)
    ON CONFLICT (name, reference, merchant) DO NOTHING
    RETURNING reference
  ), parked AS (
    SELECT id FROM tonplug.reports
    WHERE ${HAS_KEY} AND state = 'parked' AND EXISTS (SELECT FROM created)
    ORDER BY id
    FOR UPDATE
  ), matched AS (
    UPDATE tonplug.reports r SET retry_at = ${MATCHED} FROM parked WHERE r.id = parked.id
  )
  SELECT reference FROM created`,
)

export const cancelOrder = statement(
  'orders.cancel',
  `UPDATE tonplug.orders SET status = 'cancelled'
  WHERE ${HAS_KEY} AND status IN ('pending', 'failed', 'expired')
  RETURNING reference`,
)

export const expireOrder = statement(
  'orders.expire',
  `UPDATE tonplug.orders SET status = 'expired'
  WHERE ${HAS_KEY} AND status IN ('pending', 'failed')
  RETURNING reference`,
)

export const checkOrders = statement(
  'orders.checkAccess',
  `SELECT ${accessProblem(ORDER_PRIVILEGES)} AS problem`,
)
