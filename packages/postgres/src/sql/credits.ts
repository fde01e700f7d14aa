import { listOf } from './reports.js'
import { NOW, statement, toMs } from './statement.js'

/** Stores credits and their hashes: $1 is a JSON list. Sorted, so that two concurrent calls do not deadlock. */
export const storeCredits = statement(
  'inbox.credits.store',
  `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::text::jsonb) AS given(
      id text, account text, wallet text, tx_hash text, asset text, raw_amount text, trace_id text,
      utime bigint, hashes jsonb, facts jsonb, name text, merchant text, reference text
    )
  ), stored AS (
    INSERT INTO tonplug.credits AS standing
      (id, account, wallet, tx_hash, asset, raw_amount, trace_id, utime, facts, name, merchant,
        reference, seen_at)
    SELECT id, account, wallet, tx_hash, asset, raw_amount::numeric, trace_id, utime, facts,
      name, merchant, reference, ${NOW}
    FROM given
    ORDER BY id
    ON CONFLICT (id) DO UPDATE SET
      account = EXCLUDED.account, wallet = EXCLUDED.wallet, tx_hash = EXCLUDED.tx_hash,
      asset = EXCLUDED.asset, trace_id = EXCLUDED.trace_id, utime = EXCLUDED.utime,
      facts = EXCLUDED.facts, raw_amount = EXCLUDED.raw_amount,
      -- One that was used before it was stored: the row has what a use that is not visible yet has counted.
      used = CASE
        WHEN standing.raw_amount IS NOT NULL THEN standing.used
        ELSE least(standing.used, EXCLUDED.raw_amount) END,
      name = coalesce(standing.name, EXCLUDED.name),
      merchant = coalesce(standing.merchant, EXCLUDED.merchant),
      reference = coalesce(standing.reference, EXCLUDED.reference)
      WHERE standing.raw_amount IS NULL
        OR (standing.reference IS NULL AND EXCLUDED.reference IS NOT NULL)
  )
  INSERT INTO tonplug.credit_hashes (hash, credit_id)
  SELECT hash, id FROM given, jsonb_array_elements_text(hashes) AS hash
  ORDER BY id, hash
  ON CONFLICT DO NOTHING`,
)

const USES = `
  SELECT json_agg(json_build_object(
    'kind', u.kind, 'name', u.name, 'merchant', u.merchant, 'reference', u.reference,
    'payment', u.payment, 'rawAmount', least(u.raw_amount, c.raw_amount)::text,
    'usedAtMs', ${toMs('u.used_at')}
  ) ORDER BY u.used_at)
  FROM tonplug.uses u WHERE u.credit_id = c.id AND u.released_at IS NULL`

const RELEASED = `
  SELECT count(*)::text FROM tonplug.uses u
  WHERE u.credit_id = c.id AND u.kind = 'refund' AND u.released_at IS NOT NULL`

const select = (condition: string, order = 'c.id'): string => `
  SELECT c.id, c.account, c.wallet, c.tx_hash, c.asset, c.raw_amount::text AS raw_amount,
    c.trace_id, c.utime::text AS utime, c.facts::text AS facts, c.name, c.merchant, c.reference,
    ${toMs('c.seen_at')} AS seen_ms, (${USES})::text AS uses, (${RELEASED}) AS released
  FROM tonplug.credits c
  WHERE c.raw_amount IS NOT NULL AND ${condition}
  ORDER BY ${order}`

/** $1 is a JSON list. */
export const findCredits = statement('inbox.credits.find', select(`c.id = ${listOf('$1')}`))

/** $1 is a JSON list. */
export const findCreditsByHashes = statement(
  'inbox.credits.find',
  select(
    `c.id = ANY (ARRAY(SELECT credit_id FROM tonplug.credit_hashes WHERE hash = ${listOf('$1')}))`,
  ),
)

/** $1 is the name, $2 the merchant, $3 the reference. */
export const listCreditsOf = statement(
  'inbox.credits.listOf',
  select(`c.id = ANY (ARRAY(
    SELECT id FROM tonplug.credits
    WHERE reference = $3::text AND merchant = $2::text AND name = $1::text
    UNION
    SELECT credit_id FROM tonplug.uses
    WHERE reference = $3::text AND merchant = $2::text AND name = $1::text AND kind = 'order'
      AND released_at IS NULL
  ))`),
)

/** $1 is the wallet, $2 to $5 are the place to continue behind, $6 is the limit. */
export const listCreditsOfWallet = statement(
  'inbox.credits.listOfWallet',
  `${select(
    `c.wallet = $1::text AND (c.account, c.asset, c.utime, c.id)
      > ($2::text, $3::text, $4::text::bigint, $5::text)`,
    'c.account, c.asset, c.utime, c.id',
  )}
  LIMIT $6::text::int`,
)

/** $1 and $2 are the time and the id to continue behind, $3 is the end or null, $4 is the limit. */
export const listCredits = statement(
  'inbox.credits.list',
  `${select(
    `(c.utime, c.id) > ($1::text::bigint, $2::text)
      AND ($3::text IS NULL OR c.utime < $3::text::bigint)`,
    'c.utime, c.id',
  )}
  LIMIT $4::text::int`,
)
