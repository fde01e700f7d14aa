import { accessProblem, INBOX_PRIVILEGES } from './access.js'
import { isPinned } from './registration.js'
import { after, before, durationMs, fromMs, LONG_MS, NOW, statement, toMs } from './statement.js'
import { ADD_TASKS } from './tasks.js'

/** Marks a report as due since its order appeared; a decision that began before does not postpone it. */
export const MATCHED = 'to_timestamp(0)'

/** Postpones a report by the milliseconds of a parameter; one that was matched since its claim stays due. */
function afterUnlessMatched(parameter: string): string {
  return `CASE WHEN state = 'parked' AND retry_at = ${MATCHED} THEN retry_at ELSE ${after(parameter)} END`
}

/** The columns of a report `r`, as text. */
export const REPORT_COLUMNS = `
  r.id::text AS id, r.name, r.merchant, r.source, r.signed_with, r.reference, r.tx_hash, r.raw_body,
  r.payments::text AS payments, r.problem, r.was_completed_before::text AS was_completed_before,
  ${toMs('r.received_at')} AS received_ms, r.state, r.attempts::text AS attempts,
  r.decision::text AS decision`

/** Filled by parameters 1 to 15; `was_completed_before` follows. */
const INSERT_COLUMNS = `
  name, merchant, key_hash, source, signed_with, reference, tx_hash, raw_body, payments, problem,
  sender_addr, raw_amount, comment, trace_id, received_at, decision, state, retry_at, was_completed_before`

const insertValues = (decision: string): string => `
  $1::text, $2::text, decode($3::text, 'hex'), $4::text, $5::text, $6::text, $7::text, $8::text,
  $9::text::jsonb, $10::text, $12::text, $13::text, $14::text, decode($15::text, 'hex'), ${NOW},
  ${decision}::text::jsonb,
  CASE WHEN $10::text IS NOT NULL THEN 'unreadable'
    WHEN ${decision}::text IS NOT NULL THEN 'decided' ELSE 'undecided' END,
  CASE WHEN $10::text IS NULL AND ${decision}::text IS NULL THEN ${after('$11')} END`

/** Inserts a report; a repeated one writes nothing. @param decision one that is known already */
export const insertReport = (wasCompletedBefore: string, decision = 'NULL'): string => `
  INSERT INTO tonplug.reports (${INSERT_COLUMNS})
  VALUES (${insertValues(decision)}, ${wasCompletedBefore})
  ON CONFLICT (name, key_hash) DO NOTHING
  RETURNING *`

/**
 * The report that was `inserted`; otherwise the standing one, which is read only then. No row means that another process is
 * storing the same report; it is found by the next run of the statement.
 */
export const STORED = `
  SELECT * FROM inserted
  UNION ALL
  SELECT * FROM tonplug.reports
  WHERE name = $1::text AND key_hash = decode($3::text, 'hex') AND NOT EXISTS (SELECT FROM inserted)`

export const storeReport = statement(
  'inbox.reports.store',
  `WITH inserted AS (${insertReport('$16::text::boolean', '$17')})
  SELECT ${REPORT_COLUMNS} FROM (${STORED}) r`,
)

/** True for the report $1 unless a final decision is stored that $4, the kind of another one, does not replace. */
const IS_OPEN = `id = $1::text::bigint
    AND (state <> 'decided' OR ($4::text = 'paid' AND decision->>'kind' <> 'paid'))`

/**
 * Records a decision unless a final decision is stored; `paid` replaces any other. $1 is the report, $2 its new state, $3 the
 * decision, $4 its kind, $5 the delay until it is decided again; $6 and $7 are read by `ADD_TASKS`.
 */
export const RECORD = `
  UPDATE tonplug.reports
  SET state = $2::text, decision = $3::text::jsonb,
    retry_at = CASE WHEN $2::text = 'parked' THEN ${afterUnlessMatched('$5')} END
  WHERE ${IS_OPEN}`

/** The columns that `ADD_TASKS` reads. */
export const RECORDED = `id, name, merchant, reference, tx_hash, decision->>'credit' AS credit`

export const decideReport = statement(
  'inbox.reports.decide',
  `WITH recorded AS (${RECORD} RETURNING ${RECORDED}), added AS (${ADD_TASKS})
  SELECT id::text AS id FROM recorded`,
)

/**
 * Records a decision about a credit unless that credit was decided for another report: the row of the credit decides. One that
 * was decided as `unknown_order` is taken over by another decision.
 */
