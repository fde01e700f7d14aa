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
