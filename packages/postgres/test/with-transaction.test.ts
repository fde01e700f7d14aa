import type { Order, OrderRepository, Payment, Transition } from '@tonplug/core'
import { describeJoinedOrders } from '@tonplug/testing'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WithTransaction } from '../src/join-by-transaction.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import type { Queryable } from '../src/queryable.js'
import { hasPostgres, NEEDS_POSTGRES, openPostgres, type TestPostgres } from './databases.js'
import { closeShop, count, openShop } from './shop.js'

// A shop's own table, in the same database, and the repository a shop would write over it.
const CREATE_TABLE = `CREATE TABLE shop_orders (
  reference text PRIMARY KEY, raw_amount numeric NOT NULL, status text NOT NULL, payment jsonb,
  tx_hash text
)`

function shopOrders(db: Queryable): OrderRepository {
  const read = async (reference: string): Promise<Order | null> => {
    const { rows } = await db.query('SELECT * FROM shop_orders WHERE reference = $1', [reference])
    const [row] = rows as { raw_amount: string; status: Order['status']; payment: Payment | null }[]
    if (row === undefined) return null
    const { status } = row
    const order = { reference, rawAmount: BigInt(row.raw_amount), asset: 'TON', status }
    if (status !== 'completed' || row.payment === null) return order
    return { ...order, payment: { ...row.payment, rawAmount: BigInt(row.payment.rawAmount) } }
  }
  const move = async (
    reference: string,
    status: 'completed' | 'failed',
    { txHash, ...rest }: { txHash: string },
  ): Promise<Transition> => {
    const from = status === 'failed' ? "('pending')" : "('pending', 'failed', 'expired')"
    const { rows } = await db.query(
      `UPDATE shop_orders SET status = $2, tx_hash = $3, payment = $4
      WHERE reference = $1 AND status IN ${from} RETURNING 1`,
      [reference, status, txHash, toJson({ txHash, ...rest })],
    )
    if (rows.length > 0) return 'applied'
    const { rows: standing } = await db.query(
      'SELECT status, tx_hash FROM shop_orders WHERE reference = $1',
      [reference],
    )
    const [row] = standing as { status: string; tx_hash: string }[]
    if (row === undefined) return 'not-found'
    return row.status === status && row.tx_hash === txHash ? 'already-applied' : 'conflict'
  }
  return {
    findByReference: read,
    complete: (reference, payment) => move(reference, 'completed', payment),
    recordFailure: (reference, failure) => move(reference, 'failed', failure),
    async *listOpen() {},
  }
}

function toJson(value: object): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? item.toString() : item,
  )
}

/** What a database library does. */
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

  async function insert({ reference, rawAmount, status }: Order): Promise<void> {
    const values = [reference, rawAmount.toString(), status]
    await database.db.query(
      'INSERT INTO shop_orders (reference, raw_amount, status) VALUES ($1, $2, $3)',
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
    return { shop: openShop(database.db, { inbox, orders }), orders }
  }

  describeJoinedOrders(
    'a table of the shop',
    async () => {
      await clear()
      const inbox = postgresInbox(database.db, { withTransaction: transactionsOf(database.db) })
      return { inbox, repository: shopOrders(database.db), insert }
    },
    { describe, it },
  )

  it('S38 completes the order of another table once, for fifty deliveries', async () => {
    const { shop, orders } = open()
    await insert(ORDER)
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.send()))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    expect(shop.runs).toHaveLength(1)
    expect((await orders.findByReference('order-1'))?.status).toBe('completed')
  })

  it.each(['before', 'after'] as const)(
    'S45 takes the transition back when the connection is cut %s the decision',
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
      expect((await orders.findByReference('order-1'))?.status).toBe('pending')
      expect(await count(database.db, 'deliveries', "state = 'undecided'")).toBe(1)
      expect(await count(database.db, 'handler_tasks')).toBe(0)
      expect((await shop.send()).decision.kind).toBe('paid')
    },
  )

  it('decides nothing when the repository answers what is no transition', async () => {
    const confused: WithTransaction = (work) =>
      transactionsOf(database.db)(({ orders, db }) =>
        work({ db, orders: { ...orders, complete: async () => 'done' as Transition } }),
      )
    const { shop } = open(confused)
    await insert(ORDER)
    expect((await shop.send()).status).toBe(503)
    expect(await count(database.db, 'deliveries', "state = 'undecided'")).toBe(1)
    expect(await count(database.db, 'handler_tasks')).toBe(0)
  })

  it('keeps orders of another database with the inbox alone', async () => {
    const orders = shopOrders(database.db)
    const inbox = postgresInbox(database.db)
    expect(inbox.joinOrders?.(orders)).toBeUndefined()
    const shop = openShop(database.db, { inbox, orders })
    await insert(ORDER)
    expect((await shop.send()).decision.kind).toBe('paid')
    await shop.advanceUntil(() => shop.runs.length > 0)
    expect((await shop.send()).decision.kind).toBe('duplicate')
  })
})
