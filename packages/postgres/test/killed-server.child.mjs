// An Express server of a shop with orders and inbox in PostgreSQL. Its handler records each run in a table.
import { tonplugWebhook } from '@tonplug/express'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import express from 'express'
import pg from 'pg'

const [connectionString, secret] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 5 })

const ignore = () => undefined
const payments = createPayments({
  logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  onPaid: async ({ order }, { idempotencyKey }) => {
    const values = [order.reference, idempotencyKey]
    await pool.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
  },
})
const app = express()
app.post('/webhooks/ton', tonplugWebhook(createWebhookReceiver({ payments, secrets: secret })))
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
