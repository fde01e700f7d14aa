import { FILTER, listOf, REPORT_COLUMNS } from './reports.js'
import { LONG_MS, statement, type Statement } from './statement.js'

const TRANSACTIONS = `tx_hash = ${listOf('$9')}`
/** Traces are hashes. */
const TRACES = `trace_id = ANY (ARRAY(
    SELECT decode(hash, 'hex') FROM jsonb_array_elements_text($15::text::jsonb) AS hash
    WHERE hash ~ '^[0-9a-f]{64}$'
  ))`
const NAMED = `tx_hash = ${listOf('$15')}`
const SENDERS = `sender_addr = ${listOf('$10')}`
const COMMENT = `lower(coalesce(comment, reference)) = lower($14::text)`
/** In the form of the index: it has no empty comments, and the beginning of long ones. */
const INDEXED_COMMENT = `coalesce(comment, reference) <> ''
  AND left(lower(coalesce(comment, reference)), 200) = left(lower($14::text), 200)`
/** Dead tasks are few, and have an index. */
const DEAD = `id IN (SELECT report_id FROM tonplug.tasks WHERE state = 'dead')`

/**
 * $8 is the limit, $9 a JSON list of transactions, $10 one of senders, $11 is 'true' for reports with a dead task, $12 the
 * report before which the page begins, $13 a JSON list of amounts, $14 a reference without regard to case, and $15 a JSON list of
 * transactions or traces.
 */
const LIST_FILTER = `${FILTER}
  AND ($9::text IS NULL OR ${TRANSACTIONS})
  AND ($10::text IS NULL OR ${SENDERS})
  AND ($11::text IS NULL OR ${DEAD})
  AND ($13::text IS NULL OR raw_amount = ${listOf('$13')})
  AND ($14::text IS NULL OR ${COMMENT})
  AND ($15::text IS NULL OR ${NAMED} OR ${TRACES})
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
export const listReportsWithComment = LIST_BY(INDEXED_COMMENT)
export const listReportsOfTransactions = LIST_BY(TRANSACTIONS)
/** Materialized, so that each part is read by its own index. */
export const listReportsOfHashes = LIST_FOUND(`
  WITH named AS MATERIALIZED (
    SELECT id FROM tonplug.reports WHERE ${NAMED}
    UNION
    SELECT id FROM tonplug.reports WHERE ${TRACES}
  )
  SELECT id FROM tonplug.reports WHERE id = ANY (ARRAY(SELECT id FROM named)) AND ${LIST_FILTER}`)
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

/** The range of strings with a beginning. Compares bytes, as indexes with `text_pattern_ops` do. */
const beginsWith = (column: string, start: string): string =>
  `${column} ~>=~ ${start} AND ${column} ~<~ (${start} || chr(1114111))`

/** Different payers that are read for one beginning, at most. */
const MAX_SENDERS = 5000

/** Returns the next sender of a range; one look into the index, however many reports a sender has. */
const NEXT_SENDER = (start: string, condition = ''): string => `
  SELECT sender_addr FROM tonplug.reports
  WHERE name = $1::text AND length(sender_addr) <= 200
    AND ${beginsWith('sender_addr', start)} ${condition}
  ORDER BY sender_addr USING ~<~
  LIMIT 1`

/**
 * $1 is the name, $2 a JSON list of beginnings of transactions, $3 one of both ends of senders, and $4 the limit of each
 * kind.
 */
export const findValues = statement(
  'inbox.reports.findValues',
  `WITH RECURSIVE given AS (
    SELECT pair->>'start' AS start, pair->>'end' AS ending
    FROM jsonb_array_elements($3::text::jsonb) AS pair
  ), senders AS (
    SELECT given.start, given.ending, one.sender_addr
    FROM given, LATERAL (${NEXT_SENDER('given.start')}) one
    UNION ALL
    SELECT senders.start, senders.ending, one.sender_addr
    FROM senders,
      LATERAL (${NEXT_SENDER('senders.start', 'AND sender_addr ~>~ senders.sender_addr')}) one
  ), transactions AS (
    SELECT one.tx_hash FROM jsonb_array_elements_text($2::text::jsonb) AS wanted(start), LATERAL (
      SELECT tx_hash FROM tonplug.reports
      WHERE name = $1::text AND length(tx_hash) <= 88 AND ${beginsWith('tx_hash', 'wanted.start')}
      ORDER BY tx_hash USING ~<~
      LIMIT $4::text::integer
    ) one
  )
  (SELECT DISTINCT 'tx_hash' AS kind, tx_hash AS value FROM transactions LIMIT $4::text::integer)
  UNION ALL
  (SELECT DISTINCT 'sender_addr', read.sender_addr
    FROM (SELECT * FROM senders LIMIT ${MAX_SENDERS}) read
    WHERE right(read.sender_addr, length(read.ending)) = read.ending
    LIMIT $4::text::integer)`,
  LONG_MS,
)
