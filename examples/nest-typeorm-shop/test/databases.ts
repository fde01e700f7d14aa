import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseSettings } from '../src/database.js'

const { TEST_DATABASE_URL, DATABASE_URL } = process.env
const URL_OF_SERVER =
  TEST_DATABASE_URL ?? DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const isDemanded = (TEST_DATABASE_URL ?? DATABASE_URL) !== undefined
const hasPostgres = isDemanded || (await answers())

/** A new database, and how to get rid of it. */
export interface TestDatabase {
  settings: DatabaseSettings
  drop: () => Promise<void>
}

/** The databases that the shop is tested on. Where a URL was given, PostgreSQL has to answer. */
export const kinds = [
  { kind: 'PGlite', isSkipped: false, create: createFolder },
  {
    kind: hasPostgres ? 'PostgreSQL' : 'PostgreSQL (skipped: none answers; set TEST_DATABASE_URL)',
    isSkipped: !hasPostgres,
    create: createDatabase,
  },
]

async function createFolder(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-typeorm-'))
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  return { settings: { folder }, drop: () => rm(folder, { recursive: true }) }
}

async function createDatabase(): Promise<TestDatabase> {
  const name = `tonplug_typeorm_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
  const url = new URL(URL_OF_SERVER)
  url.pathname = `/${name}`
  return {
    settings: { url: url.href, folder: '' },
    drop: () => dropDatabase(name),
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
