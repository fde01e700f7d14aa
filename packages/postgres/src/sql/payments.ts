import { statement } from './statement.js'

/** SQLSTATE of `tonplug.reject_claim`. */
export const CLAIMED_BY_OTHER = 'TP001'

/** Parameters of the claims of one order. */
interface ClaimParameters {
  name: string
  merchant: string
  reference: string
  /** A JSON list of payments. */
  payments: string
}

/** The payments to claim, with the hashes of their keys. The key of a credit is the same in the whole database. */
function wantedPayments({ name, merchant, payments }: ClaimParameters): string {
  const key = `CASE WHEN starts_with(payment, 'credit:') THEN payment
    ELSE '[' || concat_ws(',', to_json(${name}), to_json(${merchant}), to_json(payment)) || ']' END`
  return `
    SELECT DISTINCT payment, sha256(convert_to(${key}, 'UTF8')) AS key_hash
    FROM jsonb_array_elements_text(${payments}::text::jsonb) AS given(payment)`
}

/**
 * Claims payments if `condition` holds. Sorted, so that concurrent claims do not deadlock. Where another order has claimed
 * one, `tonplug.reject_claim` rolls the statement back.
 */
export function claimAll(claims: ClaimParameters, condition: string): string {
  const { name, merchant, reference } = claims
  return `
    INSERT INTO tonplug.payments AS standing (key_hash, name, merchant, payment, reference)
    SELECT key_hash, ${name}, ${merchant}, payment, ${reference}
    FROM (${wantedPayments(claims)}) wanted
    WHERE ${condition}
    ORDER BY key_hash
    ON CONFLICT (key_hash) DO UPDATE SET reference = tonplug.reject_claim()
      WHERE (standing.name, standing.merchant, standing.reference)
        <> (EXCLUDED.name, EXCLUDED.merchant, EXCLUDED.reference)`
}

/**
 * True unless another order has claimed one of the payments. A subquery and not a join: PostgreSQL expects a hundred payments
 * in any JSON list, and would join them by reading the whole table.
 */
function areFree(claims: ClaimParameters): string {
  const { name, merchant, reference } = claims
  return `NOT EXISTS (
    SELECT FROM (${wantedPayments(claims)}) wanted
    WHERE (
      SELECT (p.name, p.merchant, p.reference) <> (${name}, ${merchant}, ${reference})
      FROM tonplug.payments p WHERE p.key_hash = wanted.key_hash
    )
  )`
}

/** $1 is the name, or the report that has it; $2 the merchant, $3 the reference, $4 the payments. */
const claimsOf = (name: string): ClaimParameters => ({
  name,
  merchant: '$2::text',
  reference: '$3::text',
  payments: '$4',
})
const OF_REPORT = claimsOf('(SELECT name FROM tonplug.reports WHERE id = $1::text::bigint)')

/** Looks for claims of other orders first: an error would also end the transaction of a shop. */
const claim = (claims: ClaimParameters) =>
  statement(
    'inbox.claimPayments',
    `WITH free AS MATERIALIZED (SELECT ${areFree(claims)} AS is_free), claimed AS (
      ${claimAll(claims, '(SELECT is_free FROM free)')}
    )
    SELECT is_free::text AS is_free FROM free`,
  )

export const claimPayments = claim(claimsOf('$1::text'))

export const claimPaymentsOf = claim(OF_REPORT)

/** Claims nothing. */
export const areReportedPaymentsFree = statement(
  'inbox.claimPayments',
  `SELECT (${areFree(OF_REPORT)})::text AS is_free`,
)
