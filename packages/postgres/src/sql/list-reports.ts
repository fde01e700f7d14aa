import { FILTER, listOf, REPORT_COLUMNS } from './reports.js'
import { LONG_MS, statement, type Statement } from './statement.js'

const TRANSACTIONS = `tx_hash = ${listOf('$9')}`
const SENDERS = `sender_addr = ${listOf('$10')}`
/** Dead tasks are few, and have an index. */
const DEAD = `id IN (SELECT report_id FROM tonplug.tasks WHERE state = 'dead')`

/**
 * $8 is the limit, $9 a JSON list of transactions, $10 one of senders, $11 is 'true' for reports with a dead task, $12 the
 * report before which the page begins, and $13 a JSON list of amounts.
 */
const LIST_FILTER = `${FILTER}
  AND ($9::text IS NULL OR ${TRANSACTIONS})
  AND ($10::text IS NULL OR ${SENDERS})
  AND ($11::text IS NULL OR ${DEAD})
  AND ($13::text IS NULL OR raw_amount = ${listOf('$13')})
  AND id < coalesce($12::text::bigint, 9223372036854775807)`

/** Reads the newest reports of `found`, which has ids. */
const LIST_FOUND = (found: string): Statement =>
  statement(
    'inbox.reports.list',
    `WITH found AS MATERIALIZED (${found}), newest AS (
      SELECT id FROM found ORDER BY id DESC LIMIT $8::text::integer
    )
    SELECT ${REPORT_COLUMNS} FROM tonplug.reports r
    WHERE r.id IN (SELECT id FROM newest)
    ORDER BY r.id DESC`,
    LONG_MS,
  )

/** Finds reports by the index of a condition before it sorts them. */
const LIST_BY = (condition: string): Statement =>
  LIST_FOUND(`SELECT id FROM tonplug.reports WHERE ${condition} AND ${LIST_FILTER}`)

/** Reads the newest reports until enough match. */
export const listReports = statement(
  'inbox.reports.list',
  `SELECT ${REPORT_COLUMNS} FROM tonplug.reports r
  WHERE ${LIST_FILTER}
  ORDER BY r.id DESC
  LIMIT $8::text::integer`,
  LONG_MS,
)

/** The reports of an order: read often, while a buyer waits. */
export const listReportsOf = LIST_BY('reference = $4::text')
export const listReportsOfTransactions = LIST_BY(TRANSACTIONS)
export const listDeadReports = LIST_BY(DEAD)
export const listWaitingReports = LIST_BY(`state IN ('undecided', 'parked')`)
export const listUnreadableReports = LIST_BY(`state = 'unreadable'`)

const NEEDS_OPERATOR = `decision->>'kind' NOT IN ('paid', 'duplicate')`

/** Reads no more than the limit of each kind. */
export const listReportsByDecision = LIST_FOUND(`
  SELECT one.id FROM jsonb_array_elements_text($6::text::jsonb) AS kind, LATERAL (
    SELECT id FROM tonplug.reports
    WHERE name = $1::text AND decision->>'kind' = kind AND ${NEEDS_OPERATOR} AND ${LIST_FILTER}
    ORDER BY id DESC
    LIMIT $8::text::integer
  ) one`)

/** The kind of a decision; the empty string without one. */
const KIND = `coalesce(decision->>'kind', '')`

/**
 * Reads no more than the limit of each value, state and kind: the pairs that exist are found one by one in the index.
 * @param values a parameter with a JSON list
 */
const LIST_NEWEST_OF = (column: string, values: string, maxLength: number): Statement => {
  const rowsOf = (value: string): string =>
    `FROM tonplug.reports WHERE name = $1::text AND ${column} = ${value} AND length(${column}) <= ${maxLength}`
  const first = (value: string, condition = ''): string =>
    `SELECT state, ${KIND} AS kind ${rowsOf(value)} ${condition} ORDER BY state, ${KIND} LIMIT 1`
  return LIST_FOUND(`
  WITH RECURSIVE pairs AS (
    SELECT wanted.value, pair.state, pair.kind
    FROM jsonb_array_elements_text(${values}::text::jsonb) AS wanted(value),
      LATERAL (${first('wanted.value')}) pair
    UNION ALL
    SELECT pairs.value, pair.state, pair.kind
    FROM pairs,
      LATERAL (${first('pairs.value', `AND (state, ${KIND}) > (pairs.state, pairs.kind)`)}) pair
  )
  SELECT one.id FROM pairs, LATERAL (
    SELECT id ${rowsOf('pairs.value')} AND state = pairs.state AND ${KIND} = pairs.kind
      AND ${LIST_FILTER}
    ORDER BY id DESC
    LIMIT $8::text::integer
  ) one
  WHERE ($5::text IS NULL OR pairs.state = ${listOf('$5')})
    AND ($6::text IS NULL OR pairs.kind = ${listOf('$6')})`)
}

/** Amounts have up to 78 digits. */
export const listReportsWithAmounts = LIST_NEWEST_OF('raw_amount', '$13', 78)
export const listReportsOfSenders = LIST_NEWEST_OF('sender_addr', '$10', 200)
