// One server of a shop, whose database is behind a pooler and loses its primary.
import { createServer } from 'node:http'
import { createPayments, createWebhookReceiver, readNodeBody, systemClock } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, secret, aheadMs] = process.argv.slice(2)
const pool = new pg.Pool({
  connectionString,
  max: 10,
  query_timeout: 6000,
  connectionTimeoutMillis: 6000,
})
const ignore = () => undefined
pool.on('error', ignore)
const runOf =
  (handler) =>
  async ({ order }, { idempotencyKey }) => {
    const values = [order.reference, handler, idempotencyKey]
    await pool.query('INSERT INTO runs (reference, handler, key) VALUES ($1, $2, $3)', values)
  }
const payments = createPayments({
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  clock: { ...systemClock, nowMs: () => Date.now() + Number(aheadMs) },
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  onPaid: { ship: runOf('ship'), mail: runOf('mail') },
})
const receiver = createWebhookReceiver({ payments, secrets: secret })
const server = createServer((request, response) => {
  void receiver
    .receive({ method: request.method, headers: request.headers, rawBody: readNodeBody(request) })
    .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
