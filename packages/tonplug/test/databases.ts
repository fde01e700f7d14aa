import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Queryable } from '@tonplug/postgres'
import pg from 'pg'
import { inject } from 'vitest'

const { TEST_DATABASE_URL, DATABASE_URL } = process.env
const URL_OF_SERVER =
  TEST_DATABASE_URL ?? DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const isDemanded = (TEST_DATABASE_URL ?? DATABASE_URL) !== undefined

/** Whether PostgreSQL answers. Where a URL was given it has to, and the tests fail if it does not. */
export const hasPostgres = isDemanded || (await answers())

/** An empty database for the tests of one file. That of a PGlite is not there before it is used. */
export interface TestDatabase {
  /** For `DATABASE_URL`. */
  location: string
  /** Opens it in this process and closes it after the work: a PGlite serves one process at a time. */
  use<Result>(work: (db: Queryable) => Promise<Result>): Promise<Result>
  remove(): Promise<void>
}

export async function makePostgres(): Promise<TestDatabase> {
  const name = `tonplug_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
  const url = new URL(URL_OF_SERVER)
  url.pathname = `/${name}`
  return {
    location: url.href,
    use: (work) => using({ url: url.href }, work),
    remove: () => dropDatabase(name),
  }
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

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: URL_OF_SERVER, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A pool that has ended may still have connections that end: the server waits some seconds for them. */
async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE ${name}`).catch(() =>
    // Those of processes that were killed may stay.
    onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  )
}

async function answers(): Promise<boolean> {
  return onServer('SELECT 1').then(
    () => true,
    () => false,
  )
}
