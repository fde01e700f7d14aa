import { randomUUID } from 'node:crypto'
import { createFakeClock } from '@tonplug/testing'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresMigrationSql } from '../src/migration-sql.js'
import { postgresSchemaStatus, postgresSchemaVersion } from '../src/schema-status.js'
import { schemaParts, type SchemaPart } from '../src/sql/schema-parts.js'
import { openPGlite, openPostgres, type TestPostgres } from './databases.js'
import { openShop, ORDER } from './shop.js'

const UP_TO_DATE = { isUpToDate: true, version: postgresSchemaVersion, problems: [] }
const ROLE = `tonplug_test_${randomUUID().replaceAll('-', '')}`

/** Returns the names of the parts of one kind, sorted. */
function namesOf(kind: SchemaPart['kind']): string[] {
  return schemaParts
    .filter((part) => part.kind === kind)
    .map(({ name }) => name)
    .toSorted()
}

it('is up to date on PGlite after a migration', async () => {
  const database = await openPGlite()
  expect(await postgresSchemaStatus(database.db)).toEqual({
    isUpToDate: false,
    problems: [{ problem: 'the schema tonplug does not exist' }],
  })
  await migratePostgres(database.db)
  expect(await postgresSchemaStatus(database.db)).toEqual(UP_TO_DATE)
  await database.close()
})

describe.skipIf(!hasPostgres)(`the status of the schema on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres()
    await migratePostgres(database.db)
  })
  afterAll(() => database.close())

  it('knows everything that the migrations create', async () => {
    const names = async (sql: string): Promise<string[]> => {
      const { rows } = await database.db.query<{ name: string }>(sql)
      return rows.map(({ name }) => name).toSorted()
    }
    const isOurs = `table_schema = 'tonplug' AND table_name <> 'migrations'`
    expect(namesOf('table')).toEqual(
      await names(`SELECT table_name AS name FROM information_schema.tables WHERE ${isOurs}`),
    )
    expect(namesOf('column')).toEqual(
      await names(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE ${isOurs}`,
      ),
    )
    expect(namesOf('function')).toEqual(
      await names(
        `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'tonplug'::regnamespace`,
      ),
    )
    const indexes = await names(
      `SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'tonplug' AND tablename <> 'migrations'`,
    )
    const keys = indexes.filter((name) => /_(?:pkey|key)$/.test(name))
    expect(namesOf('index')).toEqual(indexes.filter((name) => !keys.includes(name)))
    expect(namesOf('unique key')).toHaveLength(keys.length)
  })

  it('names each missing part, and the SQL that creates it', async () => {
    for (const part of schemaParts) {
      await remove(part)
      const { isUpToDate, problems } = await postgresSchemaStatus(database.db)
      expect(isUpToDate).toBe(false)
      expect(problems).toContainEqual({
        problem: `the ${part.kind} tonplug.${part.name} does not exist`,
        sql: part.sql,
      })
      for (const { sql } of problems) await database.db.query(sql ?? '')
      expect(await postgresSchemaStatus(database.db)).toEqual(UP_TO_DATE)
    }
    const shop = openShop(database.db, { clock: createFakeClock() })
    await shop.orders.create(ORDER)
    expect((await shop.send()).decision.kind).toBe('paid')
    expect((await shop.send()).decision.kind).toBe('duplicate')
  })

  async function remove({ kind, name, table, columns = [] }: SchemaPart): Promise<void> {
    const { db } = database
    if (kind === 'column') {
      const column = name.slice(name.indexOf('.') + 1)
      await db.query(`ALTER TABLE tonplug.${table} DROP COLUMN ${column} CASCADE`)
    } else if (kind === 'unique key') {
      const { rows } = await db.query<{ name: string }>(
        `SELECT conname AS name FROM pg_constraint c
        WHERE conrelid = 'tonplug.${table}'::regclass AND contype IN ('p', 'u') AND (
          SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute
          WHERE attrelid = c.conrelid AND attnum = ANY (c.conkey)
        ) = $1::text[]`,
        [columns.toSorted()],
      )
      await db.query(`ALTER TABLE tonplug.${table} DROP CONSTRAINT ${rows[0]?.name} CASCADE`)
    } else {
      await db.query(`DROP ${kind} tonplug.${name} CASCADE`)
    }
  }

  it('names each missing privilege of the role, and the SQL that grants it', async () => {
    await database.db.query(`CREATE ROLE ${ROLE}`)
    const options = `-c role=${ROLE}`
    const db = new pg.Pool({ connectionString: database.url, options, max: 1 })
    const { isUpToDate, version, problems } = await postgresSchemaStatus(db)
    expect({ isUpToDate, version }).toEqual({ isUpToDate: false, version: undefined })
    expect(problems).toContainEqual({
      problem: `the role ${ROLE} has no USAGE privilege on SCHEMA tonplug`,
      sql: `GRANT USAGE ON SCHEMA tonplug TO ${ROLE};`,
    })
    expect(problems).toContainEqual({
      problem: `the role ${ROLE} has no DELETE privilege on tonplug.tasks`,
      sql: `GRANT DELETE ON tonplug.tasks TO ${ROLE};`,
    })
    for (const { sql } of problems) await database.db.query(sql ?? '')
    expect(await postgresSchemaStatus(db)).toEqual(UP_TO_DATE)
    const shop = openShop(db, { clock: createFakeClock() })
    expect(await shop.orders.create({ ...ORDER, reference: 'order-2' })).toBe(true)
    await db.end()
    await database.db.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`)
  })

  it('states that the database is read-only', async () => {
    const options = '-c default_transaction_read_only=on'
    const db = new pg.Pool({ connectionString: database.url, options, max: 1 })
    const { isUpToDate, problems } = await postgresSchemaStatus(db)
    await db.end()
    expect(isUpToDate).toBe(false)
    expect(problems[0]?.problem).toContain('Connect to the primary server')
  })
})

it('rejects an invalid version to start from', () => {
  for (const from of [-1, 0.5, '1']) {
    expect(() => postgresMigrationSql({ from: from as number })).toThrow('from')
  }
})
