// Compares a delivery on PostgreSQL with 1 000 000 stored orders and credits to one with 1000 (E4).
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { copyRows, withDatabase } from '../database.mjs'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'
import { makeDeliveries, referenceOf, SECRET } from '../webhooks.mjs'

const ROUNDS = 31
const CALLS = 50
const TABLES = ['orders', 'reports', 'payments']
const MANY = 1_000_000
const FEW = 1000

const logger = { debug() {}, info() {}, warn() {}, error: console.error }

await withShop(MANY, (full) =>
  withShop(FEW, async (empty) => {
    const options = { rounds: ROUNDS, calls: CALLS, warmUpCalls: 2 * CALLS, settlingCalls: 5 }
    const samples = await measureRounds([full, empty], options)
    const [withMany, withFew] = samples
    report([
      {
        id: 'E4',
        what: 'a delivery on PostgreSQL, with 1 000 000 stored orders and credits',
        beside: 'with 1000, time',
        spread: ratio(withMany, withFew, 'wallMs'),
        floor: '<= 1.25',
        goal: '<= 1.1',
      },
    ])
  }),
)

/** Runs a function with a contender whose database has stored orders that were paid. */
function withShop(stored, run) {
  return withDatabase(async (pool) => {
    const orders = postgresOrderRepository(pool)
    const payments = createPayments({ orders, inbox: postgresInbox(pool), logger })
    const receiver = createWebhookReceiver({ payments, secrets: SECRET })
    let count = 0
    let deliveries = []
    const create = (reference) =>
      orders.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: null })
    const prepare = async (calls) => {
      deliveries = makeDeliveries(count, count + calls)
      const references = deliveries.map((_, index) => referenceOf(count + index))
      count += calls
      await Promise.all(references.map(create))
    }
    const call = async () => {
      const { body: rawBody, headers } = deliveries.pop()
      const { decision } = await receiver.receive({ headers, rawBody })
      if (decision.kind !== 'paid') throw new Error(`a delivery was decided ${decision.kind}`)
    }
    await prepare(1)
    await call()
    for (const table of TABLES) await copyRows(pool, `tonplug.${table}`, stored)
    await pool.query('VACUUM ANALYZE')
    await run({ name: `${stored} stored`, prepare, call })
    await receiver.close()
    await payments.close()
  })
}
