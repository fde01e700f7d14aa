import { NOW, statement } from './statement.js'

/** SQLSTATE of `tonplug.reject_claim`. */
export const CLAIMED_BY_OTHER = 'TP001'
/** The unique key that links one credit to each part of a payment. */
export const ONE_CREDIT_EACH = 'uses_link_hash_key'

/** Used of a credit that is not stored, by a use of all of it: more than any amount. */
const WHOLE = '1e79::numeric'

/** Begins a payment that is a credit; any other one is a transaction. */
export const CREDIT = 'credit:'

/** Parameters of the claims of one order, as SQL expressions. */
interface ClaimParameters {
  name: string
  merchant: string
  reference: string
  /** A JSON list of payments. */
  payments: string
  /** `'order'` or `'refund'`. */
  kind: string
  /** The hash of the payment that the credits are linked to, or null. */
  payment: string
  /** The amount that an order uses of the credits, or null for all of them. */
  usedAmount: string
  /** A JSON list of the orders that a refund takes money from. */
  takesFrom?: string
}

/** Returns the hash of a JSON list. */
function hashOf(...values: readonly string[]): string {
  const json = values.map((value) => `to_json(${value})`).join(', ')
  return `sha256(convert_to('[' || concat_ws(',', ${json}) || ']', 'UTF8'))`
}

/** The transactions to claim, with the hashes of their keys. */
function wantedPayments({ name, merchant, payments }: ClaimParameters): string {
  return `
    SELECT DISTINCT payment, ${hashOf(name, merchant, 'payment')} AS key_hash
    FROM jsonb_array_elements_text(${payments}::text::jsonb) AS given(payment)
    WHERE NOT starts_with(payment, '${CREDIT}')`
}

/**
 * The credits to use, with the amounts and the hashes of their links: all of them, and for an order those that it needs. One
 * that is not stored is not linked, and has no amount.
 */
function wantedCredits(claims: ClaimParameters): string {
  const { kind, name, merchant, reference, payments, payment, usedAmount } = claims
  const rest = `(CASE ${kind} WHEN 'order' THEN ${usedAmount} END - previous)`
  return `
    SELECT id, CASE WHEN whole > ${rest} OR (whole IS NULL AND is_alone) THEN ${rest} ELSE whole END AS raw_amount,
      CASE WHEN ${payment} IS NOT NULL AND whole IS NOT NULL
      THEN ${hashOf(name, merchant, reference, payment, 'part')} END AS link_hash
    FROM (
      SELECT id, part, whole, count(*) OVER () = 1 AS is_alone, coalesce(sum(whole) OVER (
        ORDER BY part ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0) AS previous
      FROM (
        SELECT id, part, (SELECT c.raw_amount FROM tonplug.credits c WHERE c.id = numbered.id) AS whole
        FROM (
          SELECT substr(claim, 8) AS id, row_number() OVER (ORDER BY min(place)) AS part
          FROM jsonb_array_elements_text(${payments}::text::jsonb) WITH ORDINALITY AS given(claim, place)
          WHERE starts_with(claim, '${CREDIT}')
          GROUP BY claim
        ) numbered
      ) known
    ) summed
    WHERE coalesce(${rest} > 0, true)`
}

function ownerHash({ kind, name, merchant, reference }: ClaimParameters): string {
  return hashOf(kind, name, merchant, reference)
}

/** The orders that a refund takes money from. */
function losers({ name, merchant, takesFrom = "'[]'" }: ClaimParameters): string {
  return `(
    SELECT reference, payment, ${hashOf("'order'::text", name, merchant, 'reference')} AS owner_hash
    FROM jsonb_to_recordset(${takesFrom}::text::jsonb) AS given(reference text, payment text)
  ) loser`
}

/** True for a transaction that nothing has claimed, or that a refund takes from the order of a reference. */
function isUnclaimed(claims: ClaimParameters, reference: string): string {
  if (claims.takesFrom === undefined) return `${reference} = ''`
  return `(${reference} = '' OR ${reference} = ANY (ARRAY(SELECT reference FROM ${losers(claims)})))`
}

