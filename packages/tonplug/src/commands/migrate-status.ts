import {
  postgresSchemaStatus,
  postgresSchemaVersion,
  type PostgresSchemaStatus,
} from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { withDatabase } from '../open-inbox.js'
import type { Report } from '../report.js'

/** Compares the tables with what this version needs. Not done, exit code 1, unless they are up to date. */
export function migrateStatus(location: DatabaseLocation): Promise<Report> {
  return withDatabase(location, { mayCreate: false }, async ({ db }) => {
    const status = await postgresSchemaStatus(db)
    const { isUpToDate, version = null, problems } = status
    return {
      isDone: isUpToDate,
      json: {
        database: location.name,
        version,
        neededVersion: postgresSchemaVersion,
        isUpToDate,
        problems: problems.map(({ problem, sql = null }) => ({ problem, sql })),
      },
      text: describe(location.name, status),
    }
  })
}

function describe(
  database: string,
  { isUpToDate, version, problems }: PostgresSchemaStatus,
): string {
  if (isUpToDate) return `${database}: the tables of tonplug are up to date, at version ${version}.`
  const sql = problems.flatMap((one) => one.sql ?? [])
  // Without a version, either the tables are missing or the role may not read them.
  const isOld =
    version === undefined ? sql.length < problems.length : version < postgresSchemaVersion
  return [
    `${database}: the tables of tonplug are at version ${version ?? 'unknown'}; ${postgresSchemaVersion} is needed.`,
    ...problems.map(({ problem }) => `- ${problem}`),
    ...(isOld ? ['Run, with a role that may create tables: npx tonplug migrate up'] : []),
    ...(sql.length > 0 ? ['Run this SQL, with a role that may:', '', ...sql] : []),
  ].join('\n')
}
