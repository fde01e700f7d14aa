import { checkOptionNames, ConfigurationError } from '@tonplug/core'
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
 * Against a server that vanished without a word: what was sent to it would wait for ever. Less than the deadline of a
 * delivery. tonplug's own statements that take longer say so.
 */
const TIME_LIMITS = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 6000 }

/**
 * Opens PostgreSQL when there is a `url`, otherwise PGlite in a folder: PostgreSQL in this process, with nothing to
 * start. A folder serves one process at a time. Needs `pg` or `@electric-sql/pglite` to be installed.
 * @throws {ConfigurationError} for an option that does not exist, and where the package is not installed.
 * @example
 * const { db, close } = await openDatabase({ url: process.env.DATABASE_URL })
 */
export async function openDatabase(options: OpenDatabaseOptions = {}): Promise<OpenDatabase> {
  checkOptionNames(options, Object.keys(NAMES))
  const { url, folder = './.tonplug' } = options
  if (url !== undefined && url !== '') {
    const { default: pg } = await import('pg').catch(explainMissing('the database of a url', 'pg'))
    const pool = new pg.Pool({ connectionString: url, ...TIME_LIMITS })
    return { db: pool, close: () => pool.end() }
  }
  const { PGlite } = await import('@electric-sql/pglite').catch(
    explainMissing('no url was given, and a folder', '@electric-sql/pglite'),
  )
  const db = await PGlite.create(folder)
  return { db, close: () => db.close() }
}

/** Most often the variable with the url is not set. */
function explainMissing(what: string, name: string): (cause: unknown) => never {
  return (cause) => {
    const isMissing =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw cause
    const problem = `${what} needs ${name}, which is not installed here; give a postgres:// url, or npm install ${name}`
    throw new ConfigurationError({ option: 'url', problem, cause })
  }
}
