import { RepositoryError } from '@tonplug/core'
import { postgresMigrationSql } from './migration-sql.js'
import type { Queryable } from './queryable.js'

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Brings a database to the schema of this version: the tables in the schema `tonplug`. Safe to run again, and from
 * several servers at once. The inbox and the orders run it before their first use.
 * @throws {RepositoryError} when the database cannot be reached, or its role may not create tables that are missing.
 */
export async function migratePostgres(db: Queryable): Promise<void> {
  try {
    await db.query(postgresMigrationSql())
  } catch (cause) {
    const problem = isDenied(cause)
      ? 'the tables are missing or old, and this role may not change them; run `npx tonplug-postgres migrate` once with a role that may'
      : 'failed; see cause'
    throw new RepositoryError({ operation: 'migratePostgres', problem, cause })
  }
}

function isDenied(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === INSUFFICIENT_PRIVILEGE
}
