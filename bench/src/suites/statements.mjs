// Counts the statements on PostgreSQL of a delivery (E5), and of an idle minute of one process (E6). Each statement is a round trip.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { countStatements, withDatabase } from '../database.mjs'
import { counted, report } from '../report.mjs'
import { makeDeliveries, referenceOf, SECRET } from '../webhooks.mjs'

const DELIVERIES = 500
const SETTLE_MS = 3000
const MINUTE_MS = 60_000

const logger = { debug() {}, info() {}, warn() {}, error: console.error }

await withDatabase(async (pool) => {
  const statements = countStatements(pool)
  const orders = postgresOrderRepository(pool)
  const inbox = postgresInbox(pool)
  const payments = createPayments({ orders, inbox, logger })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  for (let number = 0; number <= DELIVERIES; number++) {
    const reference = referenceOf(number)
    await orders.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: null })
  }
  const [first, ...deliveries] = makeDeliveries(0, DELIVERIES + 1)
  const deliver = async ({ body: rawBody, headers }) => {
    const { status } = await receiver.receive({ headers, rawBody })
    if (status !== 200) throw new Error(`a delivery was answered with ${status}`)
  }
  // The first one checks the schema.
  await deliver(first)
  const before = statements()
  for (const delivery of deliveries) await deliver(delivery)
  const perDelivery = (statements() - before) / DELIVERIES
  await receiver.close()
  await payments.close()

  const idle = createPayments({ orders, inbox, logger, onPaid: async () => undefined })
  await sleep(SETTLE_MS)
  const beforeIdle = statements()
  await sleep(MINUTE_MS)
  const perMinute = statements() - beforeIdle
  await idle.close()
  report([
    {
      id: 'E5',
      what: 'statements and round trips of a delivery',
      beside: 'counted, with background work in that time',
      // Rounded: background work is less than one in a hundred.
      spread: counted(Math.round(perDelivery * 10) / 10),
      floor: '<= 2',
      goal: '<= 2',
    },
    {
      id: 'E6',
      what: 'statements of one process in an idle minute, with a handler and nothing due',
      beside: 'counted',
      spread: counted(perMinute),
      floor: '<= 15',
      goal: '<= 4',
    },
  ])
})
