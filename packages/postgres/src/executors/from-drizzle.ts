import type { Queryable } from '../queryable.js'
import { rememberQueryable } from './remember.js'

/** A database or a transaction of Drizzle on PostgreSQL. */
export interface DrizzleLike<Query> {
  execute(query: Query): PromiseLike<unknown>
}

/** `sql` of `drizzle-orm`. */
export interface DrizzleSql<Query, Param> {
  raw(text: string): Query
  param(value: string | null): Param
  join(chunks: (Query | Param)[]): Query
}

/** A parameter, or a constant or an identifier, in which `$1` is not one. */
const PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g

/**
 * Runs SQL with Drizzle: on a connection of its driver, or in the given transaction.
 * @param sql `sql` of `drizzle-orm`
 * @example
 * const orders = mappedOrderRepository(fromDrizzle(db, sql), mapping)
 */
export function fromDrizzle<Query, Param>(
  db: DrizzleLike<Query>,
  sql: DrizzleSql<Query, Param>,
): Queryable {
  return rememberQueryable(
    db,
    { method: 'execute', expected: 'a database or a transaction of Drizzle' },
    () => ({
      async query(text, values = []) {
        const result = await db.execute(toQuery(sql, text, values))
        // Depending on the driver, Drizzle returns the rows or an object with them.
        return Array.isArray(result) ? { rows: result } : (result as { rows: unknown[] })
      },
    }),
  )
}

/** Drizzle numbers parameters itself. */
function toQuery<Query, Param>(
  sql: DrizzleSql<Query, Param>,
  text: string,
  values: (string | null)[],
): Query {
  if (values.length === 0) return sql.raw(text)
  const chunks: (Query | Param)[] = []
  let end = 0
  for (const { 0: found, 1: number, index } of text.matchAll(PARAMETER)) {
    if (number === undefined) continue
    chunks.push(sql.raw(text.slice(end, index)), sql.param(values[Number(number) - 1] ?? null))
    end = index + found.length
  }
  return sql.join([...chunks, sql.raw(text.slice(end))])
}
