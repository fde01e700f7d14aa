// Compares looks of the payment watcher with many open orders on PostgreSQL to those with few: the requests (F2) and the processor
// time (F4). The simulated chain runs in a separate process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createPayments, createPaymentWatcher } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { postgresOrderRepository } from '@tonplug/postgres'
import { withDatabase } from '../database.mjs'
import { counted, report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'

const LOOKS = 5
const MANY = 100_000

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const chain = fork(join(import.meta.dirname, '../servers/chain-server.mjs'), { execArgv: [] })
const [{ url, wallet }] = await once(chain, 'message')
try {
  await withDatabase(compare)
} finally {
  chain.kill()
}
setImmediate(() => process.exit())

async function compare(pool) {
  const shops = []
  for (const openOrders of [1, 100, MANY]) shops.push(await openShop(pool, openOrders))
  const [one, few, many] = shops
  const options = { rounds: 15, calls: 20, warmUpCalls: 60, settlingCalls: 3 }
  const looks = [few, many].map(({ watcher }) => ({ call: () => watcher.checkNow() }))
  const [withFew, withMany] = await measureRounds(looks, options)
  report([
    {
      id: 'F2',
      what: 'requests of a look, 100 000 open orders',
      beside: '1 open order',
      spread: counted((await requestsOfLook(many)) / (await requestsOfLook(one))),
      floor: '<= 1',
      goal: '<= 1',
    },
    {
      id: 'F4',
      what: 'a look, 100 000 open orders',
      beside: '100 open orders, processor time',
      spread: ratio(withMany, withFew, 'cpuMs'),
      floor: '<= 1.5',
      goal: '<= 1.1',
    },
  ])
  for (const { watcher, payments } of shops) {
    await watcher.close()
    await payments.close()
  }
}

/** Opens a shop with open orders. Its first look lists them. */
async function openShop(pool, openOrders) {
  const name = `shop-${openOrders}`
  const orders = postgresOrderRepository(pool, { name })
  await orders.find({ reference: 'none' })
  await pool.query(
    `INSERT INTO tonplug.orders (name, merchant, reference, raw_amount, asset, created_at)
    SELECT $1, '', 'order-' || number, 1000000000, 'TON', now() - interval '1 hour'
    FROM generate_series(1, $2::integer) AS number`,
    [name, openOrders],
  )
  await pool.query('ANALYZE tonplug.orders')
  const payments = createPayments({ name, orders, wallets: [wallet], logger: silent })
  const v3 = createV3Client({ baseUrl: url, rps: Infinity })
  const watcher = createPaymentWatcher({ payments, v3 })
  await watcher.checkNow()
  return { payments, watcher }
}

async function requestsOfLook({ watcher }) {
  const before = await countRequests()
  for (let count = 0; count < LOOKS; count++) await watcher.checkNow()
  return ((await countRequests()) - before) / LOOKS
}

async function countRequests() {
  chain.send('requests')
  const [count] = await once(chain, 'message')
  return count
}
