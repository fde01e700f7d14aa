import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { RepositoryError } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresMigrationSql } from '../src/migration-sql.js'
import { openDatabase } from '../src/open-database.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { migrations } from '../src/sql/migrations.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { closeShop, openShop, ORDER, transferFor } from './shop.js'

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function openDatabaseForTest(): Promise<TestPostgres> {
  const database = await openPostgres()
  cleanUps.push(() => database.close())
  return database
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  cleanUps.push(() => pool.end())
  return pool
}

/** Returns the number of sessions of this database that wait for a lock. */
async function waiting(db: pg.Pool): Promise<string | undefined> {
  const { rows } = await db.query<{ count: string }>(`SELECT count(*)::text AS count FROM pg_locks
    WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
  return rows[0]?.count
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-postgres-'))
  cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('PGlite', () => {
  it('stores a payment in its folder, and the next process runs the handler', async () => {
    const folder = await makeFolder()
    const first = await openDatabase({ url: '', folder })
    expect(postgresInbox(first.db)).toMatchObject({ name: 'pglite', isDurable: true })
    const clock = createFakeClock()
    const shop = openShop(first.db, { clock })
    await shop.orders.create({ ...ORDER, data: { item: 'cap' } })
    expect((await shop.send()).decision.kind).toBe('paid')
    await closeShop(shop)
    await first.close()
    expect(shop.runs).toEqual([])

    const second = await openDatabase({ folder })
    cleanUps.push(second.close)
    const next = openShop(second.db, { clock })
    await next.advanceUntil(() => next.runs.length > 0)
    expect(await next.orders.find(ORDER)).toMatchObject({
      status: 'completed',
      data: { item: 'cap' },
    })
    await closeShop(next)
  })

  it('is not durable without a folder', async () => {
    for (const dataDir of [undefined, 'memory://']) {
      const db = await PGlite.create(dataDir)
      expect(postgresInbox(db).isDurable).toBe(false)
      await db.close()
    }
  })
})

describe.skipIf(!hasPostgres)(`the schema on ${NEEDS_POSTGRES}`, () => {
  it('is created once by twenty servers that start concurrently', async () => {
    const { url, db } = await openDatabaseForTest()
    const pools = Array.from({ length: 20 }, () => openPool(url))
    const found = await Promise.all(pools.map((pool) => postgresOrderRepository(pool).find(ORDER)))
    expect(found).toEqual(pools.map(() => null))
    const { rows } = await db.query('SELECT version FROM tonplug.migrations ORDER BY version')
    expect(rows).toEqual(migrations.map(({ version }) => ({ version })))
  })

  it('keeps its rows when it is created again', async () => {
    const { db } = await openDatabaseForTest()
    const orders = postgresOrderRepository(db)
    await orders.create(ORDER)
    await migratePostgres(db)
    await migratePostgres(db)
    expect(await orders.find(ORDER)).not.toBeNull()
  })

  it('is created completely or not at all', async () => {
    const { db } = await openDatabaseForTest()
    await db.query('CREATE SCHEMA tonplug; CREATE VIEW tonplug.orders AS SELECT 1')
    await expect(migratePostgres(db)).rejects.toThrow(RepositoryError)
    const { rows } = await db.query(`SELECT to_regclass('tonplug.reports') AS found`)
    expect(rows).toEqual([{ found: null }])
    await db.query('DROP VIEW tonplug.orders')
    await migratePostgres(db)
    expect(await postgresInbox(db).stats()).toMatchObject({ undecided: 0 })
  })

  it('accepts new columns and tables of a newer version while an older one runs', async () => {
    const { db } = await openDatabaseForTest()
    const inbox = postgresInbox(db)
    const clock = createFakeClock()
    const shop = openShop(db, { clock, handlerRetry: { maxAttempts: 1 } })
    // Prepares every statement on the pool's connections.
    const work = async (number: number): Promise<string[]> => {
      const reference = `order-${number}`
      const payload = transferFor(reference)
      const kinds = []
      kinds.push((await shop.send(payload)).decision.kind)
      await shop.orders.create({ ...ORDER, reference })
      await shop.advanceUntil(() => shop.runs.length === number)
      kinds.push((await shop.send(payload)).decision.kind)
      await Promise.all([
        inbox.stats(),
        inbox.tasks.listDead({ limit: 1 }),
        inbox.tasks.replayWhere({}),
      ])
      return kinds
    }
    expect(await work(1)).toEqual(['unknown_order', 'duplicate'])
    await db.query(`DO $$ BEGIN
      ALTER TABLE tonplug.reports ADD COLUMN later text;
      ALTER TABLE tonplug.tasks ADD COLUMN later text NOT NULL DEFAULT 'x';
      ALTER TABLE tonplug.orders ADD COLUMN later jsonb;
      CREATE TABLE tonplug.later (id bigint PRIMARY KEY);
      INSERT INTO tonplug.migrations (version) VALUES (999);
    END $$`)
    expect(await work(2)).toEqual(['unknown_order', 'duplicate'])
    // A process of the older version starts.
    await migratePostgres(db)
    const started = openShop({ query: (text, values) => db.query(text, values) }, { clock })
    expect((await started.send(transferFor('order-3'))).decision.kind).toBe('unknown_order')
    await closeShop(started)
    await closeShop(shop)
  })

  it('fails behind a long lock instead of delaying deliveries', async () => {
    const { db, url } = await openDatabaseForTest()
    await db.query('CREATE SCHEMA tonplug; CREATE TABLE tonplug.migrations (version integer)')
    const other = await openPool(url).connect()
    await other.query('BEGIN; LOCK tonplug.migrations IN ACCESS EXCLUSIVE MODE')
    const refused = migratePostgres(db).catch((error: unknown) => error)
    await expect.poll(() => waiting(db)).toBe('1')
    expect(await refused).toMatchObject({
      code: 'ERR_TONPLUG_REPOSITORY',
      message: expect.stringContaining('Retry when it has ended') as string,
      cause: { code: '55P03' },
    })
    await other.query('COMMIT')
    other.release()
    await db.query('DROP SCHEMA tonplug CASCADE')
    await migratePostgres(db)
    expect(await postgresInbox(db).stats()).toMatchObject({ open: 0 })
  })

  it('waits for another migration, and changes no setting', async () => {
    const { db, url } = await openDatabaseForTest()
    const other = await openPool(url).connect()
    await other.query('BEGIN')
    await other.query(postgresMigrationSql())
    const shown = await other.query('SHOW lock_timeout')
    expect(shown.rows).toEqual([{ lock_timeout: '0' }])
    let isOver = false
    const migrated = migratePostgres(db).finally(() => {
      isOver = true
    })
    // Longer than its limit for locked tables.
    await other.query('SELECT pg_sleep(4)')
    expect(isOver).toBe(false)
    await other.query('COMMIT')
    other.release()
    await migrated
  })

  it('is not created in an encoding that cannot store every payload', async () => {
    const { db, url } = await openDatabaseForTest()
    const name = `tonplug_latin1_${Date.now()}`
    await db.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
    )
    cleanUps.push(() => db.query(`DROP DATABASE ${name}`))
    const latin1 = openPool(Object.assign(new URL(url), { pathname: `/${name}` }).href)
    const refused = await migratePostgres(latin1).catch((error: unknown) => error)
    expect(refused).toMatchObject({ cause: { message: expect.stringContaining('UTF8') as string } })
  })

  it('is created later when the database is down at start', async () => {
    const { db } = await openDatabaseForTest()
    let isDown = true
    const inbox = postgresInbox({
      query: (text, values) =>
        isDown ? Promise.reject(new Error('ECONNREFUSED')) : db.query(text, values),
    })
    await expect(inbox.stats()).rejects.toMatchObject({ code: 'ERR_TONPLUG_REPOSITORY' })
    isDown = false
    expect(await inbox.stats()).toMatchObject({ undecided: 0 })
  })

  it('needs no privilege to create tables after another role has created them', async () => {
    const { db, url } = await openDatabaseForTest()
    const role = `tonplug_role_${Date.now()}`
    await db.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`)
    const limited = openPool(Object.assign(new URL(url), { username: role, password: role }).href)
    cleanUps.push(async () => {
      await db.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    })
    const before = postgresInbox(limited).stats()
    await expect(before).rejects.toThrow('npx tonplug migrate up')

    await migratePostgres(db)
    await expect(postgresInbox(limited).stats()).rejects.toThrow('grant this role USAGE')
    await db.query(`GRANT USAGE ON SCHEMA tonplug TO ${role};
      GRANT SELECT ON ALL TABLES IN SCHEMA tonplug TO ${role}`)
    expect(await postgresInbox(limited).stats()).toMatchObject({
      problem: expect.stringContaining('no ') as string,
    })
    await db.query(`GRANT INSERT, UPDATE ON tonplug.reports TO ${role}`)
    expect(await postgresInbox(limited).stats()).toMatchObject({
      problem: expect.stringContaining('no ') as string,
    })
    await db.query(`
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tonplug TO ${role}`)
    expect((await postgresInbox(limited).stats()).problem).toBeUndefined()
    expect(await postgresOrderRepository(limited).create(ORDER)).toBe(true)
  })
})
