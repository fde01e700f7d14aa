import type {
  Order,
  OrderKey,
  OrderRepository,
  Payment,
  PaymentFailure,
  Transition,
} from '@tonplug/core'
import { createFakeClock, describeJoinedOrders, transferCompleted } from '@tonplug/testing'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromDrizzle } from '../src/executors/from-drizzle.js'
import type { WithTransaction } from '../src/join-by-transaction.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import type { Queryable } from '../src/queryable.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { count } from './rows.js'
import { closeShop, openShop } from './shop.js'

// A table of a shop in the same database, and the repository that a shop would write for it.
const CREATE_TABLE = `CREATE TABLE shop_orders (
  merchant text NOT NULL, reference text NOT NULL, raw_amount numeric NOT NULL, status text NOT NULL,
  payment jsonb, failure jsonb, PRIMARY KEY (merchant, reference)
)`

interface ShopRow {
  merchant: string
  reference: string
  raw_amount: string
  status: Order['status']
  payment: (Payment & { rawAmount: string }) | null
  failure: PaymentFailure | null
}

function shopOrders(db: Queryable): OrderRepository {
  const find = async ({ merchant = '', reference }: OrderKey): Promise<Order | null> => {
    const { rows } = await db.query(
      'SELECT * FROM shop_orders WHERE merchant = $1 AND reference = $2',
      [merchant, reference],
    )
    const [row] = rows as ShopRow[]
    if (row === undefined) return null
    const { raw_amount: rawAmount, payment, status, failure } = row
    return {
      merchant,
      reference,
      status,
      failure,
      asset: 'TON',
      rawAmount: BigInt(rawAmount),
      payment: payment && { ...payment, rawAmount: BigInt(payment.rawAmount) },
    }
  }
  const explain = async (key: OrderKey, isMade: (order: Order) => boolean): Promise<Transition> => {
    const order = await find(key)
    if (order === null) return 'not-found'
    return isMade(order) ? 'already-applied' : 'conflict'
  }
  const isOpen = "status IN ('pending', 'failed', 'expired')"
  return {
    find,
    async complete(key, payment) {
      const { rows } = await db.query(
        `UPDATE shop_orders SET status = 'completed', payment = $3
        WHERE merchant = $1 AND reference = $2 AND ${isOpen} RETURNING 1`,
        [key.merchant ?? '', key.reference, toJson(payment)],
      )
      if (rows.length > 0) return 'applied'
      return explain(key, (order) => order.payment?.txHash === payment.txHash)
    },
    async fail(key, failure) {
      const { rows } = await db.query(
        `UPDATE shop_orders SET failure = $3,
          status = CASE status WHEN 'pending' THEN 'failed' ELSE status END
        WHERE merchant = $1 AND reference = $2 AND ${isOpen}
          AND failure->>'txHash' IS DISTINCT FROM $4 RETURNING 1`,
        [key.merchant ?? '', key.reference, toJson(failure), failure.txHash],
      )
      if (rows.length > 0) return 'applied'
      return explain(
        key,
        (order) => order.status !== 'completed' && order.failure?.txHash === failure.txHash,
      )
    },
    async *listOpen() {},
  }
}

function toJson(value: object): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? item.toString() : item,
  )
}

/** Runs work in a transaction, as a database library does. */
function transactionsOf(pool: pg.Pool): WithTransaction {
  return async (work) => {
    const client = await pool.connect()
    let error: Error | undefined
    try {
      await client.query('BEGIN')
      const result = await work({ orders: shopOrders(client), db: client })
      await client.query('COMMIT')
      return result
    } catch (cause) {
      error = cause as Error
      await client.query('ROLLBACK').catch(() => undefined)
      throw cause
    } finally {
      client.release(error)
    }
  }
}

/** Runs work in a transaction of Drizzle, as the guide shows. */
function drizzleTransactionsOf(pool: pg.Pool): WithTransaction {
  const database = drizzle(pool)
  return (work) =>
    database.transaction((tx) => {
      const db = fromDrizzle(tx, sql)
      return work({ orders: shopOrders(db), db })
    })
}

