// Parts of a shop's server: orders and inbox in PostgreSQL, and handlers that record each run. The parent process advances
// its clock.
import { createFakeClock } from '@tonplug/testing'
import {
  fromDrizzle,
  fromPrisma,
  fromTypeOrm,
  postgresInbox,
  postgresOrderRepository,
  mappedOrderRepository,
} from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, secret, keeper, mapping, prismaClient] = process.argv.slice(2)
export const secrets = secret
const pool = new pg.Pool({ connectionString, max: 8 })
const ignore = () => undefined
// A connection of the handlers may be cut.
pool.on('error', ignore)

// Each process loads one of them.
const LIBRARIES = {
  async TypeORM() {
    const { DataSource } = await import('typeorm')
    const source = new DataSource({ type: 'postgres', url: connectionString, poolSize: 8 })
    return fromTypeOrm(await source.initialize())
  },
  async Drizzle() {
    const [{ drizzle }, { sql }] = await Promise.all([
      import('drizzle-orm/node-postgres'),
      import('drizzle-orm'),
    ])
    return fromDrizzle(drizzle(pool), sql)
  },
  async Prisma() {
    const { openPrismaClient } = await import('../prisma/open-client.mjs')
    return fromPrisma(await openPrismaClient(prismaClient, { connectionString, max: 8 }))
  },
}

const clock = createFakeClock({ startMs: 0 })
export const paymentsOptions = {
  clock,
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  ...(await storesOf(keeper)),
}

/** Records a run of a handler. */
export async function noteRun({ order }, { idempotencyKey, attempt }) {
  await pool.query({
    name: 'shop.handler',
    text: 'INSERT INTO runs (key, reference, attempt) VALUES ($1, $2, $3)',
    values: [idempotencyKey, order.reference, attempt],
  })
}

/** Obeys the messages of the parent. @param serve returns the port */
export function obey(serve) {
  const act = async ({ serveAtMs, advanceMs }) => {
    await clock.advance(advanceMs ?? serveAtMs - clock.nowMs())
    process.send({ port: serveAtMs === undefined ? undefined : await serve() })
  }
  process.on('message', (message) => void act(message))
  // The parent has exited.
  process.once('disconnect', () => process.exit())
  process.send({ isReady: true })
}

async function storesOf(keeper) {
  if (keeper === 'tonplug') {
    return { orders: postgresOrderRepository(pool), inbox: postgresInbox(pool) }
  }
  if (keeper in LIBRARIES) {
    const db = await LIBRARIES[keeper]()
    return { orders: mappedOrderRepository(db, JSON.parse(mapping)), inbox: postgresInbox(db) }
  }
  const joined = keeper === 'shop-in-transaction' ? { withTransaction } : undefined
  return { orders: shopOrders(pool), inbox: postgresInbox(pool, joined) }
}

/** The repository of a shop with a table of its own, for one merchant. */
function shopOrders(db) {
  const find = async ({ reference }) => {
    const { rows } = await db.query({
      name: 'shop.find',
      text: 'SELECT * FROM shop_orders WHERE reference = $1',
      values: [reference],
    })
    const [row] = rows
    if (row === undefined) return null
    const { status, asset, payment, failure } = row
    const order = { reference, rawAmount: BigInt(row.raw_amount), asset, status, failure }
    if (status !== 'completed') return order
    return { ...order, payment: { ...payment, rawAmount: BigInt(payment.rawAmount) } }
  }
  const move = async (name, set, { reference }, { txHash, ...rest }) => {
    const { rowCount } = await db.query({
      name: `shop.${name}`,
      text: `UPDATE shop_orders SET ${set}
        WHERE reference = $1 AND status IN ('pending', 'failed', 'expired')`,
      values: [reference, txHash, toJson({ txHash, ...rest })],
    })
    return rowCount === 1
  }
  return {
    find,
    async complete(key, payment) {
      const set = "status = 'completed', payment_tx_hash = $2, payment = $3"
      if (await move('completed', set, key, payment)) return 'applied'
      const order = await find(key)
      if (order === null) return 'not-found'
      return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
    },
    async fail(key, failure) {
      const order = await find(key)
      if (order?.status === 'failed' && order.failure.txHash === failure.txHash) {
        return 'already-applied'
      }
      const set = "status = 'failed', failure_tx_hash = $2, failure = $3"
      if (await move('failed', set, key, failure)) return 'applied'
      return order === null ? 'not-found' : 'conflict'
    },
    async *listOpen() {},
  }
}

/** Runs work in a transaction, as a database library does. */
async function withTransaction(work) {
  const client = await pool.connect()
  let error
  try {
    await client.query('BEGIN')
    const result = await work({ orders: shopOrders(client), db: client })
    await client.query('COMMIT')
    return result
  } catch (cause) {
    error = cause
    await client.query('ROLLBACK').catch(ignore)
    throw cause
  } finally {
    client.release(error)
  }
}

function toJson(value) {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? item.toString() : item))
}
