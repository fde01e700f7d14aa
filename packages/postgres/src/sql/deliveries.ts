import { ADD_TASKS } from './tasks.js'
import { fromMs, LONG_MS, statement, toMs } from './statement.js'

/** Due since ever: what is matched stays so, whatever a look that began before makes of it. */
export const MATCHED = 'to_timestamp(0)'

/** The columns of a delivery `d`, as text. */
export const DELIVERY_COLUMNS = `
  d.id::text AS id, d.receiver, d.key, d.reference, d.tx_hash, d.raw_body, d.signed_with,
  d.was_completed_before::text AS was_completed_before, ${toMs('d.received_at')} AS received_ms,
  d.state, d.attempts::text AS attempts, d.decision::text AS decision`

/** Parameters 1 to 8; `was_completed_before` comes last, from wherever it is known. */
export const INSERT_COLUMNS = `
  receiver, key, key_hash, reference, tx_hash, raw_body, signed_with, received_at, retry_at,
  was_completed_before`

export const INSERT_VALUES = `
  $1::text, $2::text, decode($3::text, 'hex'), $4::text, $5::text, $6::text, $7::text,
  ${fromMs('$8')}, ${fromMs('$9')}`

/**
 * A repetition writes nothing. Without a row another server is storing this very delivery; it stands when this
 * statement has run once more.
 */
export const storeDelivery = statement(
  'inbox.store',
  `WITH standing AS (
    SELECT * FROM tonplug.deliveries WHERE key_hash = decode($3::text, 'hex')
  ), inserted AS (
    INSERT INTO tonplug.deliveries (${INSERT_COLUMNS})
    SELECT ${INSERT_VALUES}, $10::text::boolean
    WHERE NOT EXISTS (SELECT FROM standing)
    ON CONFLICT (key_hash) DO NOTHING
    RETURNING *
  )
  SELECT ${DELIVERY_COLUMNS}
  FROM (SELECT * FROM standing UNION ALL SELECT * FROM inserted) d`,
)

/**
 * Whether a verdict may take the place of what stands: anything of what is not final, and `paid` of anything else.
 * $1 is the delivery, $2 its new state, $3 the decision, $4 the decision's kind, $5 when to look again, $6 the tasks.
 */
export const RECORD = `
  UPDATE tonplug.deliveries
  SET state = $2::text, decision = $3::text::jsonb,
    retry_at = CASE WHEN $2::text = 'parked' AND state = 'parked' AND retry_at = ${MATCHED}
      THEN retry_at ELSE ${fromMs('$5')} END
  WHERE id = $1::text::bigint
    AND (state <> 'decided' OR ($4::text = 'paid' AND decision->>'kind' <> 'paid'))`

export const decideDelivery = statement(
  'inbox.decide',
  `WITH recorded AS (${RECORD} RETURNING id, receiver), added AS (${ADD_TASKS})
  SELECT id::text AS id FROM recorded`,
)

const CLAIM = (condition: string): string => `
  WITH due AS (
    SELECT id FROM tonplug.deliveries
    WHERE receiver = $1::text AND state <> 'decided' AND retry_at <= ${fromMs('$2')} ${condition}
    ORDER BY retry_at, id
    LIMIT $4::text::integer
    FOR UPDATE SKIP LOCKED
  )
  UPDATE tonplug.deliveries d SET retry_at = ${fromMs('$3')}, attempts = d.attempts + 1
  FROM due WHERE d.id = due.id
  RETURNING ${DELIVERY_COLUMNS}`

export const claimDeliveries = statement('inbox.claimDeliveries', CLAIM(''))

export const claimDeliveriesOf = statement(
  'inbox.claimDeliveries',
  CLAIM('AND reference = $5::text'),
)

export const postponeDelivery = statement(
  'inbox.postpone',
  `UPDATE tonplug.deliveries SET retry_at = ${fromMs('$2')}
  WHERE id = $1::text::bigint AND state <> 'decided'`,
)

