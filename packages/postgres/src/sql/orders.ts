import { accessProblem } from './access.js'
import { claimWanted, isReused, wantedPayments } from './payments.js'
import { insertReport, MATCHED, RECORD, RECORDED, REPORT_COLUMNS, STORED } from './reports.js'
import { fromMs, NOW, statement, toMs } from './statement.js'
import { ADD_TASKS } from './tasks.js'

/** The columns of an order `o`, as text. Their names differ from those of a report. */
const ORDER_COLUMNS = `
  o.reference AS order_reference, o.merchant AS order_merchant, o.raw_amount::text AS raw_amount,
  o.asset, o.recipient, o.status, ${toMs('o.created_at')} AS created_ms, o.payment::text AS payment,
  o.failure::text AS failure, o.data::text AS data, o.body_base64_hash`

const OPEN = `status IN ('pending', 'failed', 'expired')`

/** Parameters of an order's key. */
interface KeyParameters {
  name: string
  merchant: string
  reference: string
}

/** $1 to $3. */
const KEY: KeyParameters = { name: '$1::text', merchant: '$2::text', reference: '$3::text' }

const HAS_KEY = ({ name, merchant, reference }: KeyParameters): string =>
  `name = ${name} AND merchant = ${merchant} AND reference = ${reference}`

export const findOrder = statement(
  'orders.find',
  `SELECT ${ORDER_COLUMNS} FROM tonplug.orders o WHERE ${HAS_KEY(KEY)}`,
)

/** $2 is a JSON list. */
const findBy = (operation: string, column: string) =>
  statement(
    operation,
    `SELECT ${ORDER_COLUMNS} FROM tonplug.orders o
    WHERE o.name = $1::text
      AND o.${column} IN (SELECT jsonb_array_elements_text($2::text::jsonb))
    ORDER BY o.created_at, o.merchant, o.reference`,
  )

export const findOrdersByBody = findBy('orders.findByBodyHashes', 'body_base64_hash')

export const findOrdersByReference = findBy('orders.findByReferences', 'reference')

/** Also makes reports due that arrived before the order. */
export const createOrder = statement(
  'orders.create',
  `WITH created AS (
    INSERT INTO tonplug.orders
      (name, merchant, reference, raw_amount, asset, recipient, data, created_at, body_base64_hash)
    VALUES (${KEY.name}, ${KEY.merchant}, ${KEY.reference}, $4::text::numeric, $5::text, $6::text,
      $7::text::jsonb, coalesce(${fromMs('$8')}, ${NOW}), $9::text)
    ON CONFLICT (name, reference, merchant) DO NOTHING
    RETURNING reference
  ), parked AS (
    SELECT id FROM tonplug.reports
    WHERE ${HAS_KEY(KEY)} AND state = 'parked' AND EXISTS (SELECT FROM created)
    ORDER BY id
    FOR UPDATE
  ), matched AS (
    UPDATE tonplug.reports r SET retry_at = ${MATCHED} FROM parked WHERE r.id = parked.id
  )
  SELECT reference FROM created`,
)

/** Stores a payment and its transaction hash in an order of `key`. */
const COMPLETE = (key: KeyParameters, txHash: string, payment: string): string => `
  UPDATE tonplug.orders
  SET status = 'completed', payment_tx_hash = ${txHash}::text, payment = ${payment}::text::jsonb
  WHERE ${HAS_KEY(key)} AND ${OPEN}`

/** Stores a failure and its transaction hash in an order of `key`. */
const FAIL = (key: KeyParameters, txHash: string, failure: string): string => `
  UPDATE tonplug.orders
  SET status = CASE status WHEN 'pending' THEN 'failed' ELSE status END,
    failure_tx_hash = ${txHash}::text, failure = ${failure}::text::jsonb
  WHERE ${HAS_KEY(key)} AND ${OPEN} AND failure_tx_hash IS DISTINCT FROM ${txHash}::text`

export const completeOrder = statement(
  'orders.complete',
  `${COMPLETE(KEY, '$4', '$5')} RETURNING reference`,
)

