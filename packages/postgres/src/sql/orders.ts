import { DELIVERY_COLUMNS, INSERT_COLUMNS, INSERT_VALUES, MATCHED, RECORD } from './deliveries.js'
import { fromMs, statement, toMs, type Statement } from './statement.js'
import { ADD_TASKS } from './tasks.js'

/** The columns of an order `o`, as text. Named apart from those of a delivery. */
const ORDER_COLUMNS = `
  o.reference AS order_reference, o.raw_amount::text AS raw_amount, o.asset, o.recipient,
  o.status, ${toMs('o.created_at')} AS created_ms, o.payment::text AS payment,
  o.failure::text AS failure, o.data::text AS data, o.body_base64_hash`

const OPEN = `status IN ('pending', 'failed', 'expired')`

export const findOrder = statement(
  'orders.findByReference',
  `SELECT ${ORDER_COLUMNS} FROM tonplug.orders o WHERE o.reference = $1::text`,
)

/** The gateway makes a hash for one transfer alone; of several orders the newest counts. */
export const findOrderByBody = statement(
  'orders.findByBodyHash',
  `SELECT ${ORDER_COLUMNS} FROM tonplug.orders o WHERE o.body_base64_hash = $1::text
  ORDER BY o.created_at DESC, o.reference DESC LIMIT 1`,
)

/** Makes deliveries due that came before the order. */
export const createOrder = statement(
  'orders.create',
  `WITH created AS (
    INSERT INTO tonplug.orders
      (reference, raw_amount, asset, recipient, data, created_at, body_base64_hash)
    VALUES ($1::text, $2::text::numeric, $3::text, $4::text, $5::text::jsonb,
      coalesce(${fromMs('$6')}, now()), $7::text)
    ON CONFLICT (reference) DO NOTHING
    RETURNING reference
  ), parked AS (
    SELECT id FROM tonplug.deliveries
    WHERE reference = $1::text AND state = 'parked' AND EXISTS (SELECT FROM created)
    ORDER BY id
    FOR UPDATE
  ), matched AS (
    UPDATE tonplug.deliveries d SET retry_at = ${MATCHED} FROM parked WHERE d.id = parked.id
  )
  SELECT reference FROM created`,
)

const COMPLETE = (reference: string, txHash: string, payment: string): string => `
  UPDATE tonplug.orders
  SET status = 'completed', payment_tx_hash = ${txHash}::text, payment = ${payment}::text::jsonb
  WHERE reference = ${reference}::text AND ${OPEN}
  RETURNING reference`

const FAIL = (reference: string, txHash: string, failure: string): string => `
  UPDATE tonplug.orders
  SET status = 'failed', failure_tx_hash = ${txHash}::text, failure = ${failure}::text::jsonb
  WHERE reference = ${reference}::text AND status = 'pending'
  RETURNING reference`

export const completeOrder = statement('orders.complete', COMPLETE('$1', '$2', '$3'))

export const failOrder = statement('orders.recordFailure', FAIL('$1', '$2', '$3'))

/** What stands in the way of a transition: read by itself, since the update may have waited for another one. */
export const explainOrder = statement(
  'orders.explain',
  `SELECT status, payment_tx_hash, failure_tx_hash FROM tonplug.orders WHERE reference = $1::text`,
)

export const cancelOrder = statement(
  'orders.cancel',
  `UPDATE tonplug.orders SET status = 'cancelled' WHERE reference = $1::text AND ${OPEN}
  RETURNING reference`,
)

export const expireOrder = statement(
  'orders.expire',
  `UPDATE tonplug.orders SET status = 'expired'
  WHERE reference = $1::text AND status IN ('pending', 'failed')
  RETURNING reference`,
)

/** One page after the position ($3, $4). */
export const listOpenOrders = statement(
  'orders.listOpen',
  `SELECT ${ORDER_COLUMNS} FROM tonplug.orders o
  WHERE ${OPEN}
    AND o.created_at >= coalesce(${fromMs('$1')}, '-infinity')
    AND o.created_at < coalesce(${fromMs('$2')}, 'infinity')
    AND (o.created_at, o.reference) > (coalesce(${fromMs('$3')}, '-infinity'), $4::text)
  ORDER BY o.created_at, o.reference
  LIMIT $5::text::integer`,
)

/** `storeDelivery`, with the order as it was before. */
export const storeAndFind = statement(
  'inbox.storeAndFind',
  `WITH wanted AS (
    SELECT * FROM tonplug.orders WHERE reference = $4::text
  ), standing AS (
    SELECT * FROM tonplug.deliveries WHERE key_hash = decode($3::text, 'hex')
  ), inserted AS (
    INSERT INTO tonplug.deliveries (${INSERT_COLUMNS})
    SELECT ${INSERT_VALUES},
      EXISTS (SELECT FROM wanted WHERE status = 'completed' AND payment_tx_hash = $5::text)
    WHERE NOT EXISTS (SELECT FROM standing)
    ON CONFLICT (key_hash) DO NOTHING
    RETURNING *
  )
  SELECT ${DELIVERY_COLUMNS}, ${ORDER_COLUMNS}
  FROM (SELECT * FROM standing UNION ALL SELECT * FROM inserted) d LEFT JOIN wanted o ON true`,
)

/** The order's transition first: whoever waits for its row has touched nothing yet. */
const moveAndDecide = (operation: string, move: string): Statement =>
  statement(
    operation,
    `WITH moved AS (${move}), recorded AS (
      ${RECORD} AND EXISTS (SELECT FROM moved) RETURNING id, receiver
    ), added AS (${ADD_TASKS})
    SELECT
      (SELECT count(*) FROM moved)::text AS moved,
      (SELECT count(*) FROM recorded)::text AS recorded`,
  )

export const completeAndDecide = moveAndDecide(
  'inbox.completeAndDecide',
  COMPLETE('$7', '$8', '$9'),
)

export const failAndDecide = moveAndDecide('inbox.failAndDecide', FAIL('$7', '$8', '$9'))
