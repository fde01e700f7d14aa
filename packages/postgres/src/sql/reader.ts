import { DELIVERY_COLUMNS } from './deliveries.js'
import { fromMs, LONG_MS, statement, toMs, type Statement } from './statement.js'

const HAS = (state: string): string =>
  `EXISTS (SELECT FROM tonplug.handler_tasks t WHERE t.delivery_id = d.id AND t.state = '${state}')`

/** By the index of dead tasks, which are few among many deliveries. */
const IS_DEAD = `d.id IN (SELECT delivery_id FROM tonplug.handler_tasks WHERE state = 'dead')`

/** Every delivery is in exactly one of these. */
const STATES = {
  dead: IS_DEAD,
  undecided: `d.state = 'undecided' AND NOT ${IS_DEAD}`,
  parked: `d.state = 'parked' AND NOT ${IS_DEAD}`,
  open: `d.state = 'decided' AND NOT ${IS_DEAD} AND ${HAS('open')}`,
  done: `d.state = 'decided' AND NOT ${IS_DEAD} AND NOT ${HAS('open')}`,
} as const

/**
 * How far a delivery has come: `dead`, a handler has used up its attempts; `undecided`, the rules have not finished;
 * `parked`, it waits for its order; `open`, a handler has to run or is running; `done`, nothing is left to do.
 */
export type InboxEntryState = keyof typeof STATES

const ENTRY_COLUMNS = `${DELIVERY_COLUMNS},
  CASE ${Object.entries(STATES)
    .map(([state, condition]) => `WHEN ${condition} THEN '${state}'`)
    .join(' ')} END AS entry_state,
  ${toMs('d.retry_at')} AS retry_ms,
  (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', t.id::text, 'handler', t.handler, 'idempotencyKey', t.idempotency_key, 'state', t.state,
      'attempts', t.attempts, 'dueAtMs', ${toMs('t.due_at')}, 'isRunning', t.lease_id IS NOT NULL,
      'error', t.error
    ) ORDER BY t.id), '[]')
    FROM tonplug.handler_tasks t WHERE t.delivery_id = d.id
  )::text AS handlers`

/** $1 is the reference, $2 the earliest arrival, $3 the limit. */
const LIST = (condition: string): Statement =>
  statement(
    'inboxReader.list',
    `SELECT ${ENTRY_COLUMNS} FROM tonplug.deliveries d
    WHERE ${condition}
      AND ($1::text IS NULL OR d.reference = $1::text)
      AND ($2::text IS NULL OR d.received_at >= ${fromMs('$2')})
    ORDER BY d.id DESC
    LIMIT $3::text::integer`,
    LONG_MS,
  )

export const listEntries = {
  any: LIST('true'),
  dead: LIST(STATES.dead),
  undecided: LIST(STATES.undecided),
  parked: LIST(STATES.parked),
  open: LIST(STATES.open),
  done: LIST(STATES.done),
} satisfies Record<InboxEntryState | 'any', Statement>

export const findEntry = statement(
  'inboxReader.find',
  `SELECT ${ENTRY_COLUMNS} FROM tonplug.deliveries d WHERE d.id = $1::text::bigint`,
)

/** $1 is a JSON list of deliveries' ids, $2 the reference, $3 the handler, $4 the receiver, $5 the earliest arrival. */
export const listDeadTasks = statement(
  'inboxReader.listDead',
  `SELECT t.id::text AS id, t.delivery_id::text AS delivery_id, t.handler, t.idempotency_key,
    t.attempts::text AS attempts, t.error, d.reference, d.receiver
  FROM tonplug.handler_tasks t JOIN tonplug.deliveries d ON d.id = t.delivery_id
  WHERE t.state = 'dead'
    AND ($1::text IS NULL OR d.id IN (
      SELECT value::bigint FROM jsonb_array_elements_text($1::text::jsonb)
    ))
    AND ($2::text IS NULL OR d.reference = $2::text)
    AND ($3::text IS NULL OR t.handler = $3::text)
    AND ($4::text IS NULL OR t.receiver = $4::text)
    AND ($5::text IS NULL OR d.received_at >= ${fromMs('$5')})
  ORDER BY t.id`,
  LONG_MS,
)

export const listReceivers = statement(
  'inboxReader.receivers',
  'SELECT DISTINCT receiver FROM tonplug.deliveries ORDER BY receiver',
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
