import { databaseOf, runOn } from './database.js'
import type { Queryable } from './queryable.js'
import { text } from './rows.js'
import { PRIVILEGES } from './sql/access.js'
import { migrations } from './sql/migrations.js'
import { readSchemaVersion } from './sql/inbox-reader.js'
import { describeSchema } from './sql/schema-facts.js'
import { schemaParts, type SchemaPart } from './sql/schema-parts.js'

/** Version of the tables that this version of the package requires. */
export const postgresSchemaVersion = migrations.at(-1)?.version ?? 0

/** A difference between the tables of tonplug and what this version of the package needs. */
export interface PostgresSchemaProblem {
  /** For example `the column tonplug.reports.tx_hash does not exist`. */
  problem: string
  /** The statement that removes the problem; absent when `migratePostgres` does it. */
  sql?: string | undefined
}

/** Result of `postgresSchemaStatus`. */
export interface PostgresSchemaStatus {
  /** True when a server with the role of `db` can work. */
  isUpToDate: boolean
  /** Version of the tables; absent without tables, and when the role may not read it. */
  version?: number | undefined
  problems: PostgresSchemaProblem[]
}

interface SchemaFacts {
  /** Quoted. */
  role: string
  isReadOnly: boolean
  isUsable: boolean
  tables: { name: string; columns: string[]; keys: string[][]; rights: string[] }[]
  indexes: string[]
  functions: string[]
}

/**
 * Compares the tables of tonplug with what this version of the package needs, and checks the privileges of the role.
 * Changes nothing. It compares names: types of columns and conditions of indexes are not checked.
 * @param db see `postgresInbox`; with the role of the server.
 * @throws {RepositoryError} when the database cannot be reached.
 * @throws {ConfigurationError} when `db` cannot run SQL.
 */
export async function postgresSchemaStatus(db: Queryable): Promise<PostgresSchemaStatus> {
  // Registers listeners for lost connections.
  databaseOf(db)
  const [row] = await runOn(db, describeSchema, [])
  if (row === undefined) {
    return { isUpToDate: false, problems: [{ problem: 'the schema tonplug does not exist' }] }
  }
  // The statement returns these fields.
  const facts = JSON.parse(text(row, 'facts')) as SchemaFacts
  const version = await readVersion(db, facts)
  const problems = [
    ...schemaParts.filter((part) => isMissing(part, facts)).map((part) => describe(part, version)),
    ...missingRights(facts),
  ]
  const isUpToDate = (version ?? 0) >= postgresSchemaVersion && problems.length === 0
  return { isUpToDate, ...(version !== undefined && { version }), problems }
}

async function readVersion(
  db: Queryable,
  { isUsable, tables }: SchemaFacts,
): Promise<number | undefined> {
  const table = tables.find(({ name }) => name === 'migrations')
  if (!isUsable || table?.rights.includes('SELECT') !== true) return undefined
  const [row] = await runOn(db, readSchemaVersion, [])
  return Number(text(row, 'version'))
}

function isMissing({ kind, name, table, columns = [] }: SchemaPart, facts: SchemaFacts): boolean {
  const found = facts.tables.find((one) => one.name === (table ?? name))
  switch (kind) {
    case 'table':
      return found === undefined
    // Created together with a missing table.
    case 'column':
      return found?.columns.every((column) => `${table}.${column}` !== name) ?? false
    case 'unique key': {
      const wanted = columns.toSorted().join()
      return found?.keys.every((key) => key.join() !== wanted) ?? false
    }
    case 'index':
      return !facts.indexes.includes(name)
    case 'function':
      return !facts.functions.includes(name)
  }
}

/** A part of a version that is not applied is created by the migration. */
function describe(part: SchemaPart, version = 0): PostgresSchemaProblem {
  const problem = `the ${part.kind} tonplug.${part.name} does not exist`
  return part.version > version ? { problem } : { problem, sql: part.sql }
}

function missingRights({
  role,
  isReadOnly,
  isUsable,
  tables,
}: SchemaFacts): PostgresSchemaProblem[] {
  const lacks = (right: string, place: string): PostgresSchemaProblem => ({
    problem: `the role ${role} has no ${right} privilege on ${place}`,
    sql: `GRANT ${right} ON ${place} TO ${role};`,
  })
  const missing = tables.flatMap(({ name, rights }) =>
    (PRIVILEGES[name] ?? [])
      .filter((right) => !rights.includes(right))
      .map((right) => lacks(right, `tonplug.${name}`)),
  )
  return [
    ...(isReadOnly
      ? [
          {
            problem:
              'the database is read-only: transaction_read_only is on. Connect to the primary server',
          },
        ]
      : []),
    ...(isUsable ? [] : [lacks('USAGE', 'SCHEMA tonplug')]),
    ...missing,
  ]
}
