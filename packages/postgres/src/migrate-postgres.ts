import { RepositoryError } from '@tonplug/core'
import { postgresMigrationSql } from './migration-sql.js'
import { ask, checkQueryable, type Queryable } from './queryable.js'

const INSUFFICIENT_PRIVILEGE = '42501'
/**
 * Another server was first. With stricter isolation than `read committed` by default, whoever waited for it looks at the
 * tables as they were before: they are there already (42P07), or their schema (42P06), a column (42701) or the version's
 * row (23505), or the transaction lost (40001, 40P01).
 */
const MADE_BY_ANOTHER = ['42P07', '42P06', '42701', '23505', '40001', '40P01']
/** Something else holds a table for longer than `postgresMigrationSql` waits. */
const LOCK_NOT_AVAILABLE = '55P03'
const ATTEMPTS = 10

/** An index of many orders takes its time. */
const HOUR_MS = 3_600_000

/**
 * Brings a database to the schema of this version: the tables in the schema `tonplug`. Safe to run again, and from
 * several servers at once. The inbox and the orders run it before their first use.
 * @param db see `postgresInbox`.
 * @throws {RepositoryError} when the database cannot be reached, its role may not create tables that are missing, or
 * something else holds a table that is to be changed, such as a dump: try again then.
 * @throws {ConfigurationError} when `db` runs no SQL.
 */
export async function migratePostgres(db: Queryable): Promise<void> {
  checkQueryable(db)
  await migrate(db, HOUR_MS)
}

/** @throws {RepositoryError} also when it takes longer on a pool of `pg`. */
export async function migrate(db: Queryable, timeoutMs: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await ask(db, { text: postgresMigrationSql(), timeoutMs })
      return
    } catch (cause) {
      const code = codeOf(cause)
      if (attempt < ATTEMPTS && MADE_BY_ANOTHER.includes(code)) continue
      throw new RepositoryError({ operation: 'migratePostgres', problem: explain(code), cause })
    }
  }
}

function explain(code: string): string {
  if (code === LOCK_NOT_AVAILABLE) {
    return 'something else has held a table of tonplug for 3 seconds, such as a dump or a long transaction, and payments must not wait behind both; nothing was changed. Try again when it has ended; pg_stat_activity shows what it is'
  }
  if (code !== INSUFFICIENT_PRIVILEGE) return 'failed; see cause'
  return 'this role may not; see cause. If the tables are missing or old, run `npx tonplug-postgres migrate` once with a role that may make them; if they are there, grant this one USAGE on the schema tonplug, and what else docs/guide/postgres.md lists'
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
