// One server of a shop whose handler records each tenth of a second that it runs, until its signal is aborted.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createPayments, createWebhookReceiver, readNodeBody } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, secret, ticks, ...wallets] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 5 })

async function ship({ order }, { signal }) {
  for (let tick = 0; tick < Number(ticks) && !signal.aborted; tick++) {
    await pool.query('INSERT INTO ticks (reference, pid) VALUES ($1, $2)', [
      order.reference,
      process.pid,
    ])
    await wait(100)
  }
}

const ignore = () => undefined
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }
const payments = createPayments({
  logger,
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  wallets: wallets.length === 0 ? undefined : wallets,
  onPaid: ship,
})
const receiver = createWebhookReceiver({ payments, secrets: secret })
const server = createServer((request, response) => void respond(request, response))
server.listen(0, () => process.send({ port: server.address().port }))
process.once('SIGTERM', () => void close())

async function respond(request, response) {
  if (request.method === 'GET') {
    response.end((await payments.health()).status)
    return
  }
  const { method, headers } = request
  const answer = await receiver.receive({ method, headers, rawBody: readNodeBody(request) })
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

async function close() {
  server.close()
  server.closeAllConnections()
  await receiver.close()
  await payments.close()
  await pool.end()
  process.disconnect()
}
