// A server whose watcher finds every payment. It notifies the parent before it submits each one.
import { createPayments, createPaymentWatcher } from '@tonplug/core'
import { postgresCursor, postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'
import { createStubIndex } from './stub-index.mjs'

const [connectionString, recipient, payer, count] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 5 })
const firstUtime = Math.floor(Date.now() / 1000) - 600
const v3 = createStubIndex({
  recipient,
  payer,
  count: Number(count),
  firstUtime,
  perSecond: Infinity,
  head: () => firstUtime + 60,
})

const ignore = () => undefined
const logger = { debug: ignore, info: ignore, warn: ignore, error: console.error }
const orders = postgresOrderRepository(pool)
const payments = createPayments({
  logger,
  orders,
  wallets: [recipient],
  inbox: postgresInbox(pool),
  onPaid: async ({ order }, { idempotencyKey }) => {
    const values = [order.reference, idempotencyKey]
    await pool.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
  },
})
let answered = ignore
process.on('message', () => answered())
const watched = {
  ...payments,
  async submit(report) {
    const sent = new Promise((resolve) => (answered = resolve))
    const { reference } = report.transfer
    process.send({ found: reference })
    // Either process may be the first.
    if (Number(reference) % 3 === 1) await sent
    return payments.submit(report)
  },
}
const cursor = postgresCursor(pool)
const watcher = createPaymentWatcher({ payments: watched, v3, cursor })
const report = await watcher.run()
process.send({ report })
const close = async () => {
  await watcher.close()
  await payments.close()
  await pool.end()
  process.exit()
}
process.on('SIGTERM', () => void close())
