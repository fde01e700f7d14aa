import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { inject, vi } from 'vitest'
import type { Queryable } from '../src/queryable.js'

// A database takes its time on machines that are busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const { TEST_DATABASE_URL, DATABASE_URL } = process.env
const URL_OF_SERVER =
  TEST_DATABASE_URL ?? DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const isDemanded = (TEST_DATABASE_URL ?? DATABASE_URL) !== undefined

/** Whether PostgreSQL answers. Where a URL was given it has to, and the tests fail if it does not. */
export const hasPostgres = isDemanded || (await answers())

/** For titles: why tests that need more than one connection are skipped. */
export const NEEDS_POSTGRES = hasPostgres
  ? 'PostgreSQL'
  : 'PostgreSQL (skipped: none answers; set TEST_DATABASE_URL)'

/** A database of its own for the tests of one file. */
export interface TestDatabase {
  db: Queryable
  /** Deletes every row. */
  clear(): Promise<void>
  close(): Promise<void>
}

export interface TestPostgres extends TestDatabase {
  db: pg.Pool
  url: string
}

export async function openPostgres(max = 10): Promise<TestPostgres> {
  const name = `tonplug_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
  const url = new URL(URL_OF_SERVER)
  url.pathname = `/${name}`
  const db = new pg.Pool({ connectionString: url.href, max })
  return {
    db,
    url: url.href,
    clear: () => clear(db),
    async close() {
      await db.end()
      await dropDatabase(name)
    },
  }
}

export async function openPGlite(): Promise<TestDatabase> {
  const db = await createPGlite()
  return { db, clear: () => clear(db), close: () => db.close() }
}

/** An empty one in memory. */
export async function createPGlite(): Promise<PGlite> {
  const archive = await readFile(inject('emptyPGlite').archive)
  return PGlite.create({ loadDataDir: new Blob([archive]) })
}

async function clear(db: Queryable): Promise<void> {
  await db.query(`DO $$ BEGIN
    IF to_regclass('tonplug.deliveries') IS NOT NULL THEN
      DELETE FROM tonplug.handler_tasks;
      DELETE FROM tonplug.deliveries;
      DELETE FROM tonplug.orders;
      DELETE FROM tonplug.payments;
    END IF;
  END $$`)
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
