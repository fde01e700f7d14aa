// Compares a webhook over HTTP with PostgreSQL to the same work in an Express handler written by hand.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'
import { Pool } from 'undici'
import { withDatabase } from '../database.mjs'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'

const SECRET = 'whsec_bench'
const ROUNDS = 21
const BATCH = 48

const figures = []
await withDatabase(async (pool) => {
  const orders = postgresOrderRepository(pool)
  const payments = createPayments({
    orders,
    inbox: postgresInbox(pool),
    logger: { debug() {}, info() {}, warn() {}, error: console.error },
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const app = express()
  app.post('/by-hand', express.raw({ type: '*/*' }), handlerByHand(pool))
  app.post('/tonplug', tonplugWebhook(receiver))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await createHandMadeTables(pool, orders)
    const origin = `http://127.0.0.1:${server.address().port}`
    for (const concurrency of [1, 16]) await compare(pool, origin, concurrency)
  } finally {
    server.closeAllConnections()
    server.close()
    await receiver.close()
    await payments.close()
  }
})
report(figures)

/** Creates separate tables with the columns and indexes of tonplug's tables. */
async function createHandMadeTables(pool, orders) {
  await orders.find({ reference: 'none' })
  await pool.query(`
    CREATE TABLE shop_orders (LIKE tonplug.orders INCLUDING ALL);
    CREATE TABLE shop_reports (LIKE tonplug.reports INCLUDING ALL);
    CREATE TABLE shop_payments (LIKE tonplug.payments INCLUDING ALL);`)
}

/**
 * Verifies, stores the delivery with its payer and amount, reads the order, compares, claims the transaction, completes by a
 * conditional UPDATE and records the decision. The last three are one transaction, so that a crash cannot separate them.
 */
function handlerByHand(pool) {
  return async (request, response) => {
    const digest = createHmac('sha256', SECRET).update(request.body).digest('hex')
    const given = Buffer.from(request.get('x-tonpay-signature') ?? '')
    const expected = Buffer.from(`sha256=${digest}`)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return response.sendStatus(401)
    }
    const { event, data } = JSON.parse(request.body.toString())
    if (event !== 'transfer.completed') return response.sendStatus(400)
    const { reference, txHash } = data
    const stored = await pool.query({
      name: 'by_hand_store',
      text: `INSERT INTO shop_reports (name, merchant, key_hash, source, signed_with, reference,
          tx_hash, raw_body, sender_addr, raw_amount, payments, was_completed_before, received_at, state,
          retry_at)
        VALUES ('default', '', sha256($1::text::bytea), 'webhook', 'default', $2, $3, $4, $5, $6, '[]',
          false, now(), 'undecided', now())
        ON CONFLICT (name, key_hash) DO UPDATE SET name = excluded.name RETURNING id, state`,
      values: [
        `${reference}/${txHash}`,
        reference,
        txHash,
        request.body.toString(),
        data.senderAddr,
        data.rawAmount,
      ],
    })
    const [{ id, state }] = stored.rows
    if (state === 'decided') return response.json({ ok: true })
    const found = await pool.query({
      name: 'by_hand_find',
      text: `SELECT raw_amount::text AS amount, asset, status FROM shop_orders
        WHERE name = 'default' AND reference = $1`,
      values: [reference],
    })
    const [order] = found.rows
    const isPayable =
      order !== undefined &&
      data.status === 'success' &&
      BigInt(data.rawAmount) === BigInt(order.amount) &&
      data.asset === order.asset
    await decideByHand(pool, { id, data, isPayable })
    return response.json({ ok: true })
  }
}

async function decideByHand(pool, { id, data, isPayable }) {
  const client = await pool.connect()
  let error
  try {
    await client.query('BEGIN')
    const isFree = isPayable && (await claimByHand(client, data))
    const { rowCount } = isFree
      ? await client.query({
          name: 'by_hand_complete',
          text: `UPDATE shop_orders SET status = 'completed', payment_tx_hash = $2, payment = $3
            WHERE name = 'default' AND reference = $1 AND status IN ('pending', 'failed', 'expired')`,
          values: [data.reference, data.txHash, JSON.stringify(data)],
        })
      : { rowCount: 0 }
    await client.query({
      name: 'by_hand_decide',
      text: `UPDATE shop_reports SET state = 'decided', retry_at = NULL, decision = $2
        WHERE id = $1`,
      values: [id, JSON.stringify({ kind: rowCount === 1 ? 'paid' : 'not paid' })],
    })
    await client.query('COMMIT')
  } catch (cause) {
    error = cause
    await client.query('ROLLBACK').catch(() => undefined)
    throw cause
  } finally {
    client.release(error)
  }
}

/** Claims a transaction for one order, so that it completes no other one. @returns false when another order has it. */
async function claimByHand(client, { reference, txHash }) {
  const { rowCount } = await client.query({
    name: 'by_hand_claim',
    text: `INSERT INTO shop_payments AS standing (key_hash, name, merchant, payment, reference)
      VALUES (sha256($1::text::bytea), 'default', '', $1, $2)
      ON CONFLICT (key_hash) DO UPDATE SET reference = excluded.reference
        WHERE standing.reference = excluded.reference`,
    values: [txHash, reference],
  })
  return rowCount === 1
}

/** Compares the contenders. Each call pays its own batch of orders with `concurrency` concurrent deliveries. */
async function compare(pool, origin, concurrency) {
  const connections = new Pool(origin, { connections: concurrency })
  const contenders = await Promise.all(
    [
      { name: 'Express by hand', path: '/by-hand', table: 'shop_orders' },
      { name: 'tonplugWebhook', path: '/tonplug', table: 'tonplug.orders' },
    ].map(async ({ name, path, table }) => {
      const batches = []
      for (let batch = 0; batch < ROUNDS + 2; batch++) batches.push(await prepare(pool, table))
      return {
        name,
        table,
        call: () => deliver(connections, { path, concurrency, batch: batches.pop() }),
      }
    }),
  )
  await pool.query('VACUUM ANALYZE')
  const samples = await measureRounds(contenders, { rounds: ROUNDS, calls: 1, warmUpCalls: 2 })
  await connections.close()
  for (const { table } of contenders) await checkAllPaid(pool, table)
  const [byHand, ours] = samples
  figures.push({
    id: `E2-${concurrency}`,
    what: `Express and PostgreSQL, ${concurrency} at once`,
    beside:
      'the same promises by hand: delivery stored; transaction claimed, order completed and decision recorded in one transaction; rate',
    spread: ratio(byHand, ours, 'wallMs'),
    floor: '>= 0.97',
    goal: '>= 1.05',
  })
}

async function prepare(pool, table) {
  const references = Array.from({ length: BATCH }, () => randomUUID())
  await pool.query(
    `INSERT INTO ${table} (name, merchant, reference, raw_amount, asset, created_at)
    SELECT 'default', '', unnest($1::text[]), 10500000000, 'TON', now()`,
    [references],
  )
  return references.map((reference) => {
    const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)
    return { body, headers }
  })
}

async function deliver(connections, { path, batch, concurrency }) {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let next = batch.pop(); next !== undefined; next = batch.pop()) {
        const { statusCode, body } = await connections.request({ path, method: 'POST', ...next })
        await body.dump()
        if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
      }
    }),
  )
}

/** Checks that all orders were paid, so that the measurement is valid. */
async function checkAllPaid(pool, table) {
  const { rows } = await pool.query(
    `SELECT count(*)::integer AS open FROM ${table} WHERE status <> 'completed'`,
  )
  if (rows[0].open > 0) throw new Error(`${rows[0].open} orders of ${table} were not paid`)
}
