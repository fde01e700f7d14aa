import { postgresMigrationSql, postgresSchemaVersion } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { migrationText, type MigrationFormat } from '../migrations/formats.js'
import { writeMigration } from '../migrations/write-migration.js'
import { withDatabase } from '../open-inbox.js'
import type { Report } from '../report.js'

interface SqlQuery {
  /** Version of the tables; that of the database by default. */
  from?: number
  format: MigrationFormat
  /** Where to write; printed by default. */
  out?: string
}

/** Prints or writes the migration from one version to the newest. */
export async function migrateSql(
  locate: () => DatabaseLocation,
  { from: given, format, out }: SqlQuery,
): Promise<Report> {
  const from = given ?? (await readVersion(locate()))
  const version = postgresSchemaVersion
  const versions = { versionBefore: from, version }
  if (from >= version) {
    const text = `-- The tables of tonplug are up to date, at version ${from}.`
    return { isDone: true, json: { ...versions, path: null, text: null }, text }
  }
  const migration = { sql: postgresMigrationSql({ from }), version, createdAt: new Date() }
  const text = migrationText(format, migration)
  if (out === undefined) {
    return { isDone: true, json: { ...versions, path: null, text }, text: text.trimEnd() }
  }
  const path = writeMigration(format, migration, out)
  return {
    isDone: true,
    json: { ...versions, path, text },
    text: `${path} updates the tables of tonplug from version ${from} to ${version}.`,
  }
}

function readVersion(location: DatabaseLocation): Promise<number> {
  return withDatabase(
    location,
    { mayCreate: false },
    async ({ reader }) => (await reader.schemaVersion()) ?? 0,
  )
}
