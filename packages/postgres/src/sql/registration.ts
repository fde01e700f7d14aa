import { after, before, NOW, statement, toMs } from './statement.js'
import { NEXT_DUE_IN_MS } from './tasks.js'

/** A watcher that is restarted is missing for less. */
const WATCHED = `interval '1 hour'`

/**
 * $1 is the name, $2 the policy, $3 its time to live, $4 a JSON list of handlers with their events, $5 the time to live
 * of subscriptions, $6 is 'true' for a process with a watcher. Sorted, so that concurrent registrations do not deadlock.
 */
const REGISTER = (columns: string): string =>
  `WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (handler) handler, event
    FROM jsonb_to_recordset($4::text::jsonb) AS given(handler text, event text)
    ORDER BY handler
  ), expired AS (
    DELETE FROM tonplug.subscriptions
    WHERE name = $1::text AND expires_at <= ${NOW}
      AND handler NOT IN (SELECT handler FROM given)
  ), subscribed AS (
    INSERT INTO tonplug.subscriptions (name, handler, event, last_seen, expires_at)
    SELECT $1::text, handler, event, ${NOW}, ${after('$5')} FROM given ORDER BY handler
    ON CONFLICT (name, handler) DO UPDATE SET event = EXCLUDED.event,
      last_seen = EXCLUDED.last_seen, expires_at = EXCLUDED.expires_at
  ), pinned AS (
    INSERT INTO tonplug.policies AS standing (name, policy, last_seen, watched_at)
    VALUES ($1::text, $2::text, ${NOW}, CASE WHEN $6::text = 'true' THEN ${NOW} END)
    ON CONFLICT (name) DO UPDATE SET
      policy = CASE WHEN standing.last_seen <= ${before('$3')}
        THEN EXCLUDED.policy ELSE standing.policy END,
      last_seen = CASE
        WHEN standing.policy = EXCLUDED.policy OR standing.last_seen <= ${before('$3')}
        THEN EXCLUDED.last_seen ELSE standing.last_seen END,
      watched_at = coalesce(EXCLUDED.watched_at, standing.watched_at)
    RETURNING policy, watched_at
  )
  SELECT ${columns} FROM pinned`

const RESULT = `policy,
  EXISTS (SELECT FROM tonplug.policies WHERE name <> $1::text)::text AS has_other_names,
  coalesce(watched_at > ${NOW} - ${WATCHED}, false)::text AS is_watched`

export const register = statement('inbox.processes.register', REGISTER(RESULT))

/** $7 is a JSON list of handlers, or null for all. */
export const registerWithNextDue = statement(
  'inbox.processes.register',
  REGISTER(`${RESULT}, ${NEXT_DUE_IN_MS('$7')} AS due_in_ms`),
)

export const readClock = statement('inbox.processes.nowMs', `SELECT ${toMs(NOW)} AS now_ms`)

export const unsubscribe = statement(
  'inbox.processes.unsubscribe',
  `WITH ended AS (
    DELETE FROM tonplug.subscriptions WHERE name = $1::text AND handler = $2::text RETURNING handler
  ), deleted AS (
    DELETE FROM tonplug.tasks WHERE name = $1::text AND handler = $2::text
      AND state IN ('open', 'relayed')
  )
  SELECT handler FROM ended`,
)

/** True when `policy` is the pinned policy. */
export function isPinned(name: string, policy: string): string {
  return `EXISTS (SELECT FROM tonplug.policies WHERE name = ${name} AND policy = ${policy})`
}
