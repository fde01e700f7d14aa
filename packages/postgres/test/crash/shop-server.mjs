// What a shop's server consists of, whatever its framework: orders and inbox in PostgreSQL, and handlers that leave a
// row for each run. Its clock is moved by the process that started it.
import { createManualClock } from '@tonplug/testing'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, secrets, keptBy] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 8 })
// What fails here is counted by the rows it leaves.
const ignore = () => undefined

const clock = createManualClock({ startMs: 0 })
export const receiverOptions = {
  secrets,
  clock,
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  ...storesOf(keptBy),
}

/** What every handler does. */
export async function noteRun({ order }, { idempotencyKey, attempt }) {
  await pool.query({
    name: 'shop.handler',
    text: 'INSERT INTO runs (key, reference, attempt) VALUES ($1, $2, $3)',
    values: [idempotencyKey, order.reference, attempt],
  })
}

/** Tells the parent that all is loaded, then does what it says. @param serve answers the port */
export function obey(serve) {
  const act = async ({ serveAtMs, advanceMs }) => {
    await clock.advance(advanceMs ?? serveAtMs - clock.nowMs())
    process.send({ port: serveAtMs === undefined ? undefined : await serve() })
  }
  process.on('message', (message) => void act(message))
  // Not when the parent kills this process, only when the parent itself is gone.
  process.once('disconnect', () => process.exit())
  process.send({ isReady: true })
}

function storesOf(keeper) {
  if (keeper === 'tonplug') {
    return { orders: postgresOrderRepository(pool), inbox: postgresInbox(pool) }
  }
  const joined = keeper === 'shop-in-transaction' ? { withTransaction } : undefined
  return { orders: shopOrders(pool), inbox: postgresInbox(pool, joined) }
}

/** The repository of a shop with a table of its own. */
function shopOrders(db) {
  const row = async (reference) => {
    const { rows } = await db.query({
      name: 'shop.find',
      text: 'SELECT * FROM shop_orders WHERE reference = $1',
      values: [reference],
    })
    return rows[0]
  }
  const move = async (reference, status, { txHash, ...rest }) => {
    const { rowCount } = await db.query({
      name: `shop.${status}`,
      text: `UPDATE shop_orders SET status = $2, payment_tx_hash = $3, payment = $4
        WHERE reference = $1 AND (status = 'pending' OR (status = 'failed' AND $2 = 'completed'))`,
      values: [reference, status, txHash, toJson({ txHash, ...rest })],
    })
    if (rowCount === 1) return 'applied'
    const standing = await row(reference)
    if (standing === undefined) return 'not-found'
    const isSame = standing.status === status && standing.payment_tx_hash === txHash
    return isSame ? 'already-applied' : 'conflict'
  }
  return {
    async findByReference(reference) {
      const found = await row(reference)
      if (found === undefined) return null
      const { status, asset, payment } = found
      const order = { reference, rawAmount: BigInt(found.raw_amount), asset, status }
      if (status !== 'completed') return order
      return { ...order, payment: { ...payment, rawAmount: BigInt(payment.rawAmount) } }
    },
    complete: (reference, payment) => move(reference, 'completed', payment),
    recordFailure: (reference, failure) => move(reference, 'failed', failure),
    async *listOpen() {},
  }
}

/** What a database library does. */
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
