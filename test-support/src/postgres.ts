import { randomUUID } from 'node:crypto'
import pg from 'pg'

const { TEST_DATABASE_URL, DATABASE_URL } = process.env
const SERVER_URL =
  TEST_DATABASE_URL ?? DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const isDemanded = (TEST_DATABASE_URL ?? DATABASE_URL) !== undefined

/** True when PostgreSQL responds, and when a URL was set: the tests then fail without it. */
export const hasPostgres = isDemanded || (await isReachable())

/** For titles: the reason why tests that need several connections are skipped. */
export const NEEDS_POSTGRES = hasPostgres
  ? 'PostgreSQL'
  : 'PostgreSQL (skipped: it does not respond; set TEST_DATABASE_URL)'

/** An empty database on the server of the tests. */
export interface PostgresDatabase {
  url: string
  drop: () => Promise<void>
}

/** Creates a database with a unique name. */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const name = `tonplug_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
  // The server keeps running, so nothing that is committed gets lost.
  await onServer(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  const url = new URL(SERVER_URL)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => drop(name) }
}

/** A statement that waits for longer fails with its own message, before the test's time is over. */
const TIME_LIMITS = { connectionTimeoutMillis: 60_000, query_timeout: 60_000 }

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL, ...TIME_LIMITS })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Connections of a closed pool may still be closing; the server waits some seconds for them. */
async function drop(name: string): Promise<void> {
  await onServer(`DROP DATABASE ${name}`).catch(() =>
    // Connections of killed processes may remain.
    onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  )
}

async function isReachable(): Promise<boolean> {
  return onServer('SELECT 1').then(
    () => true,
    () => false,
  )
}