/** True for a use `u` of an order that a refund takes money from. */
function isTaken(claims: ClaimParameters): string {
  return `u.released_at IS NULL AND u.owner_hash = ANY (ARRAY(SELECT owner_hash FROM ${losers(claims)}))`
}

/**
 * True for a use `u` that is linked to the payment that completed its order. A subquery and not a join: PostgreSQL evaluates it
 * again for a row that was changed in the meantime.
 */
function isOfPaid(claims: ClaimParameters): string {
  return `coalesce(
    u.payment = (SELECT max(payment) FROM ${losers(claims)} WHERE loser.owner_hash = u.owner_hash), false
  )`
}

/** The used amount of a credit without the use of an order that a refund takes money from. */
function keptAmount(
  { takesFrom }: ClaimParameters,
  { credit, taken }: { credit: string; taken: string },
): string {
  if (takesFrom === undefined) return `${credit}.used`
  return `(${credit}.used - coalesce((
    SELECT least(coalesce(u.raw_amount, ${credit}.used), ${credit}.used)
    FROM ${taken} u WHERE u.credit_id = ${credit}.id
  ), 0))`
}

/** A common table expression that ends the uses of the orders that a refund takes money from, if `condition` holds. */
function endUses(claims: ClaimParameters, condition: string): string {
  if (claims.takesFrom === undefined) return ''
  return `, taken AS (
      UPDATE tonplug.uses u SET released_at = ${NOW}, link_hash = NULL
      WHERE u.credit_id = ANY (ARRAY(SELECT id FROM (${wantedCredits(claims)}) wanted))
        AND ${isTaken(claims)} AND NOT ${isOfPaid(claims)} AND NOT EXISTS (
          SELECT FROM tonplug.uses own
          WHERE own.credit_id = u.credit_id AND own.owner_hash = ${ownerHash(claims)}
        ) AND ${condition}
      RETURNING u.credit_id, u.raw_amount
    )`
}

/**
 * A repeated claim changes no use. Where an equal claim has committed at the same moment, ending the uses of orders would
 * free what the order held without a new use.
 */
function onOwnUse({ takesFrom }: ClaimParameters): string {
  if (takesFrom === undefined) return 'DO NOTHING'
  return `DO UPDATE SET kind = tonplug.reject_claim()
        WHERE EXISTS (SELECT FROM taken WHERE taken.credit_id = own.credit_id)`
}

/**
 * A common table expression that claims transactions if `condition` holds. Sorted, so that concurrent claims do not deadlock.
 * Where another order has claimed one, `tonplug.reject_claim` rolls the statement back.
 */
export function claimTransactions(claims: ClaimParameters, condition: string): string {
  const { name, merchant, reference } = claims
  return `claimed AS (
      INSERT INTO tonplug.payments AS standing (key_hash, name, merchant, payment, reference)
      SELECT key_hash, ${name}, ${merchant}, payment, ${reference}
      FROM (${wantedPayments(claims)}) wanted
      WHERE ${condition}
      ORDER BY key_hash
      ON CONFLICT (key_hash) DO UPDATE SET reference = CASE
        WHEN ${isUnclaimed(claims, 'standing.reference')} THEN EXCLUDED.reference
        ELSE tonplug.reject_claim() END
        WHERE (standing.name, standing.merchant, standing.reference)
          <> (EXCLUDED.name, EXCLUDED.merchant, EXCLUDED.reference)
    )`
}

/**
 * Common table expressions that claim transactions and use credits if `condition` holds. Where the payment is linked to another
 * credit, a unique key rolls the statement back.
 */
