import { RepositoryError } from '@tonplug/core'
import { ruleOf } from './column-rules.js'
import { baseUnitsColumn, checkUnit, isInOtherUnit, type Difference } from './check-unit.js'
import type { OrderField, OrderMapping } from './order-mapping.js'
import type { Run } from './record-decision.js'
import type { OrderColumn, OrderColumns, OrderTable } from './sql/order-table.js'
import { quoteName, quoteText } from './sql/quote.js'
import { describeTable } from './sql/table-facts.js'

interface TableFacts {
  schema: string
  table: string
  isPartitioned: boolean
  /** `values` are of an enum. */
  columns: { name: string; type: string; isNullable: boolean; values: string[] | null }[]
  uniqueKeys: string[][]
}

/**
 * Reads a table of the shop and compares it with its mapping.
 * @throws {RepositoryError} with every difference, and the SQL that adds what is missing.
 */
export async function checkOrderTable(run: Run, mapping: OrderMapping): Promise<OrderTable> {
  const { schema, table, columns, statuses, asset, extra, search = [], per } = mapping
  const place = [schema, table].flatMap((name) => name ?? []).map(quoteName)
  const [row] = await run(describeTable, [place.join('.')])
  if (row === undefined) {
    throw failure(place.join('.'), [
      { problem: 'the table does not exist, or its schema is not in the search_path' },
    ])
  }
  // The statement returns these fields.
  const facts = JSON.parse(row['facts'] ?? '') as TableFacts
  const name = `${quoteName(facts.schema)}.${quoteName(facts.table)}`
  const differences = [
    ...fieldsOf(columns).flatMap(([field, column]) =>
      checkColumn({ facts, name, asset, per }, field, column),
    ),
    ...Object.values(extra).flatMap((column) => checkExtra(facts, column)),
    ...search.flatMap((field) => checkSearched(facts, extra[field] ?? '')),
    ...checkStatuses(facts, mapping),
    ...checkUnique(facts, name, mapping),
  ]
  if (differences.length > 0) throw failure(name, differences)
  const described = describeColumns(facts, Object.entries(extra))
  return {
    name,
    asset,
    per,
    statuses,
    columns: describeColumns(facts, fieldsOf(columns)) as Partial<OrderColumns> as OrderColumns,
    extra: described,
    search: search.flatMap((field) => described[field] ?? []),
  }
}

function fieldsOf(columns: OrderMapping['columns']): [OrderField, string][] {
  // `columns` has no other keys, and undefined ones are left out.
  return Object.entries(columns).filter(([, name]) => name !== undefined) as [OrderField, string][]
}

/** Describes columns that exist. */
function describeColumns(
  facts: TableFacts,
  names: readonly (readonly [key: string, name: string])[],
): Record<string, OrderColumn> {
  return Object.fromEntries(
    names.map(([key, name]) => {
      const { type = '', isNullable = true } = findColumn(facts, name) ?? {}
      return [key, { name: quoteName(name), type, isNullable }]
    }),
  )
}

function findColumn(facts: TableFacts, name: string): TableFacts['columns'][number] | undefined {
  return facts.columns.find((column) => column.name === name)
}

/** A table of the shop, and its mapping. */
interface CheckedTable {
  facts: TableFacts
  /** Quoted. */
  name: string
  asset: string | undefined
  per: bigint | undefined
}

function checkColumn(
  { facts, name, asset, per }: CheckedTable,
  field: OrderField,
  column: string,
): Difference[] {
  const { accepts, expected, added } = ruleOf(field, asset)
  const quoted = quoteName(column)
  const found = findColumn(facts, column)
  if (found === undefined) {
    const sql = `ALTER TABLE ${name} ADD COLUMN ${quoted} ${added};`
    return [{ problem: `the column ${quoted} of \`${field}\` does not exist`, sql }]
  }
  const { type } = found
  if (field === 'rawAmount' && isInOtherUnit(found, per)) {
    return checkUnit(found, { table: name, asset, per })
  }
  if (accepts.test(type)) return []
  const problem = `the column ${quoted} of \`${field}\` is ${type}; it must be ${expected}`
  if (field !== 'rawAmount') return [{ problem }]
  // Its values may be in another unit, for example cents, so no SQL changes its type.
  const advice = `${problem}. Map another column, of type ${added}, or state its unit with \`per\``
  return [{ problem: advice, sql: baseUnitsColumn(found, { table: name, asset }) }]
}

function checkExtra(facts: TableFacts, column: string): Difference[] {
  if (findColumn(facts, column) !== undefined) return []
  return [{ problem: `the column ${quoteName(column)} of \`extra\` does not exist` }]
}

const SEARCHED = /^(?:text|character|citext|uuid|smallint|integer|bigint)/

function checkSearched(facts: TableFacts, column: string): Difference[] {
  const found = findColumn(facts, column)
  if (found === undefined || SEARCHED.test(found.type)) return []
  const problem = `the column ${quoteName(column)} of \`search\` is ${found.type}; it must be text, \`uuid\` or an integer`
  return [{ problem }]
}

/** An enum has all values that are read or written. */
function checkStatuses(facts: TableFacts, { columns, statuses }: OrderMapping): Difference[] {
  const found = findColumn(facts, columns.status)
  if (found === undefined || found.values === null) return []
  const { type, values } = found
  const missing = Object.values(statuses)
    .flat()
    .filter((value) => !values.includes(value))
  return missing.map((value) => ({
    problem: `the type ${type} of \`status\` has no value ${quoteText(value)}; list the values that it has in \`statuses\`, or add it`,
    sql: `ALTER TYPE ${type} ADD VALUE ${quoteText(value)};`,
  }))
}

/** Without it, two orders could have one reference, and a payment would complete both. */
function checkUnique(facts: TableFacts, name: string, { columns }: OrderMapping): Difference[] {
  const key = [columns.reference, columns.merchant].filter((column) => column !== undefined)
  const isUnique = facts.uniqueKeys.some(
    (unique) =>
      unique.includes(columns.reference) && unique.every((column) => key.includes(column)),
  )
  if (isUnique) return []
  const quoted = key.map(quoteName).join(', ')
  const problem = `no unique index on ${quoted} exists, so a payment could complete two orders`
  // PostgreSQL refuses CONCURRENTLY for the index of a partitioned table.
  const sql = facts.isPartitioned
    ? `CREATE UNIQUE INDEX ON ${name} (${quoted});`
    : `-- By itself, outside of a transaction. Writes continue in the meantime.\nCREATE UNIQUE INDEX CONCURRENTLY ON ${name} (${quoted});`
  return [{ problem, sql }]
}

function failure(table: string, differences: readonly Difference[]): RepositoryError {
  const problems = differences.map(({ problem }) => `- ${problem}`).join('\n')
  const sql = differences.flatMap((difference) => difference.sql ?? []).join('\n')
  const advice = sql === '' ? '' : `\nChange the mapping, or run this SQL:\n\n${sql}\n`
  const problem = `the table ${table} does not fit its mapping:\n${problems}${advice}`
  return new RepositoryError({ operation: 'orders.checkAccess', problem })
}
