import { createFakeClock } from '@tonplug/testing'
import pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { count } from './rows.js'
import { closeShop, openShop, ORDER, transfer, type Shop } from './shop.js'

// Settings of administrators and poolers.
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

  const open = (db: Queryable): Shop => openShop(db, { clock: createFakeClock() })

  /** Sends fifty equal deliveries and another payment concurrently. @returns their results. */
  async function pay(shop: Shop) {
    await shop.orders.create(ORDER)
    const sent = [...Array.from({ length: 50 }, () => shop.send()), shop.send(transfer(2))]
    const answers = await Promise.all(sent)
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    return {
      statuses: new Set(answers.map(({ status }) => status)),
      runs: shop.runs.length,
      paid: await count(database.db, 'reports', "decision->>'kind' = 'paid'"),
      extra: await count(database.db, 'reports', "decision->>'kind' = 'extra_payment'"),
    }
  }
  const PAID_ONCE = { statuses: new Set([200]), runs: 1, paid: 1, extra: 1 }

  it('S38 may be a single one', async () => {
    const shop = open(openPool({ max: 1 }))
    expect(await pay(shop)).toEqual(PAID_ONCE)
  })

  it('S38 may change with each statement and lose their state, as behind a pooler', async () => {
    const pools = Array.from({ length: 5 }, () => openPool({ max: 1 }))
    let statements = 0
    const db: Queryable = {
      async query(text, values) {
        const client = await pools[statements++ % pools.length]?.connect()
        if (client === undefined) throw new Error('there are pools')
        try {
          return await client.query(text, values)
        } finally {
          // More than a pooler does between two clients.
          await client.query('DISCARD ALL')
          client.release()
        }
      },
    }
    expect(await pay(open(db))).toEqual(PAID_ONCE)
  })

  it('may have their own format of times: all open orders are listed', async () => {
    const options = '-c datestyle=SQL,DMY -c timezone=Asia/Kolkata'
    const orders = postgresOrderRepository(openPool({ options }))
    await orders.create({ ...ORDER, reference: 'order-0' })
    await database.db.query(`INSERT INTO tonplug.orders
        (name, merchant, reference, raw_amount, asset, created_at)
      SELECT name, merchant, 'order-' || i, 1, 'TON', created_at + i * interval '1 millisecond'
      FROM tonplug.orders, generate_series(1, 500) AS i`)
    const references: string[] = []
    for await (const { reference } of orders.listOpen({ limit: 1000 })) references.push(reference)
    expect(references).toEqual(Array.from({ length: 501 }, (_, index) => `order-${index}`))
  })

  it('S38 may be serializable by default', async () => {
    const options = '-c default_transaction_isolation=serializable'
    expect(await pay(open(openPool({ max: 20, options })))).toEqual(PAID_ONCE)
  })

  it.each(['serializable', 'repeatable read'])(
    'S38 may be %s by default for servers that start concurrently',
    async (isolation) => {
      const escaped = isolation.replace(' ', '\\ ')
      const options = `-c default_transaction_isolation=${escaped}`
      const servers = Array.from({ length: 6 }, () => openPool({ max: 1, options }))
      await Promise.all(servers.map((db) => migratePostgres(db)))
      expect(await postgresInbox(database.db).stats()).toMatchObject({ undecided: 0 })
    },
  )

  it('S51 responds 503 when a statement exceeds its timeout, and pays at the retry', async () => {
    await migratePostgres(database.db)
    const orders = postgresOrderRepository(database.db)
    await orders.create(ORDER)
    const shop = open(openPool({ statement_timeout: 200 }))
    const other = await database.db.connect()
    await other.query('BEGIN; SELECT FROM tonplug.orders FOR UPDATE')
    try {
      expect(await shop.send()).toMatchObject({ status: 503, decision: { reason: 'store' } })
    } finally {
      await other.query('COMMIT')
      other.release()
    }
    await expect.poll(async () => (await shop.send()).status).toBe(200)
    expect((await orders.find(ORDER))?.status).toBe('completed')
  })

  it('S48 S80 responds 503 on a replica, and can read it', async () => {
    const shop = open(database.db)
    await shop.orders.create(ORDER)
    await shop.send()
    const replica = openPool({ options: '-c default_transaction_read_only=on' })
    const behind = open(replica)
    expect((await behind.send(transfer(2))).status).toBe(503)
    expect(await behind.payments.health()).toMatchObject({
      status: 'down',
      message: expect.stringContaining('read-only') as string,
    })
    const [entry] = await postgresInboxReader(replica).list({ limit: 10 })
    expect(entry?.report.reference).toBe('order-1')
  })
})
