import { RepositoryError } from '@tonplug/core'
import { describeFailure, sqlState } from './error-code.js'
import { postgresMigrationSql } from './migration-sql.js'
import { checkQueryable, query, type Queryable } from './queryable.js'

const INSUFFICIENT_PRIVILEGE = '42501'
/**
 * Another process has migrated concurrently. If the default isolation is stricter than `read committed`, a process that
 * waited still sees the previous schema: a table (42P07), the schema (42P06), a function (42723), a column (42701) or the
 * version's row (23505) already exists, or the transaction was rolled back (40001, 40P01).
 */
const MIGRATED_CONCURRENTLY = ['42P07', '42P06', '42723', '42701', '23505', '40001', '40P01']
/** Another transaction locks a table for longer than `postgresMigrationSql` waits. */
const LOCK_NOT_AVAILABLE = '55P03'
const ATTEMPTS = 10

/** Long enough to build an index of many orders. */
const HOUR_MS = 3_600_000

/**
 * Creates or updates the tables of this version in the schema `tonplug`. Safe to run repeatedly and concurrently. The inbox
 * and the orders run it before their first use.
 * @param db see `postgresInbox`.
 * @throws {RepositoryError} when the database cannot be reached, its role may not create missing tables, or another
 * transaction, for example a dump, locks a table; retry it then.
 * @throws {ConfigurationError} when `db` cannot run SQL.
 */
export async function migratePostgres(db: Queryable): Promise<void> {
  checkQueryable(db)
  await migrate(db, HOUR_MS)
}

/** @throws {RepositoryError} also when it takes longer on a pool of `pg`. */
export async function migrate(db: Queryable, timeoutMs: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await query(db, { text: postgresMigrationSql(), timeoutMs })
      return
    } catch (cause) {
      const code = sqlState(cause) ?? ''
      if (attempt < ATTEMPTS && MIGRATED_CONCURRENTLY.includes(code)) continue
      throw new RepositoryError({ operation: 'migratePostgres', problem: explain(cause), cause })
    }
  }
}

function explain(cause: unknown): string {
  const code = sqlState(cause)
  if (code === LOCK_NOT_AVAILABLE) {
    return 'another transaction, for example a dump, has locked a table of tonplug for 3 seconds, so nothing was changed. Retry when it has ended; pg_stat_activity shows it'
  }
  if (code !== INSUFFICIENT_PRIVILEGE) return describeFailure(cause)
  return 'the role lacks a privilege; see cause. If the tables are missing or old, run `npx tonplug migrate up` with a role that may create them. Otherwise grant this role USAGE on the schema tonplug and privileges on its tables; `npx tonplug migrate status` with this role lists them'
}
