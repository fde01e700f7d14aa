import { statement } from './statement.js'

/** Parameters of the claims of one order. */
interface ClaimParameters {
  name: string
  merchant: string
  reference: string
  /** A JSON list of payments. */
  payments: string
}

/** The payments to claim, with the hashes of their keys. */
export function wantedPayments({ name, merchant, payments }: ClaimParameters): string {
  const key = `'[' || concat_ws(',', to_json(${name}), to_json(${merchant}), to_json(payment)) || ']'`
  return `
    SELECT DISTINCT payment, sha256(convert_to(${key}, 'UTF8')) AS key_hash
    FROM jsonb_array_elements_text(${payments}::text::jsonb) AS given(payment)`
}

/**
 * The order that has claimed a `wanted` payment. A subquery and not a join: PostgreSQL expects a hundred payments in any JSON
 * list, and would join them by reading the whole table.
 */
const CLAIMANT = '(SELECT p.reference FROM tonplug.payments p WHERE p.key_hash = wanted.key_hash)'

/** True when another order has claimed one of the `wanted` payments. */
export function isReused(reference: string): string {
  return `EXISTS (SELECT FROM wanted WHERE ${CLAIMANT} <> ${reference})`
}

/**
 * Claims the `wanted` payments if `condition` holds. Sorted, so that concurrent claims do not deadlock. Where another order
 * claims one concurrently, `tonplug.keep_claim` rolls the statement back.
 */
export function claimWanted(
  { name, merchant, reference }: ClaimParameters,
  condition: string,
): string {
  return `
    INSERT INTO tonplug.payments AS standing (key_hash, name, merchant, payment, reference)
    SELECT key_hash, ${name}, ${merchant}, payment, ${reference} FROM wanted
    WHERE ${condition} AND ${CLAIMANT} IS NULL
    ORDER BY key_hash
    ON CONFLICT (key_hash) DO UPDATE
      SET reference = tonplug.keep_claim(standing.reference, EXCLUDED.reference)`
}

/** $1 is the name, or the report that has it; $2 the merchant, $3 the reference, $4 the payments. */
const claim = (name: string) => {
  const order = { name, merchant: '$2::text', reference: '$3::text', payments: '$4' }
  return statement(
    'inbox.claimPayments',
    `WITH wanted AS MATERIALIZED (${wantedPayments(order)}), claimed AS (
      ${claimWanted(order, `NOT ${isReused(order.reference)}`)}
    )
    SELECT (NOT ${isReused(order.reference)})::text AS is_ours`,
  )
}

export const claimPayments = claim('$1::text')

export const claimPaymentsOf = claim(
  '(SELECT name FROM tonplug.reports WHERE id = $1::text::bigint)',
)
