// Measures the payment watcher on a simulated chain: the time from the block of a payment to the handler, and the requests
// of a look with one and with 100 000 open invoices.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createInvoice,
  createPayments,
  createPaymentWatcher,
  memoryOrderRepository,
} from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { createChainSimulator } from '@tonplug/simulator'
import { counted, report } from '../report.mjs'
import { median } from '../rounds.mjs'

const PAYMENTS = 41
const LOOKS = 5

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const chain = await createChainSimulator()
const shop = await chain.createWallet()
const buyer = await chain.createWallet({ balance: 1_000_000_000_000n })
const wallet = shop.address.toString({ bounceable: false })

try {
  const seconds = await paymentSeconds()
  report([
    {
      id: 'F2',
      what: 'requests of a look, 100 000 open invoices',
      beside: '1 open invoice',
      spread: counted((await requestsOfLook(100_000)) / (await requestsOfLook(1))),
      floor: '<= 1',
      goal: '<= 1',
    },
    {
      id: 'F3',
      what: 'block to onPaid by polling, p50',
      beside: 'seconds',
      spread: {
        median: median(seconds),
        min: Math.min(...seconds),
        max: Math.max(...seconds),
      },
      floor: '<= 1.5',
      goal: '<= 1',
    },
  ])
} finally {
  await chain.close()
}
setImmediate(() => process.exit())

/** Pays invoices one after another, at any time between two looks, at the rate limit of a free API key. */
async function paymentSeconds() {
  const paidAt = new Map()
  const { orders, payments, watcher } = openShop(({ order }) => {
    paidAt.set(order.reference, performance.now())
  })
  watcher.start()
  const seconds = []
  for (let count = 0; count < PAYMENTS; count++) {
    const invoice = await createInvoice({ wallet, amount: '1', asset: 'TON' })
    orders.add(invoice.order)
    await sleep(2000 * Math.random())
    await buyer.pay(invoice.link)
    const minedAt = performance.now()
    const { reference } = invoice.order
    while (!paidAt.has(reference)) await sleep(5)
    seconds.push((paidAt.get(reference) - minedAt) / 1000)
  }
  await watcher.close()
  await payments.close()
  return seconds
}

/** Returns the requests of one look that finds nothing, after the first one, which lists all open invoices. */
async function requestsOfLook(openInvoices) {
  const { orders, payments, watcher } = openShop(() => undefined)
  const { order } = await createInvoice({ wallet, amount: '1', asset: 'TON' })
  for (let count = 0; count < openInvoices; count++) {
    orders.add({ ...order, reference: `${order.reference}-${count}` })
  }
  await watcher.lookNow()
  const before = chain.v3Server.requests.length
  for (let count = 0; count < LOOKS; count++) await watcher.lookNow()
  const requests = chain.v3Server.requests.length - before
  await watcher.close()
  await payments.close()
  return requests / LOOKS
}

function openShop(onPaid) {
  const orders = memoryOrderRepository()
  const payments = createPayments({ orders, wallets: [wallet], onPaid, logger: silent })
  const v3 = createV3Client({ baseUrl: chain.url, rps: 10 })
  return { orders, payments, watcher: createPaymentWatcher({ payments, v3 }) }
}
