import { expect, it, vi } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresMigrationSql } from '../src/migration-sql.js'
import { postgresSchemaStatus, postgresSchemaVersion } from '../src/schema-status.js'
import { migrations, type Migration } from '../src/sql/migrations.js'
import { openPGlite } from './databases.js'

/** A step of a later release: two parts of existing tables, and a table. */
vi.mock('../src/sql/migrations.js', async (importOriginal) => {
  const original = await importOriginal<{ migrations: Migration[] }>()
  const later = {
    version: 2,
    sql: `
    ALTER TABLE tonplug.reports DROP CONSTRAINT reports_source_check;
    CREATE INDEX reports_later ON tonplug.reports USING hash (signed_with);
    CREATE TABLE tonplug.later (
      id bigint PRIMARY KEY
    );`,
  }
  return { migrations: [...original.migrations, later] }
})

it('leaves the parts of later versions to the migration, which applies them once', async () => {
  const database = await openPGlite()
  const { db } = database
  await db.query(`DO $$ BEGIN CREATE SCHEMA tonplug;
    CREATE TABLE tonplug.migrations (version integer PRIMARY KEY); ${migrations[0]?.sql}
    INSERT INTO tonplug.migrations VALUES (1); END $$`)
  const { problems, ...status } = await postgresSchemaStatus(db)
  expect(status).toEqual({ isUpToDate: false, version: 1 })
  expect(problems).toEqual([
    { problem: 'the index tonplug.reports_later does not exist' },
    { problem: 'the table tonplug.later does not exist' },
  ])
  const sql = postgresMigrationSql({ from: 1 })
  expect(sql).not.toContain('CREATE TABLE tonplug.reports')
  await db.query(sql)
  await migratePostgres(db)
  expect(postgresSchemaVersion).toBe(2)
  expect(await postgresSchemaStatus(db)).toEqual({ isUpToDate: true, version: 2, problems: [] })
  await database.close()
})

it('creates all versions in a new database', async () => {
  const database = await openPGlite()
  const { db } = database
  await migratePostgres(db)
  expect(await postgresSchemaStatus(db)).toEqual({ isUpToDate: true, version: 2, problems: [] })
  await database.close()
})
