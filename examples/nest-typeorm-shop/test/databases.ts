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
const hasPostgres = isDemanded || (await responds())

/** A new database, and a function that deletes it. */
export interface TestDatabase {
  settings: DatabaseSettings
  drop: () => Promise<void>
}

/**
 * The databases of the tests. If a URL is set, PostgreSQL must be reachable. It has several sessions, and one can wait
 * for another.
 */
export const kinds = [
  { kind: 'PGlite', isSkipped: false, hasSessions: false, create: createFolder },
  {
    kind: hasPostgres ? 'PostgreSQL' : 'PostgreSQL (skipped: not reachable; set TEST_DATABASE_URL)',
    isSkipped: !hasPostgres,
    hasSessions: true,
    create: createDatabase,
  },
] as const

async function createFolder(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-typeorm-'))
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  return { settings: { folder }, drop: () => rm(folder, { recursive: true }) }
}

async function createDatabase(): Promise<TestDatabase> {
  const name = `tonplug_typeorm_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
  // The server keeps running, so nothing that is committed gets lost.
  await onServer(`ALTER DATABASE ${name} SET synchronous_commit = off`)
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

/** Connections of an ended pool may still be closing: the server waits some seconds for them. */
async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE ${name}`).catch(() =>
    // Connections of killed processes may remain.
    onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  )
}

async function responds(): Promise<boolean> {
  return onServer('SELECT 1').then(
    () => true,
    () => false,
  )
}
