import { migratePostgres } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { withDatabase } from '../open-inbox.js'
import type { Report } from '../report.js'

/** Creates or updates the tables; does nothing if they are up to date. */
export function migrateUp(location: DatabaseLocation): Promise<Report> {
  return withDatabase(location, { mayCreate: true }, async ({ db, reader }) => {
    const before = await reader.schemaVersion()
    await migratePostgres(db)
    const version = await reader.schemaVersion()
    const isChanged = before !== version
    const database = location.name
    return {
      isDone: true,
      json: { database, versionBefore: before ?? null, version, isChanged },
      text: isChanged
        ? `${database}: the tables of tonplug are at version ${version} now.`
        : `${database}: the tables of tonplug are up to date, at version ${version}.`,
    }
  })
}