/** In the order of their ids, so that two calls at once do not lock each other out. */
export const matchReference = statement(
  'inbox.matchReference',
  `WITH parked AS (
    SELECT id FROM tonplug.deliveries
    WHERE receiver = $1::text AND reference = $2::text AND state = 'parked'
    ORDER BY id
    FOR UPDATE
  ), matched AS (
    UPDATE tonplug.deliveries d SET retry_at = ${MATCHED}
    FROM parked WHERE d.id = parked.id
    RETURNING d.id
  )
  SELECT count(*)::text AS count FROM matched`,
)

export const findDelivery = statement(
  'inbox.find',
  `SELECT ${DELIVERY_COLUMNS} FROM tonplug.deliveries d WHERE d.id = $1::text::bigint`,
)

/**
 * Tasks that are done go with their delivery. Should a task be added meanwhile, its reference to the delivery fails
 * the statement, and the next run finds it. Each part of `unfinished` has an index of its own.
 */
export const forgetDecided = statement(
  'inbox.forgetDecided',
  `WITH unfinished AS (
    SELECT reference FROM tonplug.deliveries WHERE receiver = $1::text AND state <> 'decided'
    UNION ALL
    SELECT d.reference FROM tonplug.handler_tasks t
    JOIN tonplug.deliveries d ON d.id = t.delivery_id
    WHERE t.receiver = $1::text AND t.state = 'open'
    UNION ALL
    SELECT d.reference FROM tonplug.handler_tasks t
    JOIN tonplug.deliveries d ON d.id = t.delivery_id
    WHERE t.receiver = $1::text AND t.state = 'dead'
  ), old AS (
    SELECT d.id FROM tonplug.deliveries d
    WHERE d.receiver = $1::text AND d.state = 'decided' AND d.received_at < ${fromMs('$2')}
      AND d.reference NOT IN (SELECT reference FROM unfinished)
    ORDER BY d.received_at, d.id
    LIMIT $3::text::integer
    FOR UPDATE SKIP LOCKED
  ), done AS (
    DELETE FROM tonplug.handler_tasks t USING old
    WHERE t.delivery_id = old.id AND t.state = 'done'
  ), gone AS (
    DELETE FROM tonplug.deliveries d USING old WHERE d.id = old.id RETURNING d.id
  )
  SELECT count(*)::text AS count FROM gone`,
  LONG_MS,
)

/** The update changes nothing: it answers the row that stands, also the one that another statement has just made. */
export const claimPayment = statement(
  'inbox.claimPayment',
  `INSERT INTO tonplug.payments AS standing (payment, reference) VALUES ($1::text, $2::text)
  ON CONFLICT (payment) DO UPDATE SET reference = standing.reference
  RETURNING reference`,
)

export const countOpen = statement(
  'inbox.stats',
  `WITH waiting AS (
    SELECT state, received_at FROM tonplug.deliveries
    WHERE state <> 'decided' AND ($1::text IS NULL OR receiver = $1::text)
  ), open AS (
    SELECT coalesce(t.replayed_at, d.received_at) AS since FROM tonplug.handler_tasks t
    JOIN tonplug.deliveries d ON d.id = t.delivery_id
    -- A proof that goes on is counted with its delivery, which is parked.
    WHERE t.state = 'open' AND t.handler <> 'verifyOnChain'
      AND ($1::text IS NULL OR t.receiver = $1::text)
  )
  SELECT
    (SELECT count(*) FROM waiting WHERE state = 'undecided')::text AS undecided,
    (SELECT count(*) FROM waiting WHERE state = 'parked')::text AS parked,
    (SELECT count(*) FROM open)::text AS open,
    (
      SELECT count(*) FROM tonplug.handler_tasks
      WHERE state = 'dead' AND ($1::text IS NULL OR receiver = $1::text)
    )::text AS dead,
    ${toMs(`least(
      (SELECT min(received_at) FROM waiting WHERE state = 'undecided'),
      (SELECT min(since) FROM open)
    )`)} AS oldest_ms,
    (
      current_setting('transaction_read_only') = 'on'
      OR NOT has_table_privilege('tonplug.deliveries', 'INSERT')
      OR NOT has_table_privilege('tonplug.deliveries', 'UPDATE')
      OR NOT has_table_privilege('tonplug.handler_tasks', 'INSERT')
      OR NOT has_table_privilege('tonplug.handler_tasks', 'UPDATE')
    )::text AS read_only`,
)