export const decideCredit = statement(
  'inbox.reports.decide',
  `WITH told AS (
    INSERT INTO tonplug.credit_decisions AS standing (credit_id, name, report_id, kind)
    SELECT $3::text::jsonb->>'credit', name, id, $4::text FROM tonplug.reports
    WHERE ${IS_OPEN}
    FOR UPDATE
    ON CONFLICT (credit_id, name) DO UPDATE
      SET report_id = EXCLUDED.report_id, kind = EXCLUDED.kind
      WHERE standing.report_id = EXCLUDED.report_id
        OR (standing.kind = 'unknown_order' AND EXCLUDED.kind <> 'unknown_order')
    RETURNING report_id
  ), recorded AS (${RECORD} AND EXISTS (SELECT FROM told) RETURNING ${RECORDED}), added AS (${ADD_TASKS})
  SELECT id::text AS id FROM recorded`,
)

/** Returns the decision about a credit that was recorded for another report. $1 is the report, $2 the credit. */
export const findCreditDecision = statement(
  'inbox.reports.decide',
  `SELECT told.kind FROM tonplug.credit_decisions told
  JOIN tonplug.reports r ON r.name = told.name
  WHERE r.id = $1::text::bigint AND told.credit_id = $2::text AND told.report_id <> r.id`,
)

/** Without the parameters $6 and $7. */
export const decideWithoutTasks = statement(
  'inbox.reports.decide',
  `${RECORD} RETURNING id::text AS id`,
)

/** $2 is the policy, $3 the delay until they are due again, $4 the limit. */
const CLAIM = (condition: string): string => `
  WITH due AS (
    SELECT id FROM tonplug.reports
    WHERE name = $1::text AND state IN ('undecided', 'parked') AND retry_at <= ${NOW}
      AND ${isPinned('$1::text', '$2::text')} ${condition}
    ORDER BY retry_at, id
    LIMIT $4::text::integer
    FOR UPDATE SKIP LOCKED
  )
  UPDATE tonplug.reports r SET retry_at = ${after('$3')}, attempts = r.attempts + 1
  FROM due WHERE r.id = due.id
  RETURNING ${REPORT_COLUMNS}`

export const claimReports = statement('inbox.reports.claim', CLAIM(''))

export const claimReportsOf = statement(
  'inbox.reports.claim',
  CLAIM('AND merchant = $5::text AND reference = $6::text'),
)

export const postponeReport = statement(
  'inbox.reports.postpone',
  `UPDATE tonplug.reports SET retry_at = ${afterUnlessMatched('$2')}
  WHERE id = $1::text::bigint AND state IN ('undecided', 'parked')`,
)

/** $2 to $6, $8 and $9 are the reading, $7 the problem. */
export const rereadReport = statement(
  'inbox.reports.reread',
  `UPDATE tonplug.reports SET
    reference = coalesce($2::text, reference), tx_hash = coalesce($3::text, tx_hash),
    sender_addr = $4::text, raw_amount = $5::text, comment = $8::text, trace_id = decode($9::text, 'hex'),
    was_completed_before = coalesce($6::text::boolean, was_completed_before), problem = $7::text,
    state = CASE WHEN $7::text IS NULL THEN 'undecided' ELSE 'unreadable' END,
    retry_at = CASE WHEN $7::text IS NULL THEN coalesce(retry_at, ${NOW}) END
  WHERE id = $1::text::bigint AND tx_hash = '' AND state IN ('undecided', 'unreadable')`,
)

/** Sorted by their ids, so that two concurrent calls do not deadlock. */
export const orderCreated = statement(
  'inbox.reports.orderCreated',
  `WITH parked AS (
    SELECT id FROM tonplug.reports
    WHERE name = $1::text AND merchant = $2::text AND reference = $3::text AND state = 'parked'
    ORDER BY id
    FOR UPDATE
  ), matched AS (
    UPDATE tonplug.reports r SET retry_at = ${MATCHED}
    FROM parked WHERE r.id = parked.id
    RETURNING r.id
  )
  SELECT count(*)::text AS count FROM matched`,
)

/** The strings of a parameter with a JSON list. An array, since a join would read the whole table. */
export const listOf = (parameter: string): string =>
  `ANY (ARRAY(SELECT jsonb_array_elements_text(${parameter}::text::jsonb)))`

/**
 * $1 is the name, $2 a JSON list of ids, $3 the merchant, $4 the reference, $5 a JSON list of states, $6 one of kinds of
 * decisions, $7 the earliest time of arrival.
 */
export const FILTER = `
  ($1::text IS NULL OR name = $1::text)
  AND ($2::text IS NULL OR id IN (
    SELECT value::bigint FROM jsonb_array_elements_text($2::text::jsonb)
  ))
  AND ($3::text IS NULL OR merchant = $3::text)
  AND ($4::text IS NULL OR reference = $4::text)
  AND ($5::text IS NULL OR state = ${listOf('$5')})
  AND ($6::text IS NULL OR decision->>'kind' = ${listOf('$6')})
  AND ($7::text IS NULL OR received_at >= ${fromMs('$7')})`

