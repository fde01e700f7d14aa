import type { OrderStatus } from '@tonplug/core'
import { quoteText } from './quote.js'
import { toMs } from './statement.js'

/** A column of an orders table `o`. */
export interface OrderColumn {
  /** Quoted. */
  name: string
  /** In the format of PostgreSQL's `format_type`. */
  type: string
  isNullable: boolean
  /** For a field inside of a column: its SQL, without and with the name of the table. */
  expression?: ((table?: 'o') => string) | undefined
}

/** The columns of an order, by its fields. A shop's table has some of the optional ones. */
export interface OrderColumns {
  reference: OrderColumn
  status: OrderColumn
  payment: OrderColumn
  merchant?: OrderColumn | undefined
  rawAmount?: OrderColumn | undefined
  asset?: OrderColumn | undefined
  /** Instead of an amount and an asset. */
  offers?: OrderColumn | undefined
  recipient?: OrderColumn | undefined
  bodyBase64Hash?: OrderColumn | undefined
  createdAt?: OrderColumn | undefined
  paymentTxHash?: OrderColumn | undefined
  failure?: OrderColumn | undefined
  failureTxHash?: OrderColumn | undefined
}

/** A table of orders: tonplug's own, or one of the shop. */
export interface OrderTable {
  /** Quoted, with its schema. */
  name: string
  columns: OrderColumns
  /** The asset of every order of a table without such a column. */
  asset?: string | undefined
  /** Base units for each 1 of the column of the amount. @default 1n */
  per?: bigint | undefined
  /** The values of each status; the first one is written. */
  statuses: Readonly<Record<OrderStatus, readonly string[]>>
  /** Further columns, which the orders have under these names. */
  extra: Readonly<Record<string, OrderColumn>>
  /** Fields that operators search, beside the reference. */
  search: readonly OrderColumn[]
  /** A condition of all statements. */
  scope?: string | undefined
}

const OPEN: readonly OrderStatus[] = ['pending', 'failed', 'expired']
const DIGITS_MATTER = /^(?:bigint|numeric)/
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
const INTEGER = '^(0|[1-9][0-9]{0,17})$'

/** Returns the reference to a column; SQL null for an absent one. */
export function columnOf(column: OrderColumn | undefined, type = 'text'): string {
  return column === undefined ? `NULL::${type}` : `o.${column.name}`
}

/** The columns of an order, as text. Their names differ from the columns of a report. */
export function selectedColumns(table: OrderTable): string {
  const { columns, asset, per = 1n } = table
  const amount = columnOf(columns.rawAmount, 'numeric')
  return `
    ${columnOf(columns.reference)}::text AS order_reference, ${merchantOf(table)} AS order_merchant,
    trim_scale(${per === 1n ? amount : `${amount}::numeric * ${per}`})::text AS raw_amount,
    ${asset === undefined ? columnOf(columns.asset) : quoteText(asset)}::text AS asset,
    ${columnOf(columns.recipient)}::text AS recipient, ${statusOf(table)} AS status,
    ${createdMs(table)} AS created_ms, ${jsonOf(columns.payment)} AS payment,
    ${jsonOf(columns.failure)} AS failure, ${extraOf(table)}::text AS extra,
    ${columnOf(columns.bodyBase64Hash)}::text AS body_base64_hash, ${jsonOf(columns.offers)} AS offers`
}

/** The condition of one order. An order without its key, amount, asset, offers or status does not exist yet. */
export function hasKey(table: OrderTable, merchant: string, reference: string): string {
  const { columns } = table
  const ofMerchant =
    columns.merchant === undefined
      ? `${merchant} = ''`
      : `${columnOf(columns.merchant)} = ${keyValue(columns.merchant, merchant)}`
  const ofReference = `${columnOf(columns.reference)} = ${keyValue(columns.reference, reference)}`
  return `${ofMerchant} AND ${ofReference} AND ${isVisible(table)}`
}

/** Returns true for a column of strings. */
export function isText({ type }: OrderColumn): boolean {
  return /^(?:text|character|citext)/.test(type)
}

/** Characters of a string in an index for searches. Entries of an index are limited in length. */
export const SEARCHED = 200

/** Returns the expression of the part of a string that an index for searches has. */
export function searched(text: string): string {
  return `left(lower(${text}), ${SEARCHED})`
}

