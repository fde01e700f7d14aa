import { fromMs, LONG_MS, statement, toMs } from './statement.js'

/** Due since ever: a task runs as soon as somebody can. */
const AT_ONCE = 'to_timestamp(0)'

/**
 * Adds the tasks of the verdict `recorded`, whose JSON is $6. In the order of their hashes, so that two verdicts with
 * the same tasks do not lock each other out.
 */
export const ADD_TASKS = `
  INSERT INTO tonplug.handler_tasks
    (delivery_id, receiver, handler, idempotency_key, key_hash, due_at)
  SELECT recorded.id, recorded.receiver, task.handler, task.key, decode(task.hash, 'hex'), ${AT_ONCE}
  FROM recorded, jsonb_to_recordset($6::text::jsonb) AS task(handler text, key text, hash text)
  ORDER BY task.hash
  ON CONFLICT (key_hash) DO NOTHING`

const RUNNABLE = (handlers: string): string => `
  receiver = $1::text AND state = 'open'
  AND handler IN (SELECT jsonb_array_elements_text(${handlers}::text::jsonb))`

export const claimTasks = statement(
  'inbox.claimTasks',
  `WITH due AS (
    SELECT id FROM tonplug.handler_tasks
    WHERE ${RUNNABLE('$2')} AND due_at <= ${fromMs('$3')}
    ORDER BY due_at, id
    LIMIT $5::text::integer
    FOR UPDATE SKIP LOCKED
  )
  UPDATE tonplug.handler_tasks t
  SET attempts = t.attempts + 1, due_at = ${fromMs('$4')}, lease_id = $6::text
  FROM due WHERE t.id = due.id
  RETURNING t.id::text AS id, t.delivery_id::text AS delivery_id, t.idempotency_key, t.handler,
    t.attempts::text AS attempts, t.lease_id`,
)

const HELD = `id = $1::text::bigint AND lease_id = $2::text`

export const extendLease = statement(
  'inbox.extendLease',
  `UPDATE tonplug.handler_tasks SET due_at = ${fromMs('$3')} WHERE ${HELD} RETURNING id::text AS id`,
)

/** $3 is the new state, $4 when to run again, $5 the error. */
export const finishTask = statement(
  'inbox.finishTask',
  `UPDATE tonplug.handler_tasks
  SET state = $3::text, due_at = coalesce(${fromMs('$4')}, due_at), lease_id = NULL,
    error = coalesce($5::text, error)
  WHERE ${HELD}
  RETURNING id::text AS id`,
)

export const listDead = statement(
  'inbox.listDead',
  `SELECT id::text AS id, delivery_id::text AS delivery_id, idempotency_key, handler,
    attempts::text AS attempts, error
  FROM tonplug.handler_tasks
  WHERE state = 'dead'
  ORDER BY id
  LIMIT $1::text::integer`,
)

const REPLAY = (nowMs: string): string => `
  state = 'open', attempts = 0, due_at = ${AT_ONCE}, replayed_at = coalesce(${fromMs(nowMs)}, now())`

export const replayTask = statement(
  'inbox.replay',
  `UPDATE tonplug.handler_tasks SET ${REPLAY('$2')}
  WHERE id = $1::text::bigint AND state = 'dead'
  RETURNING id::text AS id`,
)

/** In the order of their ids, so that two calls at once do not lock each other out. */
export const replayTasks = statement(
  'inbox.replayWhere',
  `WITH dead AS (
    SELECT t.id FROM tonplug.handler_tasks t
    JOIN tonplug.deliveries d ON d.id = t.delivery_id
    WHERE t.state = 'dead'
      AND ($1::text IS NULL OR t.receiver = $1::text)
      AND ($2::text IS NULL OR t.handler = $2::text)
      AND ($3::text IS NULL OR d.reference = $3::text)
    ORDER BY t.id
    FOR UPDATE OF t
  ), again AS (
    UPDATE tonplug.handler_tasks t SET ${REPLAY('$4')}
    FROM dead WHERE t.id = dead.id AND t.state = 'dead'
    RETURNING t.id
  )
  SELECT count(*)::text AS count FROM again`,
  LONG_MS,
)

export const nextDue = statement(
  'inbox.nextDueMs',
  `SELECT ${toMs(`least(
    (
      SELECT min(retry_at) FROM tonplug.deliveries
      WHERE receiver = $1::text AND state <> 'decided'
    ),
    (SELECT min(due_at) FROM tonplug.handler_tasks WHERE ${RUNNABLE('$2')})
  )`)} AS next_ms`,
)
