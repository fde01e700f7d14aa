import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { RepositoryError, type PaymentProof } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresMigrationSql } from '../src/migration-sql.js'
import { openDatabase } from '../src/open-database.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { migrations } from '../src/sql/migrations.js'
import { hasPostgres, NEEDS_POSTGRES, openPostgres, type TestPostgres } from './databases.js'
import { closeShop, openShop, ORDER } from './shop.js'

const COMMAND = fileURLToPath(new URL('../dist/esm/main.js', import.meta.url))
const run = promisify(execFile)

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

/** The tables as version 3 had them. */
async function makeThird(db: Queryable): Promise<void> {
  const third = migrations.filter(({ version }) => version <= 3)
  await db.query(`DO $$ BEGIN CREATE SCHEMA tonplug;
    CREATE TABLE tonplug.migrations (version integer PRIMARY KEY, applied_at timestamptz DEFAULT now());
    ${third.map(({ version, sql }) => `${sql}\nINSERT INTO tonplug.migrations (version) VALUES (${version});`).join('\n')}
  END $$`)
}

/** How many in this database wait for a lock. */
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
  it('keeps a payment in its folder, and its next process runs the handler', async () => {
    const folder = await makeFolder()
    const first = await openDatabase({ url: '', folder })
    expect(postgresInbox(first.db)).toMatchObject({ name: 'pglite', isDurable: true })
    const shop = openShop(first.db, {
      onPaid: () => {
        throw new Error('not today')
      },
    })
    await shop.orders.create({ ...ORDER, data: { item: 'cap' } })
    expect((await shop.send()).decision.kind).toBe('paid')
    await closeShop(shop)
    await first.close()

    const second = await openDatabase({ folder })
    cleanUps.push(second.close)
    const next = openShop(second.db)
    await next.advanceUntil(() => next.runs.length > 0)
    expect(await next.orders.findByReference('order-1')).toMatchObject({
      status: 'completed',
      data: { item: 'cap' },
    })
    await closeShop(next)
  })

  it('says that it forgets when it has no folder', async () => {
    for (const dataDir of [undefined, 'memory://']) {
      const db = await PGlite.create(dataDir)
      expect(postgresInbox(db).isDurable).toBe(false)
      await db.close()
    }
  })
})

