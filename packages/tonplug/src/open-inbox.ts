import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RepositoryError } from '@tonplug/core'
import { postgresInboxReader, type InboxReader, type Queryable } from '@tonplug/postgres'
import pg from 'pg'
import type { DatabaseLocation } from './database-location.js'
import { CommandError } from './failure.js'

const CONNECT_TIMEOUT_MS = 10_000

/** An open database with the reader of its inbox. */
export interface OpenInbox {
  db: Queryable
  reader: InboxReader
}

/** Opens a database for the work and closes it afterwards. `mayCreate` lets a folder come to be. */
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
      `${location.name} did not do what was asked; is it there, and may your user read it?`,
      { cause },
    )
  } finally {
    await close()
  }
}

/** The same for a database that has an inbox. @throws {CommandError} when it has none. */
export function withInbox<Result>(
  location: DatabaseLocation,
  work: (open: OpenInbox) => Promise<Result>,
): Promise<Result> {
  return withDatabase(location, { mayCreate: false }, async (open) => {
    if ((await open.reader.schemaVersion()) === undefined) {
      throw new CommandError(
        `${location.name} has no tables of tonplug. Is it the database of your server? The server makes them when it starts, or \`tonplug migrate\` does`,
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
      `${folder} is not the folder of a PGlite. Give the folder that your server opens, or DATABASE_URL for a PostgreSQL`,
    )
  }
  // PGlite itself would open it a second time, and the two would destroy each other's files.
  const lock = join(folder, 'postmaster.pid')
  if (existsSync(lock)) {
    throw new CommandError(
      `${folder} is open in another process, and a PGlite serves one at a time: stop your server first. If it was killed and nothing runs there any more, delete ${lock}`,
    )
  }
  const { PGlite } = await loadPGlite()
  const db = await PGlite.create(folder)
  return { db, close: () => db.close() }
}

async function loadPGlite() {
  try {
    return await import('@electric-sql/pglite')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) {
      throw cause
    }
    throw new CommandError(
      'a folder needs PGlite, which is not installed here: npm install @electric-sql/pglite@0.5',
    )
  }
}