export function claimAll(claims: ClaimParameters, condition: string): string {
  const { kind, name, merchant, reference, payment } = claims
  const owner = ownerHash(claims)
  const amount = '(SELECT raw_amount FROM used WHERE credit_id = standing.id)'
  const before = keptAmount(claims, { credit: 'standing', taken: 'taken' })
  return `${claimTransactions(claims, condition)}${endUses(claims, condition)}, used AS (
      INSERT INTO tonplug.uses AS own
        (credit_id, owner_hash, link_hash, kind, name, merchant, reference, payment, raw_amount, used_at)
      SELECT id, ${owner}, link_hash, ${kind}, ${name}, ${merchant}, ${reference}, ${payment},
        CASE ${kind} WHEN 'refund'
          THEN (
            SELECT c.raw_amount - ${keptAmount(claims, { credit: 'c', taken: 'taken' })}
            FROM tonplug.credits c WHERE c.id = wanted.id
          )
          ELSE raw_amount END,
        ${NOW}
      FROM (${wantedCredits(claims)}) wanted
      WHERE ${condition}
      ORDER BY id
      ON CONFLICT (credit_id, owner_hash) ${onOwnUse(claims)}
      RETURNING credit_id, raw_amount
    ), linked AS (
      UPDATE tonplug.uses u SET link_hash = wanted.link_hash,
        -- A refund has taken the credit at the same moment.
        payment = CASE WHEN u.released_at IS NULL THEN ${payment} ELSE tonplug.reject_claim() END
      FROM (${wantedCredits(claims)}) wanted
      WHERE u.credit_id = wanted.id AND u.owner_hash = ${owner}
        AND u.link_hash IS DISTINCT FROM wanted.link_hash AND wanted.link_hash IS NOT NULL
        AND ${condition}
    ), counted AS (
      INSERT INTO tonplug.credits AS standing (id, raw_amount, used, seen_at)
      SELECT credit_id, NULL::numeric, coalesce(raw_amount, ${WHOLE}), ${NOW}
      FROM used
      ORDER BY credit_id
      ON CONFLICT (id) DO UPDATE SET used = CASE
        WHEN ${before} = 0 THEN coalesce(least(${amount}, standing.raw_amount), ${WHOLE})
        WHEN ${kind} = 'refund' AND ${before} < standing.raw_amount
          AND ${before} + ${amount} <= standing.raw_amount
          THEN ${before} + ${amount}
        ELSE tonplug.reject_claim()::numeric END
    )`
}

/** True when a credit of one of these hashes is stored. @param hashes a JSON list or null */
export function isCreditStored(hashes: string): string {
  return `EXISTS (
    SELECT FROM tonplug.credit_hashes
    WHERE hash = ANY (ARRAY(SELECT jsonb_array_elements_text(${hashes}::text::jsonb)))
  )`
}

/** Or true for a wanted credit whose use by an order that a refund takes money from is linked to the order's payment. */
function hasPaid(claims: ClaimParameters): string {
  if (claims.takesFrom === undefined) return ''
  return ` OR EXISTS (
      SELECT FROM tonplug.uses u
      WHERE u.credit_id = wanted.id AND ${isTaken(claims)} AND ${isOfPaid(claims)}
    )`
}

/**
 * True unless another order has claimed one of the payments. A subquery and not a join: PostgreSQL expects a hundred payments
 * in any JSON list, and would join them by reading the whole table.
 */
function areFree(claims: ClaimParameters): string {
  const { kind, name, merchant, reference } = claims
  const owner = ownerHash(claims)
  const taken = `(SELECT * FROM tonplug.uses u WHERE ${isTaken(claims)})`
  const used = keptAmount(claims, { credit: 'c', taken })
  return `NOT EXISTS (
    SELECT FROM (${wantedPayments(claims)}) wanted
    WHERE (
      SELECT (p.name, p.merchant, p.reference) <> (${name}, ${merchant}, ${reference})
        AND NOT ${isUnclaimed(claims, 'p.reference')}
      FROM tonplug.payments p WHERE p.key_hash = wanted.key_hash
    )
  ) AND NOT EXISTS (
    SELECT FROM (${wantedCredits(claims)}) wanted
    WHERE (
      SELECT ${used} > 0 AND NOT coalesce(${kind} = 'refund' AND ${used} < c.raw_amount, false)
        AND NOT EXISTS (
          SELECT FROM tonplug.uses u WHERE u.credit_id = c.id AND u.owner_hash = ${owner}
        )
      FROM tonplug.credits c WHERE c.id = wanted.id
    ) OR (
      SELECT u.released_at IS NOT NULL FROM tonplug.uses u
      WHERE u.credit_id = wanted.id AND u.owner_hash = ${owner}
    ) OR (
      SELECT u.credit_id <> wanted.id FROM tonplug.uses u WHERE u.link_hash = wanted.link_hash
    )${hasPaid(claims)}
  )`
}