/** Converts text to the type of a column; null for text that no value of the type has. */
export function keyValue({ type }: OrderColumn, text: string): string {
  if (type === 'uuid') return `CASE WHEN ${text} ~ '${UUID}' THEN ${text}::uuid END`
  if (/^(?:smallint|integer|bigint)$/.test(type)) {
    return `CASE WHEN ${text} ~ '${INTEGER}' THEN ${text}::bigint END`
  }
  return text
}

/** The condition of the orders that statements may read. */
export function isVisible({ columns, scope }: OrderTable): string {
  const { merchant, reference, rawAmount, asset, offers, status } = columns
  const needed = [merchant, reference, rawAmount, asset, offers, status]
    .filter((column) => column?.isNullable === true)
    .map((column) => `${columnOf(column)} IS NOT NULL`)
  return [...(scope === undefined ? [] : [scope]), ...needed].join(' AND ') || 'true'
}

/** The condition of orders that can be completed. */
export function isOpen(table: OrderTable): string {
  return hasStatus(table, ...OPEN)
}

export function hasStatus({ columns, statuses }: OrderTable, ...names: OrderStatus[]): string {
  const values = names.flatMap((name) => statuses[name])
  if (values.length === 0) return 'false'
  return `${columnOf(columns.status)} IN (${values.map(quoteText).join(', ')})`
}

/** A status that is not listed follows a payment if one is stored; otherwise the order cannot be paid. */
export function statusOf(table: OrderTable): string {
  const names: readonly OrderStatus[] = [...OPEN, 'cancelled', 'completed']
  const cases = names
    .filter((name) => table.statuses[name].length > 0)
    .map((name) => `WHEN ${hasStatus(table, name)} THEN '${name}'`)
  const { payment } = table.columns
  return `CASE ${cases.join(' ')} WHEN ${jsonOf(payment)} IS NULL THEN 'cancelled' ELSE 'completed' END`
}

/** A JSON column as text. Some libraries store the JSON null for no value. */
function jsonOf(column: OrderColumn | undefined): string {
  return `nullif(${columnOf(column)}::text, 'null')`
}

/** The hash of the transfer that a JSON column describes. A column of strings may have other ones, as an empty default. */
export function hashOf(column: OrderColumn | undefined): string {
  const json = columnOf(column)
  return `CASE WHEN left(${json}::text, 1) = '{' THEN (${json}::jsonb)->>'txHash' END`
}

/** The time of an order. One without a time zone is in UTC. */
function createdAt({ columns }: OrderTable): string {
  const column = columnOf(columns.createdAt, 'timestamptz')
  return columns.createdAt?.type.endsWith('without time zone')
    ? `${column} AT TIME ZONE 'UTC'`
    : column
}

/** Null for `infinity`, which no date is. */
function createdMs(table: OrderTable): string {
  const time = createdAt(table)
  return `CASE WHEN isfinite(${time}) THEN ${toMs(time)} END`
}

/** The condition of orders that were created at or after a time, or at an unknown one. */
export function isCreatedAfter(table: OrderTable, time: string): string {
  const column = `(${createdAt(table)})`
  const isLater = `${column} >= ${time}`
  return isDated(table) ? isLater : `(${column} IS NULL OR ${isLater})`
}

/** The position of an order in lists, oldest first: three columns. */
export function positionOf(table: OrderTable): [string, string, string] {
  const time = `(${createdAt(table)})`
  return [
    isDated(table) ? time : `coalesce(${time}, to_timestamp(0))`,
    merchantOf(table),
    `${columnOf(table.columns.reference)}::text`,
  ]
}

function isDated({ columns }: OrderTable): boolean {
  return columns.createdAt?.isNullable === false
}

function merchantOf({ columns }: OrderTable): string {
  return columns.merchant === undefined ? `''::text` : `${columnOf(columns.merchant)}::text`
}

/** JSON of the further columns. Numbers that JavaScript would round are strings. */
function extraOf({ extra }: OrderTable): string {
  const fields = Object.entries(extra).map(([key, column]) => {
    const value = columnOf(column)
    return `${quoteText(key)}, ${DIGITS_MATTER.test(column.type) ? `${value}::text` : value}`
  })
  return `jsonb_build_object(${fields.join(', ')})`
}
