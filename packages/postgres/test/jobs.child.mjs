// One server of a shop whose servers wake each other through pg-boss. Its handler fails at first, and takes its time.
import { createServer } from 'node:http'
import { createWebhookReceiver, readNodeBody } from '@tonplug/core'
import { pgBossJobQueue, postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'
import { PgBoss } from 'pg-boss'

const [connectionString, secret] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })
const boss = new PgBoss({ connectionString, max: 3, schedule: false })
await boss.start()

const run = async (_, { idempotencyKey: key, attempt }) => {
  // Refused where the same key is running elsewhere.
  await pool.query('INSERT INTO running (key, pid) VALUES ($1, $2)', [key, process.pid])
  await pool.query('SELECT pg_sleep(0.2)')
  await pool.query('DELETE FROM running WHERE key = $1', [key])
  const row = [key, attempt, process.pid]
  await pool.query('INSERT INTO runs (key, attempt, pid) VALUES ($1, $2, $3)', row)
  if (attempt === 1) throw new Error('busy')
}

// The parent looks at the rows.
const ignore = () => undefined
const logger = { debug: ignore, info: ignore, warn: ignore, error: console.error }
const receiver = createWebhookReceiver({
  logger,
  secrets: secret,
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  jobs: pgBossJobQueue(boss),
  onPaid: run,
})
const serve = async (request, response) => {
  const { method, headers } = request
  const answer = await receiver.receive({ method, headers, rawBody: readNodeBody(request) })
  response.writeHead(answer.status, answer.headers).end(answer.body)
}
const server = createServer((request, response) => void serve(request, response))
server.listen(0, () => process.send({ port: server.address().port }))

const stop = async () => {
  server.close()
  await receiver.close()
  await boss.stop({ graceful: false })
  await pool.end()
  process.disconnect()
}
process.once('SIGTERM', () => void stop())
