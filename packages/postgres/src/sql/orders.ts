import type { OrderStatus } from '@tonplug/core'
import {
  columnOf,
  hashOf,
  hasKey,
  hasStatus,
  isCreatedAfter,
  isOpen,
  isText,
  isVisible,
  keyValue,
  positionOf,
  SEARCHED,
  searched,
  selectedColumns,
  statusOf,
  type OrderColumn,
  type OrderTable,
} from './order-table.js'
import { claimAll, claimTransactions, isCreditStored } from './payments.js'
import { quoteText } from './quote.js'
import { insertReport, RECORD, RECORDED, REPORT_COLUMNS, STORED } from './reports.js'
import { fromMs, LONG_MS, statement, type Statement } from './statement.js'
import { ADD_TASKS } from './tasks.js'

/** The statements on a table of orders. Its key is $1, the merchant, and $2, the reference. */
export interface OrderStatements {
  find: Statement
  /** $1 is a JSON list. */
  findByReferences: Statement
  /** $1 is a JSON list. Absent for a table without body hashes. */
  findByBodyHashes?: Statement | undefined
  /** $3 is the payment, $4 its transaction hash. */
  complete: Statement
  /** $3 is the failure, $4 its transaction hash. */
  fail: Statement
  explain: Statement
  listOpen: Statement
  /** The pages of all orders, and of one status. */
  list: Readonly<Record<OrderStatus | 'all', Statement>>
  /** $1 is the beginning of a reference or of a field that the shop has named, $2 the limit. */
  search: Statement
  storeAndFind: Statement
  /** Claims transactions only: most deliveries name no credit, and the credits are half of the other statement. */
  completeAndDecide: Statement
  completeWithCredits: Statement
  failAndDecide: Statement
}

/** Returns the statements on a table. */
export function orderStatements(table: OrderTable): OrderStatements {
  const { reference, bodyBase64Hash } = table.columns
  return {
    find: statement('orders.find', select(table, hasKey(table, '$1::text', '$2::text'))),
    findByReferences: findBy('orders.findByReferences', table, reference),
    findByBodyHashes: bodyBase64Hash && findBy('orders.findByBodyHashes', table, bodyBase64Hash),
    complete: statement('orders.complete', `${complete(table, KEY)} RETURNING 1`),
    fail: statement('orders.fail', `${fail(table, KEY)} RETURNING 1`),
    explain: explain(table),
    listOpen: listOpen(table),
    list: {
      all: listNewest(table, 'true'),
      pending: listNewest(table, hasStatus(table, 'pending')),
      failed: listNewest(table, hasStatus(table, 'failed')),
      expired: listNewest(table, hasStatus(table, 'expired')),
      // Values of the shop that are not listed are one of these.
      cancelled: listNewest(table, `${statusOf(table)} = 'cancelled'`),
      completed: listNewest(table, `${statusOf(table)} = 'completed'`),
    },
    search: search(table),
    storeAndFind: storeAndFind(table),
    completeAndDecide: completeAndDecide(table, claimTransactions),
    completeWithCredits: completeAndDecide(table, claimAll),
    failAndDecide: failAndDecide(table),
  }
}

/** Parameters of a transition. */
interface MoveParameters {
  merchant: string
  reference: string
  /** JSON of the payment or the failure. */
  transfer: string
  /** Its transaction hash. */
  txHash: string
}

const KEY: MoveParameters = {
  merchant: '$1::text',
  reference: '$2::text',
  transfer: '$3::text',
  txHash: '$4::text',
}

function select(table: OrderTable, condition: string): string {
  return `SELECT ${selectedColumns(table)} FROM ${table.name} o WHERE ${condition}`
}

function findBy(operation: string, table: OrderTable, column: OrderColumn): Statement {
  const isGiven = `${columnOf(column)} IN (
    SELECT ${keyValue(column, 'value')} FROM jsonb_array_elements_text($1::text::jsonb) AS given(value))`
  const order = positionOf(table).join(', ')
  return statement(
    operation,
    `${select(table, `${isGiven} AND ${isVisible(table)}`)} ORDER BY ${order}`,
  )
}

