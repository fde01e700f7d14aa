// A server of a shop that adds parts up and watches the chain until it is killed.
import { createPayments, createPaymentWatcher } from '@tonplug/core'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { postgresCursor, postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, baseUrl, wallet] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 5 })
const v3 = createV3Client({ transport: createTransport({ baseUrl, rps: Infinity }) })
const ignore = () => undefined
const payments = createPayments({
  logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
  orders: postgresOrderRepository(pool),
  wallets: [wallet],
  inbox: postgresInbox(pool),
  amounts: { partial: 'add-up' },
  acceptLate: ({ offer, received }) => received >= offer.rawAmount,
  onPaid: async ({ order }, { idempotencyKey }) => {
    const values = [order.reference, idempotencyKey]
    await pool.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
  },
})
// Without the lease, so that both servers watch at the same time and a killed one delays nothing.
const cursor = {
  ...postgresCursor(pool),
  acquire: async () => true,
  release: async () => undefined,
}
const watcher = createPaymentWatcher({ payments, v3, cursor, minIntervalMs: 1000 })
// Runs until its parent ends.
process.on('disconnect', () => process.exit())
process.send('ready')
watcher.start()