describe.skipIf(!hasPostgres)(`withTransaction on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres(20)
    await database.db.query(CREATE_TABLE)
  })
  afterAll(() => database.close())
  beforeEach(clear)

  async function clear(): Promise<void> {
    await database.clear()
    await database.db.query('DELETE FROM shop_orders')
  }

  async function insert({ merchant = '', reference, rawAmount, status }: Order): Promise<void> {
    const values = [merchant, reference, String(rawAmount), status]
    await database.db.query(
      'INSERT INTO shop_orders (merchant, reference, raw_amount, status) VALUES ($1, $2, $3, $4)',
      values,
    )
  }

  const ORDER: Order = {
    reference: 'order-1',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
  }

  function open(withTransaction = transactionsOf(database.db)) {
    const inbox = postgresInbox(database.db, { withTransaction })
    const orders = shopOrders(database.db)
    const clock = createFakeClock()
    return { shop: openShop(database.db, { inbox, orders, clock }), orders }
  }

  for (const [library, transactions] of [
    ['pg', transactionsOf],
    ['Drizzle', drizzleTransactionsOf],
  ] as const) {
    describeJoinedOrders(
      `a table of the shop, through ${library}`,
      async () => {
        await clear()
        const inbox = postgresInbox(database.db, { withTransaction: transactions(database.db) })
        return { inbox, repository: shopOrders(database.db), insert }
      },
      { describe, it },
      { storeAndFind: false },
    )
  }

  it('S38 completes the order of another table once, for fifty deliveries', async () => {
    const { shop, orders } = open()
    await insert(ORDER)
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.send()))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    expect(shop.runs).toHaveLength(1)
    expect((await orders.find(ORDER))?.status).toBe('completed')
  })

  it.each(['before', 'after'] as const)(
    'S45 rolls the transition back when the connection is cut %s the decision',
    async (moment) => {
      let hasFailed = false
      const cutting: WithTransaction = (work) =>
        transactionsOf(database.db)(async ({ orders, db }) => {
          const cut = async (text: string): Promise<void> => {
            if (hasFailed || !text.includes('WITH recorded AS')) return
            hasFailed = true
            const { rows } = await db.query('SELECT pg_backend_pid() AS pid')
            const [row] = rows as { pid: number }[]
            await database.db.query('SELECT pg_terminate_backend($1)', [row?.pid])
          }
          const query: Queryable['query'] = async (text, values) => {
            if (moment === 'before') await cut(text)
            const result = await db.query(text, values)
            if (moment === 'after') await cut(text)
            return result
          }
          return work({ orders, db: { query } })
        })
      const { shop, orders } = open(cutting)
      await insert(ORDER)
      expect((await shop.send()).status).toBe(503)
      expect(hasFailed).toBe(true)
      expect((await orders.find(ORDER))?.status).toBe('pending')
      expect(await count(database.db, 'reports', "state = 'undecided'")).toBe(1)
      expect(await count(database.db, 'tasks')).toBe(0)
      expect((await shop.send()).decision.kind).toBe('paid')
    },
  )

  it('S82 completes no order with a payment that another order claims concurrently', async () => {
    const { shop, orders } = open()
    await insert(ORDER)
    const other = await database.db.connect()
    const { txHash } = transferCompleted().data
    await other.query('BEGIN')
    const query = { name: 'default', merchant: '', reference: 'order-2' }
    await postgresInbox(other).credits.claim({ ...query, payments: [`tx:${txHash}`] })
    const sent = shop.send()
    const waiting = `SELECT count(*)::text AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await other.query(waiting)).rows).toEqual([{ count: '1' }])
    await other.query('COMMIT')
    other.release()
    expect((await sent).decision).toMatchObject({ kind: 'unverified', reason: 'reused' })
    expect((await orders.find(ORDER))?.status).toBe('pending')
  })

  it('S40 ships once when the repository calls every completed order already-applied', async () => {
    const hashes = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32))
    let arrived = 0
    const careless: WithTransaction = (work) =>
      transactionsOf(database.db)(async ({ orders, db }) => {
        arrived++
        await expect.poll(() => arrived).toBeGreaterThanOrEqual(hashes.length)
        const complete: OrderRepository['complete'] = async (...call) => {
          const transition = await orders.complete(...call)
          return transition === 'conflict' ? 'already-applied' : transition
        }
        return work({ db, orders: { ...orders, complete } })
      })
    const { shop } = open(careless)
    await insert(ORDER)
    const sent = await Promise.all(hashes.map((txHash) => shop.send(transferCompleted({ txHash }))))
    const kinds = sent.map(({ decision }) => decision.kind)
    expect(kinds.toSorted()).toEqual(['extra_payment', 'extra_payment', 'paid'])
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    expect(shop.runs).toHaveLength(1)
  })

  it('decides nothing when the repository returns an invalid transition', async () => {
    const confused: WithTransaction = (work) =>
      transactionsOf(database.db)(({ orders, db }) =>
        work({ db, orders: { ...orders, complete: async () => 'done' as Transition } }),
      )
    const { shop } = open(confused)
    await insert(ORDER)
    expect((await shop.send()).status).toBe(503)
    expect(await count(database.db, 'reports', "state = 'undecided'")).toBe(1)
    expect(await count(database.db, 'tasks')).toBe(0)
  })

  it('completes orders of another database in separate steps', async () => {
    const orders = shopOrders(database.db)
    const inbox = postgresInbox(database.db)
    expect(inbox.joinOrders?.(orders)).toBeUndefined()
    const shop = openShop(database.db, { inbox, orders, clock: createFakeClock() })
    await insert(ORDER)
    expect((await shop.send()).decision.kind).toBe('paid')
    await shop.advanceUntil(() => shop.runs.length > 0)
    expect((await shop.send()).decision.kind).toBe('duplicate')
  })
})
