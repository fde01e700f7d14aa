// Measures the time from the block of a payment to the handler on a simulated chain (F3).
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createInvoice,
  createPayments,
  createPaymentWatcher,
  memoryOrderRepository,
} from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { createChainSimulator } from '@tonplug/simulator'
import { report } from '../report.mjs'
import { median } from '../rounds.mjs'

const PAYMENTS = 41

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const chain = await createChainSimulator()
const shop = await chain.createWallet()
const buyer = await chain.createWallet({ balance: 1_000_000_000_000n })
const wallet = shop.address.toString({ bounceable: false })

try {
  const seconds = await paymentSeconds()
  report([
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

function openShop(onPaid) {
  const orders = memoryOrderRepository()
  const payments = createPayments({ orders, wallets: [wallet], onPaid, logger: silent })
  const v3 = createV3Client({ baseUrl: chain.url, rps: 10 })
  return { orders, payments, watcher: createPaymentWatcher({ payments, v3 }) }
}
