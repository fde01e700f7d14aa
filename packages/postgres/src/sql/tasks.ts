import { after, durationMs, LONG_MS, NOW, statement, toMs } from './statement.js'

/**
 * Adds the tasks of the decision `recorded`: one for each subscription to event $6, and the tasks in the JSON $7. Sorted by
 * their hashes, so that concurrent decisions with the same tasks do not deadlock. The key of a subscribed handler equals
 * `handlerTaskKey` of @tonplug/core.
 */
export const ADD_TASKS = `
  INSERT INTO tonplug.tasks
    (report_id, name, merchant, handler, idempotency_key, key_hash, due_at)
  SELECT id, name, merchant, handler, key, sha256(convert_to(key, 'UTF8')) AS key_hash, ${NOW}
  FROM (
    SELECT r.id, r.name, r.merchant, s.handler,
      translate(encode(sha256(convert_to(
        '[' || CASE WHEN r.credit IS NULL
          THEN concat_ws(',', to_json(r.name), to_json(r.merchant), to_json(s.handler),
            to_json(r.reference), to_json(r.tx_hash))
          ELSE concat_ws(',', to_json(r.name), to_json(r.credit), to_json(s.handler))
        END || ']', 'UTF8'
      )), 'base64'), '+/=', '-_') AS key
    FROM recorded r
    JOIN tonplug.subscriptions s
      ON s.name = r.name AND s.event = $6::text AND s.expires_at > ${NOW}
    UNION ALL
    SELECT r.id, r.name, r.merchant, t.handler, t.key
    FROM recorded r, jsonb_to_recordset($7::text::jsonb) AS t(handler text, key text)
  ) wanted
  ORDER BY key_hash
  ON CONFLICT (key_hash) DO NOTHING`

/** The columns of a task `t` of a report `r`, as text. */
const TASK_COLUMNS = `
  t.id::text AS id, t.report_id::text AS report_id, t.merchant, t.handler, t.idempotency_key,
  t.attempts::text AS attempts, t.lease_id, t.error, ${toMs('t.relayed_at')} AS relayed_ms,
  r.reference, r.tx_hash`

/** Claims the tasks of `due`: $2 is the duration of the lease, $3 its id. */
const LEASE = `
  UPDATE tonplug.tasks t
  SET attempts = t.attempts + 1, due_at = ${after('$2')}, lease_id = $3::text
  FROM due JOIN tonplug.reports r ON r.id = due.report_id
  WHERE t.id = due.id
  RETURNING ${TASK_COLUMNS}`

/** $4 is a JSON object with the limit of each handler. */
export const claimTasks = statement(
  'inbox.tasks.claim',
  `WITH due AS (
    SELECT picked.id, picked.report_id
    FROM jsonb_each_text($4::text::jsonb) AS wanted(handler, size), LATERAL (
      SELECT id, report_id FROM tonplug.tasks
      WHERE name = $1::text AND handler = wanted.handler AND state = 'open' AND due_at <= ${NOW}
      ORDER BY due_at, id
      LIMIT wanted.size::integer
      FOR UPDATE SKIP LOCKED
    ) picked
  ) ${LEASE}`,
)

export const claimRelay = statement(
  'inbox.tasks.claimRelay',
  `WITH due AS (
    SELECT id, report_id FROM tonplug.tasks
    WHERE name = $1::text AND state = 'open' AND handler <> 'verifyOnChain' AND due_at <= ${NOW}
    ORDER BY due_at, id
    LIMIT $4::text::integer
    FOR UPDATE SKIP LOCKED
  ) ${LEASE}`,
)

const HELD = `id = $1::text::bigint AND lease_id = $2::text`

export const extendLease = statement(
  'inbox.tasks.extendLease',
  `UPDATE tonplug.tasks SET due_at = ${after('$3')} WHERE ${HELD} RETURNING id::text AS id`,
)

/** $3 is the new state, $4 the delay of the next run, $5 the error. */
export const finishTask = statement(
  'inbox.tasks.finish',
  `UPDATE tonplug.tasks
  SET state = $3::text, due_at = coalesce(${after('$4')}, due_at), lease_id = NULL,
    error = coalesce($5::text, error),
    relayed_at = CASE WHEN $3::text = 'relayed' THEN ${NOW} ELSE relayed_at END
  WHERE ${HELD}
  RETURNING id::text AS id`,
)

/** $2 is the idempotency key, $3 the new state, $4 the error. */
export const finishRelayed = statement(
  'inbox.tasks.finishRelayed',
  `UPDATE tonplug.tasks
  SET state = $3::text, lease_id = NULL, error = coalesce($4::text, error)
  WHERE key_hash = sha256(convert_to($2::text, 'UTF8')) AND name = $1::text AND state <> 'done'
  RETURNING id::text AS id`,
)

