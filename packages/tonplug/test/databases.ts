import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Queryable } from '@tonplug/postgres'
import { createPostgresDatabase } from '@tonplug/test-support/postgres'
import { inject } from 'vitest'

/** An empty database for the tests of one file; one of PGlite is created on first use. */
export interface TestDatabase {
  /** A value for `DATABASE_URL`. */
  location: string
  /** Opens it in this process and closes it afterwards: a PGlite serves one process at a time. */
  use<Result>(work: (db: Queryable) => Promise<Result>): Promise<Result>
  remove(): Promise<void>
}

export async function makePostgres(): Promise<TestDatabase> {
  const database = await createPostgresDatabase()
  const { url } = database
  return { location: url, use: (work) => using({ url }, work), remove: () => database.drop() }
}

export async function makePGlite(): Promise<TestDatabase> {
  const parent = await mkdtemp(join(tmpdir(), 'tonplug-command-'))
  const folder = join(parent, 'shop')
  return {
    location: folder,
    async use(work) {
      if (!existsSync(folder)) await cp(inject('emptyPGlite').folder, folder, { recursive: true })
      return using({ folder }, work)
    },
    remove: () => rm(parent, { recursive: true, force: true }),
  }
}

async function using<Result>(
  where: { url?: string; folder?: string },
  work: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openDatabase(where)
  try {
    return await work(db)
  } finally {
    await close()
  }
}