/**
 * $1 is the name, or the report that has it; $2 the merchant, $3 the reference, $4 the payments, $5 the hash of the payment
 * that completes the order, $7 the amount that it uses.
 */
const claimsOf = (name: string, kind = "'order'::text"): ClaimParameters => ({
  name,
  merchant: '$2::text',
  reference: '$3::text',
  payments: '$4',
  payment: '$5::text',
  usedAmount: '$7::text::numeric',
  kind,
})
const OF_REPORT = claimsOf('(SELECT name FROM tonplug.reports WHERE id = $1::text::bigint)')

/** Looks for claims of other orders first: an error would also end the transaction of a shop. */
const claim = (claims: ClaimParameters, hashes: string) =>
  statement(
    'inbox.credits.claim',
    `WITH free AS MATERIALIZED (
      SELECT ${areFree(claims)} AND NOT ${isCreditStored(hashes)} AS is_free
    ),
    ${claimAll(claims, '(SELECT is_free FROM free)')}
    SELECT is_free::text AS is_free FROM free`,
  )

/** $6 are the hashes of credits that are perhaps not stored, $8 is the kind of the use. */
const OF_NAME = claimsOf('$1::text', '$8::text')
export const claimPayments = claim(OF_NAME, '$6')

/** $9 are the orders that the refund takes money from. */
export const takePayments = claim({ ...OF_NAME, takesFrom: '$9' }, '$6')

/**
 * $1 is the name, $2 the merchant, $3 the reference of the refund, $4 the credit. Frees the other claims of the refund as
 * well.
 */
export const releaseRefund = statement(
  'inbox.credits.release',
  `WITH released AS (
    UPDATE tonplug.uses u SET released_at = ${NOW}
    WHERE u.credit_id = $4::text AND u.kind = 'refund' AND u.released_at IS NULL
      AND u.name = $1::text AND u.merchant = $2::text AND u.reference = $3::text
    RETURNING u.credit_id, u.raw_amount
  ), freed AS (
    UPDATE tonplug.payments p SET reference = ''
    WHERE p.reference = $3::text AND starts_with(p.reference, '["refund",')
      AND p.name = $1::text AND p.merchant = $2::text AND EXISTS (SELECT FROM released)
  )
  UPDATE tonplug.credits c SET used = c.used - least(coalesce(r.raw_amount, c.used), c.used)
  FROM released r WHERE c.id = r.credit_id`,
)

/**
 * $1 is the name, $2 the merchant, $3 the reference of the order, $4 the credit, $5 the payment that it is linked to, $6 the other
 * claims to free.
 */
export const endLostUse = statement(
  'inbox.credits.release',
  `WITH ended AS (
    DELETE FROM tonplug.uses u
    WHERE u.credit_id = $4::text AND u.kind = 'order' AND u.released_at IS NULL
      AND u.payment IS NOT DISTINCT FROM $5::text
      AND u.name = $1::text AND u.merchant = $2::text AND u.reference = $3::text
    RETURNING u.credit_id, u.raw_amount
  ), freed AS (
    UPDATE tonplug.payments p SET reference = ''
    WHERE p.key_hash = ANY (ARRAY(
        SELECT key_hash FROM (${wantedPayments({ ...OF_NAME, payments: '$6' })}) wanted
      )) AND p.name = $1::text AND p.merchant = $2::text AND p.reference = $3::text
      AND EXISTS (SELECT FROM ended)
  )
  UPDATE tonplug.credits c SET used = c.used - least(coalesce(e.raw_amount, c.used), c.used)
  FROM ended e WHERE c.id = e.credit_id`,
)

export const claimPaymentsOf = claim(OF_REPORT, '$6')

/** Claims nothing. */
export const areReportedPaymentsFree = statement(
  'inbox.credits.claim',
  `SELECT (${areFree(OF_REPORT)} AND NOT ${isCreditStored('$6')})::text AS is_free`,
)