export const listRelayed = statement(
  'inbox.tasks.listRelayed',
  `SELECT ${TASK_COLUMNS} FROM tonplug.tasks t JOIN tonplug.reports r ON r.id = t.report_id
  WHERE t.name = $1::text AND t.state = 'relayed'
  ORDER BY t.relayed_at, t.id
  LIMIT $2::text::integer`,
)

/** $1 is a JSON list of reports' ids. */
export const listTasks = statement(
  'inbox.tasks.list',
  `SELECT t.id::text AS id, t.report_id::text AS report_id, t.handler, t.idempotency_key, t.state,
    t.attempts::text AS attempts, ${toMs('t.due_at')} AS due_ms,
    (t.lease_id IS NOT NULL)::text AS is_running, t.error, ${toMs('t.relayed_at')} AS relayed_ms
  FROM tonplug.tasks t
  WHERE t.report_id = ANY (ARRAY(SELECT jsonb_array_elements_text($1::text::jsonb)::bigint))
  ORDER BY t.handler, t.id`,
)

export const listDeadLetters = statement(
  'inbox.tasks.listDead',
  `SELECT ${TASK_COLUMNS} FROM tonplug.tasks t JOIN tonplug.reports r ON r.id = t.report_id
  WHERE t.state = 'dead'
  ORDER BY t.id
  LIMIT $1::text::integer`,
)

const REPLAY = `state = 'open', attempts = 0, due_at = ${NOW}, replayed_at = ${NOW}`

export const replayTask = statement(
  'inbox.tasks.replay',
  `UPDATE tonplug.tasks SET ${REPLAY}
  WHERE id = $1::text::bigint AND state IN ('dead', 'relayed')
  RETURNING id::text AS id`,
)

/** Sorted by their ids, so that two concurrent calls do not deadlock. */
export const replayTasks = statement(
  'inbox.tasks.replayWhere',
  `WITH dead AS (
    SELECT t.id FROM tonplug.tasks t
    JOIN tonplug.reports r ON r.id = t.report_id
    WHERE t.state = 'dead'
      AND ($1::text IS NULL OR t.name = $1::text)
      AND ($2::text IS NULL OR t.merchant = $2::text)
      AND ($3::text IS NULL OR t.handler = $3::text)
      AND ($4::text IS NULL OR r.reference = $4::text)
    ORDER BY t.id
    FOR UPDATE OF t
  ), again AS (
    UPDATE tonplug.tasks t SET ${REPLAY}
    FROM dead WHERE t.id = dead.id AND t.state = 'dead'
    RETURNING t.id
  )
  SELECT count(*)::text AS count FROM again`,
  LONG_MS,
)

const NEXT_REPORT = `
  SELECT min(retry_at) FROM tonplug.reports
  WHERE name = $1::text AND state IN ('undecided', 'parked')`

const NEXT_OF_ALL = (condition: string): string => `(
  SELECT min(due_at) FROM tonplug.tasks
  WHERE name = $1::text AND state = 'open' AND handler ${condition} 'verifyOnChain'
)`

/** Each half has an index. */
const NEXT_TASK = `least(${NEXT_OF_ALL('<>')}, ${NEXT_OF_ALL('=')})`

/** @param handlers the parameter with a JSON list */
const NEXT_TASK_OF = (handlers: string): string => `(
  SELECT min(next.due_at)
  FROM jsonb_array_elements_text(${handlers}::text::jsonb) AS wanted(handler), LATERAL (
    SELECT min(due_at) AS due_at FROM tonplug.tasks
    WHERE name = $1::text AND handler = wanted.handler AND state = 'open'
  ) next
)`

const DUE_IN_MS = (nextTask: string): string =>
  durationMs(`least((${NEXT_REPORT}), ${nextTask}) - ${NOW}`)

/** The time until the next report or task is due. @param handlers a parameter; null for all handlers */
export const NEXT_DUE_IN_MS = (handlers: string): string =>
  `CASE WHEN ${handlers}::text IS NULL THEN ${DUE_IN_MS(NEXT_TASK)}
    ELSE ${DUE_IN_MS(NEXT_TASK_OF(handlers))} END`

const nextDue = (nextTask: string) =>
  statement('inbox.processes.nextDueInMs', `SELECT ${DUE_IN_MS(nextTask)} AS due_in_ms`)

export const nextDueOfAll = nextDue(NEXT_TASK)

/** $2 is a JSON list of handlers. */
export const nextDueOf = nextDue(NEXT_TASK_OF('$2'))
