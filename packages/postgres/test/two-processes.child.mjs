// One server of a shop: the webhook route on a port of its own, orders and inbox in PostgreSQL.
import { createServer } from 'node:http'
import { createWebhookReceiver, readNodeBody } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, secret] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 25 })
const run = (_, { idempotencyKey }) =>
  pool.query('INSERT INTO runs (key, pid) VALUES ($1, $2)', [idempotencyKey, process.pid])

// The parent looks at the rows.
const ignore = () => undefined
const logger = { debug: ignore, info: ignore, warn: ignore, error: console.error }
const receiver = createWebhookReceiver({
  logger,
  secrets: secret,
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  onPaid: { ship: run, mail: run },
  onExtraPayment: run,
})
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
  await pool.end()
  process.disconnect()
}