export const redecideReports = statement(
  'inbox.reports.redecide',
  `WITH wanted AS (
    SELECT id FROM tonplug.reports
    WHERE ${FILTER}
      AND (state = 'unreadable' OR decision->>'kind' NOT IN ('paid', 'refund'))
    ORDER BY id
    FOR UPDATE
  ), again AS (
    UPDATE tonplug.reports r SET
      retry_at = ${MATCHED},
      state = CASE r.state WHEN 'unreadable' THEN 'undecided' ELSE 'parked' END
    FROM wanted WHERE r.id = wanted.id
    RETURNING r.id
  ), ended AS (
    UPDATE tonplug.tasks t SET state = 'done'
    FROM wanted
    WHERE t.report_id = wanted.id AND t.state = 'dead' AND t.handler = 'verifyOnChain'
  )
  SELECT count(*)::text AS count FROM again`,
  LONG_MS,
)

export const findReport = statement(
  'inbox.reports.find',
  `SELECT ${REPORT_COLUMNS} FROM tonplug.reports r WHERE r.id = $1::text::bigint`,
)

const ORDERS_WITH = (state: string): string => `
  SELECT r.merchant, r.reference FROM tonplug.tasks t
  JOIN tonplug.reports r ON r.id = t.report_id
  WHERE t.name = $1::text AND t.state = '${state}'`

/**
 * Deletes finished tasks with their report. A task that is added concurrently fails the statement by its foreign key, and
 * the next run skips the report. Each part of `unfinished` has an index.
 */
export const forgetDecided = statement(
  'inbox.reports.forget',
  `WITH unfinished AS (
    SELECT merchant, reference FROM tonplug.reports
    WHERE name = $1::text AND state IN ('undecided', 'parked')
    UNION ALL
    SELECT merchant, reference FROM tonplug.reports
    WHERE name = $1::text AND state = 'unreadable'
    UNION ALL
    ${ORDERS_WITH('open')}
    UNION ALL
    ${ORDERS_WITH('relayed')}
    UNION ALL
    ${ORDERS_WITH('dead')}
  ), old AS (
    SELECT r.id FROM tonplug.reports r
    WHERE r.name = $1::text AND r.state = 'decided' AND r.received_at < ${before('$2')}
      AND (r.merchant, r.reference) NOT IN (SELECT merchant, reference FROM unfinished)
    ORDER BY r.received_at, r.id
    LIMIT $3::text::integer
    FOR UPDATE SKIP LOCKED
  ), finished AS (
    DELETE FROM tonplug.tasks t USING old
    WHERE t.report_id = old.id AND t.state = 'done'
  ), deleted AS (
    DELETE FROM tonplug.reports r USING old WHERE r.id = old.id RETURNING r.id
  )
  SELECT count(*)::text AS count FROM deleted`,
  LONG_MS,
)

export const countOpen = statement(
  'inbox.stats',
  `WITH waiting AS (
    SELECT state, received_at FROM tonplug.reports
    WHERE state IN ('undecided', 'parked') AND ($1::text IS NULL OR name = $1::text)
  ), open AS (
    SELECT coalesce(t.replayed_at, r.received_at) AS since
    FROM tonplug.tasks t JOIN tonplug.reports r ON r.id = t.report_id
    -- A proof is counted with its report, which is parked.
    WHERE t.state = 'open' AND t.handler <> 'verifyOnChain'
      AND ($1::text IS NULL OR t.name = $1::text)
  ), relayed AS (
    SELECT relayed_at FROM tonplug.tasks
    WHERE state = 'relayed' AND ($1::text IS NULL OR name = $1::text)
  )
  SELECT
    (SELECT count(*) FROM waiting WHERE state = 'undecided')::text AS undecided,
    (SELECT count(*) FROM waiting WHERE state = 'parked')::text AS parked,
    (
      SELECT count(*) FROM tonplug.reports
      WHERE state = 'unreadable' AND ($1::text IS NULL OR name = $1::text)
    )::text AS unreadable,
    (SELECT count(*) FROM open)::text AS open,
    (SELECT count(*) FROM relayed)::text AS relayed,
    (
      SELECT count(*) FROM tonplug.tasks
      WHERE state = 'dead' AND ($1::text IS NULL OR name = $1::text)
    )::text AS dead,
    ${durationMs(`${NOW} - least(
      (SELECT min(received_at) FROM waiting WHERE state = 'undecided'),
      (SELECT min(since) FROM open)
    )`)} AS oldest_age_ms,
    ${durationMs(`${NOW} - (SELECT min(relayed_at) FROM relayed)`)} AS oldest_relayed_age_ms,
    ${accessProblem(INBOX_PRIVILEGES)} AS problem`,
)
