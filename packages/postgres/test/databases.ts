import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { createPostgresDatabase } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { inject } from 'vitest'
import type { Queryable } from '../src/queryable.js'

/** A database for the tests of one file. */
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
  const { url, drop } = await createPostgresDatabase()
  const db = new pg.Pool({ connectionString: url, max })
  return {
    db,
    url,
    clear: () => clear(db),
    async close() {
      await db.end()
      await drop()
    },
  }
}

export async function openPGlite(): Promise<TestDatabase> {
  const db = await createPGlite()
  return { db, clear: () => clear(db), close: () => db.close() }
}

/** Creates an empty PGlite in memory. */
export async function createPGlite(): Promise<PGlite> {
  const archive = await readFile(inject('emptyPGlite').archive)
  return PGlite.create({ loadDataDir: new Blob([archive]) })
}

async function clear(db: Queryable): Promise<void> {
  await db.query(`DO $$ BEGIN
    IF to_regclass('tonplug.reports') IS NOT NULL THEN
      DELETE FROM tonplug.tasks;
      DELETE FROM tonplug.reports;
      DELETE FROM tonplug.subscriptions;
      DELETE FROM tonplug.policies;
      DELETE FROM tonplug.payments;
      DELETE FROM tonplug.uses;
      DELETE FROM tonplug.credit_decisions;
      DELETE FROM tonplug.credit_hashes;
      DELETE FROM tonplug.credits;
      DELETE FROM tonplug.orders;
      DELETE FROM tonplug.cursors;
      DELETE FROM tonplug.anchors;
      DELETE FROM tonplug.proven_transactions;
    END IF;
  END $$`)
}
