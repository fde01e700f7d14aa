import { ConfigurationError } from '@tonplug/core'

/**
 * What runs SQL: a `Pool` of `pg`, a `PGlite`, or a transaction of your database library in a wrapper of one line.
 * Every parameter is text or null, and so is every column of an answer, so that no driver's conversion of types
 * comes between.
 */
export interface Queryable {
  /** @param text one statement, with parameters `$1`, `$2` … */
  query(text: string, values?: (string | null)[]): Promise<{ rows: unknown[] }>
}

/** One row of an answer. */
export type Row = Record<string, string | null>

/** @throws {ConfigurationError} which never has the value: it may be an address with its password. */
export function checkQueryable(db: unknown): void {
  const isObject = (typeof db === 'object' && db !== null) || typeof db === 'function'
  if (isObject && 'query' in db && typeof db.query === 'function') return
  const problem = `is ${kindOf(db)}; give a pool, as \`new pg.Pool({ connectionString })\`, or the \`db\` of \`await openDatabase({ url })\``
  throw new ConfigurationError({ option: 'db', problem })
}

function kindOf(db: unknown): string {
  if (db === null || db === undefined) return String(db)
  if (typeof db === 'string') return 'a text'
  if (typeof db === 'object' && 'then' in db) return 'a promise that nobody awaited'
  return typeof db === 'object' ? 'an object without query()' : `a ${typeof db}`
}

/** `pg` keeps the plan of a named statement on its connection. */
interface Pg {
  query(config: {
    name?: string
    text: string
    values?: (string | null)[]
    query_timeout: number
  }): Promise<{ rows: unknown[] }>
}

/**
 * Runs one statement. A server that vanished without a word never answers: `pg` then gives up the connection when the
 * time is over, and with it goes whoever waits for it. Others have time limits of their own.
 */
export function ask(
  db: Queryable,
  { name, text, timeoutMs }: { name?: string; text: string; timeoutMs: number },
  values?: (string | null)[],
): Promise<{ rows: unknown[] }> {
  if (!isPg(db)) return db.query(text, values)
  return db.query({
    ...(name !== undefined && { name }),
    text,
    ...(values !== undefined && { values }),
    query_timeout: timeoutMs,
  })
}

function isPg(db: Queryable): db is Queryable & Pg {
  return 'connect' in db && typeof db.connect === 'function'
}
