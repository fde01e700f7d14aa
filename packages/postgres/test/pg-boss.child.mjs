// A server of a shop whose handlers run as jobs of pg-boss. The handler's first attempt lasts until the process is killed,
// or as long as the parent says. The parent may have the process killed as soon as a task was added to pg-boss.
import { setTimeout } from 'node:timers/promises'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { pgBossQueue, postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { PgBoss } from 'pg-boss'

const [connectionString, secret, settings] = process.argv.slice(2)
const { firstAttemptMs, isKilledAfterAdd } = JSON.parse(settings)
const pool = new pg.Pool({ connectionString, max: 5 })
const boss = new PgBoss({
  connectionString,
  max: 5,
  schedule: false,
  superviseIntervalSeconds: 10,
  monitorIntervalSeconds: 10,
})
await boss.start()
const queue = pgBossQueue(boss)
const ignore = () => undefined
const payments = createPayments({
  logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
  orders: postgresOrderRepository(pool),
  inbox: postgresInbox(pool),
  queue: {
    ...queue,
    ...(isKilledAfterAdd && {
      async add(...task) {
        await queue.add(...task)
        process.kill(process.pid, 'SIGKILL')
      },
      // The process must not take the job before it is killed.
      work: async () => ({ stop: async () => undefined }),
    }),
  },
  drainTimeoutMs: 5000,
  async onPaid({ order }, { attempt }) {
    process.send({ running: order.reference, attempt })
    if (attempt === 1) await setTimeout(firstAttemptMs)
    process.send({ shipped: order.reference, attempt })
  },
})
const receiver = createWebhookReceiver({ payments, secrets: secret })
const pay = async (reference) => {
  const payload = transferCompleted({ reference, txHash: `tx of ${reference}` })
  const { body, headers } = signPayload(payload, secret)
  const { status } = await receiver.receive({ headers, rawBody: body })
  process.send({ status })
}
const stop = async () => {
  await receiver.close()
  await payments.close()
  await boss.stop()
  await pool.end()
  process.disconnect()
}
process.on('message', (reference) => void pay(String(reference)))
process.once('SIGTERM', () => void stop())
process.send('ready')
