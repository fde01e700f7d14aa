// An Express server of a shop, orders and inbox in PostgreSQL. Its handler notes each run in a table.
import { tonplugWebhook } from '@tonplug/express'
import { createWebhookReceiver, systemClock } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import express from 'express'
import pg from 'pg'

const [connectionString, secret, aheadMs] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 5 })

// The parent looks at the rows.
const ignore = () => undefined
const receiver = createWebhookReceiver({
  logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
  secrets: secret,
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  // The parent starts each server later than the one before, by more than a lease.
  clock: { ...systemClock, nowMs: () => Date.now() + Number(aheadMs) },
  onPaid: async ({ order }, { idempotencyKey }) => {
    const values = [order.reference, idempotencyKey]
    await pool.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
  },
})
const app = express()
app.post('/webhooks/ton', tonplugWebhook(receiver))
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
