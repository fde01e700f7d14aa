// A server that watches the chain until it is killed. Its index shows more payments from second to second.
import { createPayments, createPaymentWatcher } from '@tonplug/core'
import { postgresCursor, postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'
import { createStubIndex } from './stub-index.mjs'

const [connectionString, recipient, payer, count, perSecond, firstUtime, mode] =
  process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 5 })
const v3 = createStubIndex({
  recipient,
  payer,
  count: Number(count),
  perSecond: Number(perSecond),
  firstUtime: Number(firstUtime),
  head: () => Math.floor(Date.now() / 1000),
})
const ignore = () => undefined
const payments = createPayments({
  logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
  orders: postgresOrderRepository(pool),
  wallets: [recipient],
  inbox: postgresInbox(pool),
  onPaid: async ({ order }, { idempotencyKey }) => {
    const values = [order.reference, idempotencyKey]
    await pool.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
  },
})
const watcher = createPaymentWatcher({ payments, v3, cursor: postgresCursor(pool) })
// Runs until its parent ends.
process.on('disconnect', () => process.exit())
process.send('ready')
if (mode === 'start') watcher.start()
// Without the lease, so that both servers run at the same time and a killed one delays nothing.
while (mode !== 'start') {
  const { isComplete, problem } = await watcher.run()
  if (!isComplete) console.error(problem)
  await new Promise((resolve) => setTimeout(resolve, 50))
}
