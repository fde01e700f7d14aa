import { z } from 'zod'
import { isPreparedStatementError, stopNames, usesNames } from './prepared-statements.js'
import { parseOptions } from '@tonplug/core/internal'

/**
 * Runs SQL: a `Pool` of `pg`, a `PGlite`, or a wrapper of a transaction of your database library. All parameters and all
 * columns of the results are text or null, so that no driver converts types.
 */
export interface Queryable {
  /** @param text one statement, with parameters `$1`, `$2` … */
  query(text: string, values?: (string | null)[]): Promise<{ rows: unknown[] }>
}

/** One row of a result. */
export type Row = Record<string, string | null>

const QUERYABLE = z.custom<Queryable>(
  hasQuery,
  'must be a pool with query(), for example `new pg.Pool({ connectionString })`, or the `db` of `await openDatabase({ url })`',
)

/** @throws {ConfigurationError} when `db` cannot run SQL. */
export function checkQueryable(db: unknown): void {
  parseOptions(QUERYABLE, db, { path: 'db' })
}

function hasQuery(db: unknown): boolean {
  const isObject = (typeof db === 'object' && db !== null) || typeof db === 'function'
  return isObject && 'query' in db && typeof db.query === 'function'
}

/** `pg` stores the plan of a named statement in its connection. */
interface Pg {
  query(config: {
    name?: string
    text: string
    values?: (string | null)[]
    query_timeout: number
  }): Promise<{ rows: unknown[] }>
}

/** A statement to run. */
interface QueryOptions {
  name?: string
  text: string
  timeoutMs: number
}

/**
 * Runs one statement. `pg` closes the connection at the time limit; other drivers use their own time limits. A pooler may
 * not support names; the statement is then repeated without one, and later ones have none.
 */
export async function query(
  db: Queryable,
  { name, text, timeoutMs }: QueryOptions,
  values?: (string | null)[],
): Promise<{ rows: unknown[] }> {
  if (!isPg(db)) return db.query(text, values)
  const config = { text, ...(values !== undefined && { values }), query_timeout: timeoutMs }
  if (name === undefined || !usesNames(db)) return db.query(config)
  try {
    return await db.query({ ...config, name })
  } catch (error) {
    if (!isPreparedStatementError(error)) throw error
    const result = await db.query(config)
    stopNames(db)
    return result
  }
}

function isPg(db: Queryable): db is Queryable & Pg {
  return 'connect' in db && typeof db.connect === 'function'
}