/** Stores a payment in an open order. */
function complete(table: OrderTable, parameters: MoveParameters): string {
  const { columns, statuses } = table
  const { merchant, reference } = parameters
  const assigned = [
    `${columns.status.name} = ${quoteText(statuses.completed[0] ?? '')}`,
    ...storeTransfer(columns.payment, columns.paymentTxHash, parameters),
  ]
  return `
    UPDATE ${table.name} o SET ${assigned.join(', ')}
    WHERE ${hasKey(table, merchant, reference)} AND ${isOpen(table)} AND ${isGiven(parameters)}`
}

/** Stores a failure in an open order that has another one or none. */
function fail(table: OrderTable, parameters: MoveParameters): string {
  const { columns, statuses } = table
  const { merchant, reference, txHash } = parameters
  const [failed] = statuses.failed
  const standing = columnOf(columns.status)
  const assigned = [
    failed === undefined
      ? `${columns.status.name} = ${standing}`
      : `${columns.status.name} = CASE WHEN ${hasStatus(table, 'pending')} THEN ${quoteText(failed)} ELSE ${standing} END`,
    ...storeTransfer(columns.failure, columns.failureTxHash, parameters),
  ]
  return `
    UPDATE ${table.name} o SET ${assigned.join(', ')}
    WHERE ${hasKey(table, merchant, reference)} AND ${isOpen(table)} AND ${isGiven(parameters)}
      AND ${hashOf(columns.failure)} IS DISTINCT FROM ${txHash}`
}

/** Always true. PostgreSQL rejects a parameter that a statement does not mention, and not every table stores both. */
function isGiven({ transfer, txHash }: MoveParameters): string {
  return `(${transfer}, ${txHash}) IS NOT NULL`
}

function storeTransfer(
  column: OrderColumn | undefined,
  hash: OrderColumn | undefined,
  { transfer, txHash }: MoveParameters,
): string[] {
  return [
    ...(column === undefined ? [] : [`${column.name} = ${transfer}::jsonb`]),
    ...(hash === undefined ? [] : [`${hash.name} = ${txHash}`]),
  ]
}

/** Reads why a transition was not applied. A statement of its own, since the update may have waited for another one. */
function explain(table: OrderTable): Statement {
  const { payment, failure } = table.columns
  return statement(
    'orders.explain',
    `SELECT ${statusOf(table)} AS status, ${hashOf(payment)} AS payment_tx_hash,
      ${hashOf(failure)} AS failure_tx_hash
    FROM ${table.name} o WHERE ${hasKey(table, KEY.merchant, KEY.reference)}`,
  )
}

/** $1 is the earliest creation time; the page follows the position ($2, $3, $4). $5 is its size. */
function listOpen(table: OrderTable): Statement {
  const position = positionOf(table)
  return statement(
    'orders.listOpen',
    // As JSON, a time has the same format whatever the DateStyle is.
    `SELECT ${selectedColumns(table)}, to_json(${position[0]}) #>> '{}' AS position
    FROM ${table.name} o
    WHERE ${isVisible(table)} AND ${isOpen(table)}
      AND ${isCreatedAfter(table, `coalesce(${fromMs('$1')}, '-infinity')`)}
      AND (${position.join(', ')})
        > (coalesce($2::text::timestamptz, '-infinity'), $3::text, $4::text)
    ORDER BY ${position.join(', ')}
    LIMIT $5::text::integer`,
  )
}

/**
 * $1 and $2 are the earliest and the latest creation time, the latter not included; the page precedes the position ($3, $4,
 * $5). $6 is its size.
 */
function listNewest(table: OrderTable, condition: string): Statement {
  const position = positionOf(table)
  const [time] = position
  return statement(
    'orders.list',
    `SELECT ${selectedColumns(table)}, to_json(${time}) #>> '{}' AS position
    FROM ${table.name} o
    WHERE ${isVisible(table)} AND ${condition}
      AND ${time} >= coalesce(${fromMs('$1')}, '-infinity')
      AND ${time} < coalesce(${fromMs('$2')}, 'infinity')
      AND (${position.join(', ')})
        < (coalesce($3::text::timestamptz, 'infinity'), $4::text, $5::text)
    ORDER BY ${position.map((column) => `${column} DESC`).join(', ')}
    LIMIT $6::text::integer`,
    LONG_MS,
  )
}

