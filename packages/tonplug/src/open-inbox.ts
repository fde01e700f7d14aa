import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RepositoryError } from '@tonplug/core'
import {
  openDatabase,
  postgresInboxReader,
  type InboxReader,
  type Queryable,
} from '@tonplug/postgres'
import pg from 'pg'
import type { DatabaseLocation } from './database-location.js'
import { CommandError } from './failure.js'

const CONNECT_TIMEOUT_MS = 10_000

/** An open database with the reader of its inbox. */
export interface OpenInbox {
  db: Queryable
  reader: InboxReader
}

/** Opens a database for the work and closes it afterwards. `mayCreate` allows a new folder. */
export async function withDatabase<Result>(
  location: DatabaseLocation,
  { mayCreate }: { mayCreate: boolean },
  work: (open: OpenInbox) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openLocation(location, mayCreate)
  try {
    return await work({ db, reader: postgresInboxReader(db) })
  } catch (cause) {
    if (!(cause instanceof RepositoryError)) throw cause
    throw new CommandError(
      `${location.name} failed; check that it exists and that your user may read it`,
      { cause },
    )
  } finally {
    await close()
  }
}

/** Opens a database that has an inbox. @throws {CommandError} when it has none. */
export function withInbox<Result>(
  location: DatabaseLocation,
  work: (open: OpenInbox) => Promise<Result>,
): Promise<Result> {
  return withDatabase(location, { mayCreate: false }, async (open) => {
    if ((await open.reader.schemaVersion()) === undefined) {
      throw new CommandError(
        `${location.name} has no tables of tonplug. Is it the database of your server? The server creates them when it starts, or \`tonplug migrate up\` does`,
      )
    }
    return work(open)
  })
}

interface Opened {
  db: Queryable
  close: () => Promise<void>
}

async function openLocation(location: DatabaseLocation, mayCreate: boolean): Promise<Opened> {
  if (location.kind === 'pglite') return openFolder(location.folder, mayCreate)
  const { url } = location
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  return { db: pool, close: () => pool.end() }
}

async function openFolder(folder: string, mayCreate: boolean): Promise<Opened> {
  if (!mayCreate && !existsSync(join(folder, 'PG_VERSION'))) {
    throw new CommandError(
      `${folder} is not the folder of a PGlite; give the folder that your server opens, or the DATABASE_URL of a PostgreSQL`,
    )
  }
  return openDatabase({ folder })
}
