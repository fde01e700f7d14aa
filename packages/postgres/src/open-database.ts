import { checkOptionNames } from '@tonplug/core'
import type { Queryable } from './queryable.js'

/** Where the database is. */
export interface OpenDatabaseOptions {
  /** `postgres://…`; empty or `undefined` opens PGlite. */
  url?: string | undefined
  /** The folder in which PGlite keeps its files. @default './.tonplug' */
  folder?: string | undefined
}

const NAMES: Record<keyof OpenDatabaseOptions, true> = { url: true, folder: true }

/** An open database. */
export interface OpenDatabase {
  /** For `postgresInbox` and `postgresOrderRepository`. */
  db: Queryable
  /** Ends its connections, or writes PGlite's files to the end. */
  close: () => Promise<void>
}

/**
 * Opens PostgreSQL when there is a `url`, otherwise PGlite in a folder: PostgreSQL in this process, with nothing to
 * start. A folder serves one process at a time. Needs `pg` or `@electric-sql/pglite` to be installed.
 * @throws {ConfigurationError} for an option that does not exist.
 * @example
 * const { db, close } = await openDatabase({ url: process.env.DATABASE_URL })
 */
export async function openDatabase(options: OpenDatabaseOptions = {}): Promise<OpenDatabase> {
  checkOptionNames(options, Object.keys(NAMES))
  const { url, folder = './.tonplug' } = options
  if (url !== undefined && url !== '') {
    const { default: pg } = await import('pg')
    // Tells of a server that vanished without a word; a statement that was sent to it would wait for ever.
    const pool = new pg.Pool({ connectionString: url, keepAlive: true })
    return { db: pool, close: () => pool.end() }
  }
  const { PGlite } = await import('@electric-sql/pglite')
  const db = await PGlite.create(folder)
  return { db, close: () => db.close() }
}
