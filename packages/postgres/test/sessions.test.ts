import pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { hasPostgres, NEEDS_POSTGRES, openPostgres, type TestPostgres } from './databases.js'
import { closeShop, count, openShop, ORDER, transfer, type Shop } from './shop.js'

// What administrators and poolers do with connections.
describe.skipIf(!hasPostgres)(`connections to ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeEach(async () => {
    database = await openPostgres()
    // Not in `afterEach`, which comes before the shops and pools of a test are closed.
    onTestFinished(() => database.close())
  })

  function openPool(config: pg.PoolConfig): pg.Pool {
    const pool = new pg.Pool({ connectionString: database.url, ...config })
    onTestFinished(() => pool.end())
    return pool
  }

  /** Fifty equal deliveries and another payment, all at once. @returns what came of them. */
  async function pay(shop: Shop) {
    await shop.orders.create(ORDER)
    const sent = [...Array.from({ length: 50 }, () => shop.send()), shop.send(transfer(2))]
    const answers = await Promise.all(sent)
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    return {
      statuses: new Set(answers.map(({ status }) => status)),
      runs: shop.runs.length,
      paid: await count(database.db, 'deliveries', "decision->>'kind' = 'paid'"),
      extra: await count(database.db, 'deliveries', "decision->>'kind' = 'extra_payment'"),
    }
  }
  const ALL_IS_WELL = { statuses: new Set([200]), runs: 1, paid: 1, extra: 1 }

  it('S38 may be one alone', async () => {
    const shop = openShop(openPool({ max: 1 }))
    expect(await pay(shop)).toEqual(ALL_IS_WELL)
  })

  it('S38 may be another for each statement, with nothing kept, as behind a pooler', async () => {
    const pools = Array.from({ length: 5 }, () => openPool({ max: 1 }))
    let statements = 0
    const db: Queryable = {
      async query(text, values) {
        const client = await pools[statements++ % pools.length]?.connect()
        if (client === undefined) throw new Error('there are pools')
        try {
          return await client.query(text, values)
        } finally {
          // What a pooler does between two clients, and more.
          await client.query('DISCARD ALL')
          client.release()
        }
      },
    }
    expect(await pay(openShop(db))).toEqual(ALL_IS_WELL)
  })

  it('S38 may be serializable by default', async () => {
    const options = '-c default_transaction_isolation=serializable'
    expect(await pay(openShop(openPool({ max: 20, options })))).toEqual(ALL_IS_WELL)
  })

  it.each(['serializable', 'repeatable read'])(
    'S38 may be %s by default for servers that start together',
    async (isolation) => {
      const escaped = isolation.replace(' ', '\\ ')
      const options = `-c default_transaction_isolation=${escaped}`
      const servers = Array.from({ length: 6 }, () => openPool({ max: 1, options }))
      await Promise.all(servers.map((db) => migratePostgres(db)))
      expect(await postgresInbox(database.db).stats()).toMatchObject({ undecided: 0 })
    },
  )

  it('S51 answers 503 to what takes longer than statements may, and pays at the retry', async () => {
    const shop = openShop(openPool({ statement_timeout: 200 }))
    await shop.orders.create(ORDER)
    const other = await database.db.connect()
    await other.query('BEGIN; SELECT FROM tonplug.orders FOR UPDATE')
    try {
      expect(await shop.send()).toMatchObject({ status: 503, decision: { reason: 'store' } })
    } finally {
      await other.query('COMMIT')
      other.release()
    }
    await expect.poll(async () => (await shop.send()).status, { timeout: 20_000 }).toBe(200)
    expect((await shop.orders.findByReference('order-1'))?.status).toBe('completed')
  })

  it('S48 answers 503 on a replica, which can be read for all that', async () => {
    const shop = openShop(database.db)
    await shop.orders.create(ORDER)
    await shop.send()
    const replica = openPool({ options: '-c default_transaction_read_only=on' })
    const behind = openShop(replica)
    expect((await behind.send(transfer(2))).status).toBe(503)
    expect(await behind.receiver.health()).toMatchObject({
      status: 'down',
      message: expect.stringContaining('read-only'),
    })
    const [entry] = await postgresInboxReader(replica).list({ limit: 10 })
    expect(entry?.delivery.reference).toBe('order-1')
    expect(await postgresInbox(replica).stats()).toMatchObject({ undecided: 0, isReadOnly: true })
  })

  it('finds no order for text that no database can hold', async () => {
    const orders = postgresOrderRepository(database.db)
    expect(await orders.findByReference('order\u0000')).toBeNull()
    expect(await orders.findByReference('order \ud800')).toBeNull()
  })
})
