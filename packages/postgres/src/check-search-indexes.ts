import { RepositoryError } from '@tonplug/core'
import type { Run } from './record-decision.js'
import { isText, searched, type OrderColumn, type OrderTable } from './sql/order-table.js'
import { describeIndexes } from './sql/table-facts.js'

/** A column of an index. */
interface IndexKey {
  /** In the format of PostgreSQL. */
  expression: string
  operators: string
}

/**
 * Checks that an index finds the orders by each field that operators search.
 * @throws {RepositoryError} with the SQL of the indexes that are missing.
 */
export async function checkSearchIndexes(run: Run, table: OrderTable): Promise<void> {
  if (table.search.length === 0 && table.scope !== undefined) return
  const [row] = await run(describeIndexes, [table.name])
  // The statement returns these fields.
  const indexes = JSON.parse(row?.['indexes'] ?? '[]') as IndexKey[][]
  const { reference } = table.columns
  // The unique index on the reference finds values that are not strings, and own tables have an index of strings.
  const isOwn = table.scope !== undefined
  const fields = [...(isText(reference) && !isOwn ? [reference] : []), ...table.search]
  const missing = fields
    .map((field) => keyOf(field, field === reference))
    .filter((key) => !indexes.some((keys) => isIndexed(isOwn ? keys.slice(1) : keys, key)))
    .map(({ expression, operators }) => {
      const scope = isOwn ? 'name, ' : ''
      return `CREATE INDEX CONCURRENTLY ON ${table.name} (${scope}${expression}${operators});`
    })
  if (missing.length === 0) return
  const problem = `operators cannot search the table ${table.name} without reading all of it. Run this SQL, or leave fields out of \`search\`:\n\n${missing.join('\n')}\n`
  throw new RepositoryError({ operation: 'orders.checkAccess', problem })
}

function keyOf(field: OrderColumn, isReference: boolean): IndexKey {
  const column = field.expression?.() ?? field.name
  if (!isText(field)) return { expression: column, operators: '' }
  const expression = isReference ? column : searched(column)
  return { expression, operators: ' text_pattern_ops' }
}

function isIndexed([first]: readonly IndexKey[], { expression, operators }: IndexKey): boolean {
  if (first === undefined) return false
  const isSorted = operators === '' || first.operators.endsWith('pattern_ops')
  return isSorted && bare(first.expression) === bare(expression)
}

/** Returns an expression without the marks that PostgreSQL adds. */
function bare(expression: string): string {
  return expression.replace(/::(?:text|character varying)|[\s()"]/g, '')
}