describe.skipIf(!hasPostgres)(`the schema on ${NEEDS_POSTGRES}`, () => {
  it('is made once by twenty servers that start together', async () => {
    const { url, db } = await openDatabaseForTest()
    const pools = Array.from({ length: 20 }, () => openPool(url))
    const found = await Promise.all(
      pools.map((pool) => postgresOrderRepository(pool).findByReference('order-1')),
    )
    expect(found).toEqual(pools.map(() => null))
    const { rows } = await db.query('SELECT version FROM tonplug.migrations ORDER BY version')
    expect(rows).toEqual(migrations.map(({ version }) => ({ version })))
  })

  it('stays as it is when it is made again, rows and all', async () => {
    const { db } = await openDatabaseForTest()
    const orders = postgresOrderRepository(db)
    await orders.create(ORDER)
    await migratePostgres(db)
    await migratePostgres(db)
    expect(await orders.findByReference('order-1')).not.toBeNull()
  })

  it('leaves nothing half made', async () => {
    const { db } = await openDatabaseForTest()
    await db.query('CREATE SCHEMA tonplug; CREATE VIEW tonplug.orders AS SELECT 1')
    await expect(migratePostgres(db)).rejects.toThrow(RepositoryError)
    const { rows } = await db.query(`SELECT to_regclass('tonplug.deliveries') AS found`)
    expect(rows).toEqual([{ found: null }])
    await db.query('DROP VIEW tonplug.orders')
    await migratePostgres(db)
    expect(await postgresInbox(db).stats()).toMatchObject({ undecided: 0 })
  })

  it('may get new columns and tables from a newer server while an older one works', async () => {
    const { db } = await openDatabaseForTest()
    const inbox = postgresInbox(db)
    const shop = openShop(db, { handlerRetry: { maxAttempts: 1 } })
    // Prepares every statement on the pool's connections, as a server that has run for a while.
    const work = async (number: number): Promise<string[]> => {
      const reference = `order-${number}`
      const payload = transferCompleted({ reference, txHash: `${number}`.repeat(64) })
      const kinds = []
      kinds.push((await shop.send(payload)).decision.kind)
      await shop.orders.create({ ...ORDER, reference })
      await shop.advanceUntil(() => shop.runs.length === number)
      kinds.push((await shop.send(payload)).decision.kind)
      await Promise.all([inbox.stats(), inbox.listDead({ limit: 1 }), inbox.replayWhere({})])
      return kinds
    }
    expect(await work(1)).toEqual(['unmatched', 'duplicate'])
    await db.query(`DO $$ BEGIN
      ALTER TABLE tonplug.deliveries ADD COLUMN later text;
      ALTER TABLE tonplug.handler_tasks ADD COLUMN later text NOT NULL DEFAULT 'x';
      ALTER TABLE tonplug.orders ADD COLUMN later jsonb;
      CREATE TABLE tonplug.later (id bigint PRIMARY KEY);
      INSERT INTO tonplug.migrations (version) VALUES (999);
    END $$`)
    expect(await work(2)).toEqual(['unmatched', 'duplicate'])
    // A server of the older version that starts now.
    await migratePostgres(db)
    const started = openShop({ query: (text, values) => db.query(text, values) })
    expect((await started.send(transferCompleted({ reference: 'order-3' }))).decision.kind).toBe(
      'unmatched',
    )
    await closeShop(started)
    await closeShop(shop)
  })

  it('is brought on from version 3 with what is in it', async () => {
    const { db } = await openDatabaseForTest()
    await makeThird(db)
    const told = transferCompleted().data
    const payload = JSON.stringify(transferCompleted())
    const dead = { kind: 'unverified', reference: 'order-1', txHash: told.txHash, reason: 'x' }
    await db.query(
      `INSERT INTO tonplug.orders (reference, raw_amount, asset) VALUES ('order-1', 10500000000, 'TON')`,
    )
    await db.query(
      `INSERT INTO tonplug.deliveries (receiver, key, key_hash, reference, tx_hash, raw_body,
        signed_with, was_completed_before, received_at, state, decision)
      VALUES ('default', 'k', 'k', 'order-1', $1, $2, 'secret', false, to_timestamp(1), 'decided', $3)`,
      [told.txHash, payload, JSON.stringify({ ...dead, detail: 'x' })],
    )
    await db.query(
      `INSERT INTO tonplug.handler_tasks
        (delivery_id, receiver, handler, idempotency_key, key_hash, state, due_at)
      VALUES (1, 'default', 'verifyOnChain', 't', 't', 'dead', now())`,
    )
    await db.query('INSERT INTO tonplug.payments VALUES ($1, $2)', [told.txHash, 'order-1'])

    const inbox = postgresInbox(db)
    expect(await inbox.stats()).toMatchObject({ dead: 1, open: 0, oldestOpenMs: undefined })
    const verifyOnChain: PaymentProof = {
      deadlineMs: 60_000,
      prove: ({ transfer: { txHash } }) => {
        const payments = [{ message: txHash, credits: [txHash], amount: 1n }] as const
        return Promise.resolve({ kind: 'proven', payments })
      },
    }
    const shop = openShop(db, { verifyOnChain, recipients: [told.recipientAddr] })
    expect(await inbox.replayWhere({})).toBe(1)
    await shop.advanceUntil(() => shop.runs.length > 0)
    expect((await shop.orders.findByReference('order-1'))?.status).toBe('completed')
    await closeShop(shop)
  })

  it('gives up behind a long reader, so that deliveries do not wait behind both', async () => {
    const { db, url } = await openDatabaseForTest()
    await makeThird(db)
    const dump = await openPool(url).connect()
    await dump.query('BEGIN; SELECT FROM tonplug.handler_tasks')
    const refused = migratePostgres(db).catch((error: unknown) => error)
    await expect.poll(() => waiting(db), { timeout: 20_000 }).toBe('1')
    // As a server of the version before asks. Only when the migration has given way is it answered.
    await db.query('SELECT FROM tonplug.handler_tasks')
    expect(await refused).toMatchObject({
      code: 'ERR_TONPLUG_REPOSITORY',
      message: expect.stringContaining('Try again when it has ended') as string,
      cause: { code: '55P03' },
    })
    await dump.query('COMMIT')
    dump.release()
    await migratePostgres(db)
    expect(await postgresInbox(db).stats()).toMatchObject({ open: 0 })
  })

  it('waits for another migration as long as that takes, and changes no setting', async () => {
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
    // Longer than it waits for a table.
    await other.query('SELECT pg_sleep(4)')
    expect(isOver).toBe(false)
    await other.query('COMMIT')
    other.release()
    await migrated
  })

  it('is not made in an encoding that cannot hold every payload', async () => {
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

  it('is tried again after a start without a database', async () => {
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

  it('needs no right to make tables where a command made them', async () => {
    const { db, url } = await openDatabaseForTest()
    const role = `tonplug_role_${Date.now()}`
    await db.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`)
    const limited = openPool(Object.assign(new URL(url), { username: role, password: role }).href)
    cleanUps.push(async () => {
      await db.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    })
    const before = postgresInbox(limited).stats()
    await expect(before).rejects.toThrow('npx tonplug-postgres migrate')

    const { stdout } = await run(process.execPath, [COMMAND, 'migrate', '--url', url])
    expect(stdout).toBe('The tables of tonplug are up to date.\n')
    await expect(postgresInbox(limited).stats()).rejects.toThrow('grant this one USAGE')
    await db.query(`GRANT USAGE ON SCHEMA tonplug TO ${role};
      GRANT SELECT ON ALL TABLES IN SCHEMA tonplug TO ${role}`)
    expect(await postgresInbox(limited).stats()).toMatchObject({ isReadOnly: true })
    await db.query(`GRANT INSERT, UPDATE ON tonplug.deliveries TO ${role}`)
    expect(await postgresInbox(limited).stats()).toMatchObject({ isReadOnly: true })
    await db.query(`
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tonplug TO ${role}`)
    expect(await postgresInbox(limited).stats()).toMatchObject({ undecided: 0 })
    expect(await postgresOrderRepository(limited).create(ORDER)).toBe(true)
  })

  it('can be made by the SQL that the command prints', async () => {
    const { db } = await openDatabaseForTest()
    const { stdout } = await run(process.execPath, [COMMAND, 'sql'])
    expect(stdout).toBe(`${postgresMigrationSql()};\n`)
    await db.query(stdout)
    await postgresOrderRepository(db).create(ORDER)
  })
})

describe('the command', () => {
  it('says how it is used, and fails', async () => {
    for (const parameters of [[], ['migrate'], ['drop'], ['sql', '--uri', 'x']]) {
      const ended = run(process.execPath, [COMMAND, ...parameters], { env: {} })
      await expect(ended).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Usage:') as string,
      })
    }
  })

  it('says how it is used when it is asked', async () => {
    const { stdout } = await run(process.execPath, [COMMAND, '--help'], { env: {} })
    expect(stdout).toContain('Usage:')
  })

  it('does not print the password of an address that cannot be reached', async () => {
    const url = 'postgres://shop:sesame@127.0.0.1:1/shop'
    const ended = run(process.execPath, [COMMAND, 'migrate', '--url', url])
    const { code, stderr } = await ended.then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    )
    expect(code).toBe(1)
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).not.toContain('sesame')
  })
})
