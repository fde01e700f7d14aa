import { RepositoryError } from '@tonplug/core'
import { postgresMigrationSql } from './migration-sql.js'
import type { Queryable } from './queryable.js'

const INSUFFICIENT_PRIVILEGE = '42501'
/**
 * Another server was first. With stricter isolation than `read committed` by default, whoever waited for it looks at the
 * tables as they were before: they are there already (42P07, their schema 42P06), or the transaction lost (40001).
 */
const MADE_BY_ANOTHER = ['42P07', '42P06', '40001']
const ATTEMPTS = 10

/**
 * Brings a database to the schema of this version: the tables in the schema `tonplug`. Safe to run again, and from
 * several servers at once. The inbox and the orders run it before their first use.
 * @throws {RepositoryError} when the database cannot be reached, or its role may not create tables that are missing.
 */
export async function migratePostgres(db: Queryable): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.query(postgresMigrationSql())
      return
    } catch (cause) {
      const code = codeOf(cause)
      if (attempt < ATTEMPTS && MADE_BY_ANOTHER.includes(code)) continue
      throw new RepositoryError({ operation: 'migratePostgres', problem: explain(code), cause })
    }
  }
}

function explain(code: string): string {
  if (code !== INSUFFICIENT_PRIVILEGE) return 'failed; see cause'
  return 'this role may not; see cause. If the tables are missing or old, run `npx tonplug-postgres migrate` once with a role that may make them; if they are there, grant this one USAGE on the schema tonplug, and what else docs/guide/postgres.md lists'
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
