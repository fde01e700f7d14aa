import { postgresMigrationSql, postgresSchemaVersion } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { withDatabase } from '../open-inbox.js'
import type { Report } from '../report.js'

/** Prints the SQL that updates the tables. @param given their version; read from the database if it is missing */
export async function migrateSql(
  locate: () => DatabaseLocation,
  given: number | undefined,
): Promise<Report> {
  const from = given ?? (await readVersion(locate()))
  const version = postgresSchemaVersion
  const sql = from < version ? `${postgresMigrationSql({ from })};` : undefined
  return {
    isDone: true,
    json: { versionBefore: from, version, sql: sql ?? null },
    text: sql ?? `-- The tables of tonplug are up to date, at version ${from}.`,
  }
}

function readVersion(location: DatabaseLocation): Promise<number> {
  return withDatabase(
    location,
    { mayCreate: false },
    async ({ reader }) => (await reader.schemaVersion()) ?? 0,
  )
}
