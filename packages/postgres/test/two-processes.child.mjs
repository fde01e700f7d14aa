// One server of a shop, with orders and inbox in PostgreSQL.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createPayments, createWebhookReceiver, readNodeBody, systemClock } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, secret, aheadMs, handlerMs] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 25 })
const run = async (_, { idempotencyKey }) => {
  await pool.query('INSERT INTO runs (key, pid) VALUES ($1, $2)', [idempotencyKey, process.pid])
  await wait(Number(handlerMs))
}

const ignore = () => undefined
const logger = { debug: ignore, info: ignore, warn: ignore, error: console.error }
const payments = createPayments({
  logger,
  clock: { ...systemClock, nowMs: () => Date.now() + Number(aheadMs) },
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  onPaid: { ship: run, mail: run },
  onExtraPayment: run,
})
const receiver = createWebhookReceiver({ payments, secrets: secret })
const server = createServer((request, response) => {
  void receiver
    .receive({ method: request.method, headers: request.headers, rawBody: readNodeBody(request) })
    .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
})
server.listen(0, () => process.send({ port: server.address().port }))

process.once('SIGTERM', () => void shutDown())

async function shutDown() {
  server.close()
  await receiver.close()
  await payments.close()
  await pool.end()
  process.disconnect()
}
