import { REPORT_COLUMNS } from './reports.js'
import { fromMs, LONG_MS, statement, toMs, type Statement } from './statement.js'

/**
 * Progress of a report:
 * - `dead`: a handler has used all its attempts.
 * - `undecided`: the rules have not finished.
 * - `unreadable`: its body cannot be read.
 * - `parked`: it waits for its order, or for its on-chain proof.
 * - `open`: a handler is due, waiting or running.
 * - `relayed`: a queue engine has accepted its handlers.
 * - `done`: nothing is left to do.
 */
export type InboxEntryState =
  'dead' | 'undecided' | 'unreadable' | 'parked' | 'open' | 'relayed' | 'done'

const HAS = (state: string): string =>
  `EXISTS (SELECT FROM tonplug.tasks t WHERE t.report_id = r.id AND t.state = '${state}')`

/** Uses the index of dead tasks, which are few among many reports. */
const IS_DEAD = `r.id IN (SELECT report_id FROM tonplug.tasks WHERE state = 'dead')`

const DECIDED = `r.state = 'decided' AND NOT ${IS_DEAD}`

/** The condition of each state. Every report is in exactly one. */
const STATES = {
  dead: IS_DEAD,
  undecided: `r.state = 'undecided' AND NOT ${IS_DEAD}`,
  unreadable: `r.state = 'unreadable' AND NOT ${IS_DEAD}`,
  parked: `r.state = 'parked' AND NOT ${IS_DEAD}`,
  open: `${DECIDED} AND ${HAS('open')}`,
  relayed: `${DECIDED} AND NOT ${HAS('open')} AND ${HAS('relayed')}`,
  done: `${DECIDED} AND NOT ${HAS('open')} AND NOT ${HAS('relayed')}`,
} as const satisfies Record<InboxEntryState, string>

const ENTRY_COLUMNS = `${REPORT_COLUMNS},
  CASE ${Object.entries(STATES)
    .map(([state, condition]) => `WHEN ${condition} THEN '${state}'`)
    .join(' ')} END AS entry_state,
  ${toMs('r.retry_at')} AS retry_ms,
  (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', t.id::text, 'handler', t.handler, 'idempotencyKey', t.idempotency_key, 'state', t.state,
      'attempts', t.attempts, 'dueAtMs', ${toMs('t.due_at')}, 'isRunning', t.lease_id IS NOT NULL,
      'relayedAtMs', ${toMs('t.relayed_at')}, 'error', t.error
    ) ORDER BY t.handler, t.id), '[]')
    FROM tonplug.tasks t WHERE t.report_id = r.id
  )::text AS handlers`

/** $1 is the name, $2 the merchant, $3 the reference, $4 the earliest time of arrival. */
const FILTER = `
  ($1::text IS NULL OR r.name = $1::text)
  AND ($2::text IS NULL OR r.merchant = $2::text)
  AND ($3::text IS NULL OR r.reference = $3::text)
  AND ($4::text IS NULL OR r.received_at >= ${fromMs('$4')})`

/** Lists the reports of a condition. $5 is the limit, $6 the kind of the decision. */
const LIST = (condition: string): Statement =>
  statement(
    'inboxReader.list',
    `SELECT ${ENTRY_COLUMNS} FROM tonplug.reports r
    WHERE ${condition} AND ${FILTER}
      AND ($6::text IS NULL OR r.decision->>'kind' = $6::text)
    ORDER BY r.id DESC
    LIMIT $5::text::integer`,
    LONG_MS,
  )

/** Lists reports by their state, newest first. */
export const listEntries = {
  any: LIST('true'),
  dead: LIST(STATES.dead),
  undecided: LIST(STATES.undecided),
  unreadable: LIST(STATES.unreadable),
  parked: LIST(STATES.parked),
  open: LIST(STATES.open),
  relayed: LIST(STATES.relayed),
  done: LIST(STATES.done),
} satisfies Record<InboxEntryState | 'any', Statement>

export const findEntry = statement(
  'inboxReader.find',
  `SELECT ${ENTRY_COLUMNS} FROM tonplug.reports r WHERE r.id = $1::text::bigint`,
)

/** Lists dead letters. $5 is a JSON list of reports' ids, $6 the handler. */
export const listDeadTasks = statement(
  'inboxReader.listDeadLetters',
  `SELECT t.id::text AS id, t.report_id::text AS report_id, t.name, t.merchant, t.handler,
    t.idempotency_key, t.attempts::text AS attempts, t.error, r.reference
  FROM tonplug.tasks t JOIN tonplug.reports r ON r.id = t.report_id
  WHERE t.state = 'dead' AND ${FILTER}
    AND ($5::text IS NULL OR r.id IN (
      SELECT value::bigint FROM jsonb_array_elements_text($5::text::jsonb)
    ))
    AND ($6::text IS NULL OR t.handler = $6::text)
  ORDER BY t.id`,
  LONG_MS,
)

export const listNames = statement(
  'inboxReader.names',
  'SELECT DISTINCT name FROM tonplug.reports ORDER BY name',
  LONG_MS,
)

export const hasTables = statement(
  'inboxReader.schemaVersion',
  `SELECT (to_regclass('tonplug.migrations') IS NOT NULL)::text AS found`,
)

export const readSchemaVersion = statement(
  'inboxReader.schemaVersion',
  `SELECT max(version)::text AS version FROM tonplug.migrations`,
)
