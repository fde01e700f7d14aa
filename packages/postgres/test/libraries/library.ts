import type { Queryable } from '../../src/queryable.js'

export const CONNECTIONS = 20

/** A database library that is connected to a database. */
export interface OpenLibrary {
  db: Queryable
  /** Runs work in one transaction of the library. */
  inTransaction<Result>(work: (db: Queryable) => Promise<Result>): Promise<Result>
  close(): Promise<unknown>
}