export const failOrder = statement('orders.fail', `${FAIL(KEY, '$4', '$5')} RETURNING reference`)

/** Reads why a transition was not applied. A statement of its own, since the update may have waited for another one. */
export const explainOrder = statement(
  'orders.explain',
  `SELECT status, payment_tx_hash, failure_tx_hash FROM tonplug.orders WHERE ${HAS_KEY(KEY)}`,
)

export const cancelOrder = statement(
  'orders.cancel',
  `UPDATE tonplug.orders SET status = 'cancelled' WHERE ${HAS_KEY(KEY)} AND ${OPEN}
  RETURNING reference`,
)

export const expireOrder = statement(
  'orders.expire',
  `UPDATE tonplug.orders SET status = 'expired'
  WHERE ${HAS_KEY(KEY)} AND status IN ('pending', 'failed')
  RETURNING reference`,
)

/** $2 is the earliest creation time; the page follows the position ($3, $4, $5). */
export const listOpenOrders = statement(
  'orders.listOpen',
  `SELECT ${ORDER_COLUMNS} FROM tonplug.orders o
  WHERE o.name = $1::text AND ${OPEN}
    AND o.created_at >= coalesce(${fromMs('$2')}, '-infinity')
    AND (o.created_at, o.merchant, o.reference)
      > (coalesce(${fromMs('$3')}, '-infinity'), $4::text, $5::text)
  ORDER BY o.created_at, o.merchant, o.reference
  LIMIT $6::text::integer`,
)

export const checkOrders = statement(
  'orders.checkAccess',
  `SELECT ${accessProblem({ orders: ['SELECT', 'INSERT', 'UPDATE'] })} AS problem`,
)

/** `storeReport`, with the order as it was before. $12 is the name of the orders, $13 the reference to look up. */
export const storeAndFind = statement(
  'inbox.storeAndFind',
  `WITH wanted AS (
    SELECT * FROM tonplug.orders
    WHERE ${HAS_KEY({ name: '$12::text', merchant: '$2::text', reference: '$13::text' })}
  ), inserted AS (${insertReport(
    "EXISTS (SELECT FROM wanted WHERE status = 'completed' AND payment_tx_hash = $7::text)",
  )})
  SELECT ${REPORT_COLUMNS}, ${ORDER_COLUMNS} FROM (${STORED}) r LEFT JOIN wanted o ON true`,
)

/** $8 to $10 of the combined statements; $1 to $7 are the decision. */
const MOVED: KeyParameters = { name: '$8::text', merchant: '$9::text', reference: '$10::text' }

const RECORD_MOVED = `recorded AS (
    ${RECORD} AND EXISTS (SELECT FROM moved) RETURNING ${RECORDED}
  ), added AS (${ADD_TASKS})
  SELECT
    (SELECT count(*) FROM moved)::text AS moved,
    (SELECT count(*) FROM recorded)::text AS recorded`

const CLAIMS = { ...MOVED, payments: '$13' }

/**
 * Locks the order before anything else, so that a statement that waits for it has changed nothing. $11 is the transaction's
 * hash, $12 the payment, $13 the payments to claim.
 */
export const completeAndDecide = statement(
  'inbox.completeAndDecide',
  `WITH wanted AS MATERIALIZED (${wantedPayments(CLAIMS)}), moved AS (
    ${COMPLETE(MOVED, '$11', '$12')} AND NOT ${isReused(MOVED.reference)} RETURNING reference
  ), claimed AS (
    ${claimWanted(CLAIMS, 'EXISTS (SELECT FROM moved)')}
  ), ${RECORD_MOVED}, (${isReused(MOVED.reference)})::text AS is_reused`,
)

/** $11 is the transaction's hash, $12 the failure. */
export const failAndDecide = statement(
  'inbox.failAndDecide',
  `WITH moved AS (${FAIL(MOVED, '$11', '$12')} RETURNING reference), ${RECORD_MOVED}`,
)