/** Reads no more than the limit of each field; an order that several fields find is returned several times. */
function search(table: OrderTable): Statement {
  const { reference } = table.columns
  const found = [reference, ...table.search].map((field) => {
    const { column, value, condition } = searchKey(field, field === reference)
    const isFound = isText(field)
      ? `${column} ~>=~ ${value} AND ${column} ~<~ (${value} || chr(1114111))`
      : `${column} = ${value}`
    const sorted = isText(field) ? `ORDER BY ${column} USING ~<~` : ''
    return `(${select(table, `${isFound} AND ${condition} AND ${isVisible(table)}`)} ${sorted} LIMIT $2::text::integer)`
  })
  return statement(
    'orders.search',
    `SELECT * FROM (${found.join(' UNION ALL ')}) found ORDER BY order_reference USING ~<~`,
    LONG_MS,
  )
}

interface SearchKey {
  /** The indexed expression of a field. */
  column: string
  /** $1 in its form. */
  value: string
  /** Checks the part of a string that the expression leaves out. */
  condition: string
}

/** Strings compare as bytes, whatever the collation is. */
function searchKey(field: OrderColumn, isReference: boolean): SearchKey {
  const column = field.expression?.('o') ?? columnOf(field)
  const condition = 'true'
  if (!isText(field)) return { column, value: keyValue(field, '$1::text'), condition }
  if (isReference) return { column, value: '$1::text', condition }
  return {
    column: searched(column),
    value: searched('$1::text'),
    condition: `(length(lower($1::text)) <= ${SEARCHED} OR starts_with(lower(${column}), lower($1::text)))`,
  }
}

/** `storeReport`, with the order as it was before. $16 is the reference to look up. */
function storeAndFind(table: OrderTable): Statement {
  const { payment } = table.columns
  const columns = `${selectedColumns(table)}, ${hashOf(payment)} AS payment_tx_hash`
  const report = insertReport(
    `EXISTS (SELECT FROM wanted WHERE status = 'completed' AND coalesce(payment_tx_hash, $7::text) = $7::text)`,
  )
  return statement(
    'inbox.storeAndFind',
    `WITH wanted AS (
      SELECT ${columns} FROM ${table.name} o WHERE ${hasKey(table, '$2::text', '$16::text')}
    ), inserted AS (${report})
    SELECT ${REPORT_COLUMNS}, wanted.* FROM (${STORED}) r LEFT JOIN wanted ON true`,
  )
}

/** $8 to $11 of the combined statements; $1 to $7 are the decision. */
const MOVED: MoveParameters = {
  merchant: '$8::text',
  reference: '$9::text',
  transfer: '$10::text',
  txHash: '$11::text',
}

const RECORD_MOVED = `recorded AS (
    ${RECORD} AND EXISTS (SELECT FROM moved) RETURNING ${RECORDED}
  ), added AS (${ADD_TASKS})
  SELECT
    (SELECT count(*) FROM moved)::text AS moved,
    (SELECT count(*) FROM recorded)::text AS recorded`

const CLAIMS = {
  name: '(SELECT name FROM tonplug.reports WHERE id = $1::text::bigint)',
  merchant: MOVED.merchant,
  reference: MOVED.reference,
  payments: '$12',
  kind: "'order'::text",
  payment: MOVED.txHash,
  usedAmount: '$14::text::numeric',
}

/**
 * Locks the order before anything else, so that a statement that waits for it has changed nothing. $12 are the payments to
 * claim; where another order has claimed one, `tonplug.reject_claim` rolls the statement back. $13 are the hashes of credits
 * that are perhaps not stored, $14 is the amount that the order uses of its credits.
 */
function completeAndDecide(table: OrderTable, claim: typeof claimAll): Statement {
  return statement(
    'inbox.completeAndDecide',
    `WITH look AS MATERIALIZED (
      SELECT ${isCreditStored('$13')} AS is_stored
    ), moved AS (${complete(table, MOVED)} AND NOT (SELECT is_stored FROM look) RETURNING 1),
    ${claim(CLAIMS, 'EXISTS (SELECT FROM moved)')}, ${RECORD_MOVED},
    (SELECT is_stored::text FROM look) AS is_stored`,
  )
}

function failAndDecide(table: OrderTable): Statement {
  return statement(
    'inbox.failAndDecide',
    `WITH moved AS (${fail(table, MOVED)} RETURNING 1), ${RECORD_MOVED}`,
  )
}
