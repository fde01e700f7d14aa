import {
  createPayments,
  createWebhookReceiver,
  type Payments,
  type PaymentsOptions,
} from '@tonplug/core'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { hasPgBouncer, NEEDS_PGBOUNCER, startPgBouncer } from '@tonplug/test-support/pgbouncer'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { WithTransaction } from '../src/join-by-transaction.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { mappedOrderRepository } from '../src/mapped-order-repository.js'
import { openPostgres, type TestPostgres } from './databases.js'
import { CREATE_SHOP, deleteOrders, insertOrder, MAPPING } from './libraries/shop-table.js'

const SECRET = 'whsec_pooler_test'
const ORDERS = 30
const NOTICE =
  'prepared statements are not used, since the database is behind a pooler in transaction mode'

let database: TestPostgres
beforeAll(async () => {
  if (!hasPostgres) return
  database = await openPostgres()
  await database.db.query(CREATE_SHOP)
})
beforeEach(async () => {
  if (!hasPostgres) return
  await database.clear()
  await deleteOrders(database.db)
})
afterAll(() => database?.close())

describe.skipIf(!hasPostgres || !hasPgBouncer)(`behind ${NEEDS_PGBOUNCER}`, () => {
  it('pays each order once in two processes, with one line in the log of each', async () => {
    const url = await startPgBouncer(database.url)
    const pools = [openPool(url), openPool(url)]
    const [first] = pools
    const repository = postgresOrderRepository(first as pg.Pool)
    for (const reference of references()) await repository.create(orderOf(reference))
    const shipped: string[] = []
    const shops = pools.map((db) =>
      openShop({ orders: postgresOrderRepository(db), inbox: postgresInbox(db) }, shipped),
    )
    await Promise.all(
      shops.map(({ pay }) => Promise.all(references().map((reference) => pay(reference)))),
    )
    await expect.poll(() => shipped.toSorted()).toEqual(references().toSorted())
    for (const { logger, payments } of shops) {
      expect(logger.lines.filter(({ message }) => message === NOTICE)).toHaveLength(1)
      expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([])
      expect(await payments.health()).toMatchObject({ status: 'up' })
    }
  })

  it('completes orders in transactions of the shop', async () => {
    const url = await startPgBouncer(database.url)
    const db = openPool(url)
    for (const reference of references()) await insertOrder(database.db, orderOf(reference))
    const shipped: string[] = []
    const { pay, logger } = openShop(
      {
        orders: mappedOrderRepository(db, MAPPING),
        inbox: postgresInbox(db, { withTransaction: inTransactionsOf(db) }),
      },
      shipped,
    )
    await Promise.all(references().map((reference) => pay(reference)))
    await expect.poll(() => shipped.toSorted()).toEqual(references().toSorted())
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('pays orders in statement mode', async () => {
    const db = openPool(await startPgBouncer(database.url, { poolMode: 'statement' }))
    const repository = postgresOrderRepository(db)
    for (const reference of references()) await repository.create(orderOf(reference))
    const shipped: string[] = []
    const { pay } = openShop({ orders: repository, inbox: postgresInbox(db) }, shipped)
    await Promise.all(references().map((reference) => pay(reference)))
    await expect.poll(() => shipped.toSorted()).toEqual(references().toSorted())
  })
})

describe.skipIf(!hasPostgres)(`prepared statements on ${NEEDS_POSTGRES}`, () => {
  it('are not used after DISCARD ALL has removed them, with one notice', async () => {
    const db = openPool(database.url, 1)
    const inbox = postgresInbox(db)
    const notices: string[] = []
    inbox.onNotice?.((message) => void notices.push(message))
    await inbox.stats()
    expect(await namesOf(db)).toHaveLength(1)
    await db.query('DISCARD ALL')
    await inbox.stats()
    await inbox.processes.nextDueInMs({ name: 'default' })
    await inbox.stats()
    expect(await namesOf(db)).toEqual([])
    expect(notices).toEqual([NOTICE])
  })

  it('are not used when their names exist already', async () => {
    const db = openPool(database.url, 1)
    const inbox = postgresInbox(db)
    await inbox.stats()
    const [name] = await namesOf(db)
    const other = openPool(database.url, 1)
    await other.query(`PREPARE ${name} AS SELECT 1`)
    const theirs = postgresInbox(other)
    expect(await theirs.stats()).toMatchObject({ undecided: 0 })
    const notices: string[] = []
    theirs.onNotice?.((message) => void notices.push(message))
    expect(notices).toEqual([NOTICE])
  })

  it('are not used on a single connection, which may be in a transaction', async () => {
    const db = openPool(database.url)
    const client = await db.connect()
    onTestFinished(() => client.release())
    await postgresInbox(client).stats()
    expect(await namesOf(client)).toEqual([])
  })
})

describe.skipIf(!hasPostgres)(`statements of other libraries on ${NEEDS_POSTGRES}`, () => {
  it.each(['42P05', '26000', '08P01'])('are repeated after error %s', async (code) => {
    const db = openPool(database.url)
    let failures = 2
    const library: Queryable = {
      query: (text, values) =>
        failures-- > 0
          ? Promise.reject(Object.assign(new Error('prepared statement "s0"'), { code }))
          : db.query(text, values),
    }
    await expect(postgresInbox(db).stats()).resolves.toMatchObject({ undecided: 0 })
    failures = 0
    const inbox = postgresInbox(library)
    await inbox.stats()
    failures = 2
    expect(await inbox.stats()).toMatchObject({ undecided: 0 })
    expect(failures).toBe(-1)
  })

  it('repeat a transaction as a whole, and leave no half of it', async () => {
    const db = openPool(database.url)
    await insertOrder(db, orderOf('order-0'))
    let failures = 3
    let begun = 0
    const withTransaction: WithTransaction = (work) =>
      inTransactionsOf(db)(({ orders, db: client }) => {
        begun++
        const failing: Queryable = {
          query: async (text, values) => {
            if (failures-- <= 0) return client.query(text, values)
            // The statement does not exist, so the transaction is aborted.
            await client.query('EXECUTE missing')
            throw new Error('unreachable')
          },
        }
        return work({ orders, db: failing })
      })
    const shipped: string[] = []
    const { pay } = openShop(
      {
        orders: mappedOrderRepository(db, MAPPING),
        inbox: postgresInbox(db, { withTransaction }),
      },
      shipped,
    )
    await pay('order-0')
    await expect.poll(() => shipped).toEqual(['order-0'])
    expect(begun).toBe(4)
  })

  it('reject a pool as the connection of a transaction', async () => {
    const db = openPool(database.url)
    await insertOrder(db, orderOf('order-0'))
    const orders = mappedOrderRepository(db, MAPPING)
    const { pay, logger } = openShop(
      { orders, inbox: postgresInbox(db, { withTransaction: (work) => work({ orders, db }) }) },
      [],
    )
    await pay('order-0', 503)
    const [line] = logger.lines.filter(({ level }) => level === 'error')
    expect(JSON.stringify(line)).toContain('withTransaction: must pass the connection')
  })
})

function openPool(url: string, max = 8): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  return pool
}

function openShop(options: Pick<PaymentsOptions, 'orders' | 'inbox'>, shipped: string[]) {
  const logger = createTestLogger()
  const payments: Payments = createPayments({
    ...options,
    logger,
    onPaid: ({ order }) => void shipped.push(order.reference),
  })
  onTestFinished(() => payments.close())
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const pay = async (reference: string, status = 200): Promise<void> => {
    const txHash = Buffer.from(reference.padEnd(32)).toString('hex')
    const { body, headers } = signPayload(transferCompleted({ reference, txHash }), SECRET)
    expect((await receiver.receive({ headers, rawBody: body })).status).toBe(status)
  }
  return { payments, logger, pay }
}

function inTransactionsOf(db: pg.Pool): WithTransaction {
  return async (work) => {
    const client = await db.connect()
    try {
      await client.query('BEGIN')
      const result = await work({ orders: mappedOrderRepository(client, MAPPING), db: client })
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  }
}

function references(): string[] {
  return Array.from({ length: ORDERS }, (_, index) => `order-${index}`)
}

function orderOf(reference: string) {
  const status = 'pending' as const
  return { reference, rawAmount: 10_500_000_000n, asset: 'TON', status, data: {} }
}

async function namesOf(db: Queryable): Promise<string[]> {
  const sql = "SELECT name FROM pg_prepared_statements WHERE name LIKE 'tonplug%'"
  return (await db.query(sql)).rows.map((row) => (row as { name: string }).name)
}
