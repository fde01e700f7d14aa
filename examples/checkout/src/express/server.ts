import { createInvoice, createPayments, createPaymentWatcher } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { tonplugHealth, orderStatusStream } from '@tonplug/express'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import express, { type Express } from 'express'
import { checkoutPage } from '../page.js'
import { expiryOf, type ShopSettings } from '../shop.js'

/** Creates a shop on Express. */
export function createExpressShop(settings: ShopSettings) {
  const { db, wallet, chain, stream, prices, onPaid } = settings
  const v3 = createV3Client(chain)
  const orders = postgresOrderRepository(db)
  const payments = createPayments({ orders, inbox: postgresInbox(db), wallets: [wallet], onPaid })
  const watcher = createPaymentWatcher({ payments, v3, stream })
  watcher.start()

  const app: Express = express()
  app.use(checkoutPage(settings), express.json())
  app.get('/health', tonplugHealth(watcher))
  app.post('/orders', async ({ body }, response) => {
    const price = prices.get(body?.coin)
    if (price === undefined) return void response.sendStatus(400)
    const invoice = await createInvoice({ ...price, wallet, v3, expiresAt: expiryOf() })
    await orders.create({ ...invoice.order, data: { item: 'Postcard' } })
    response.status(201).json(invoice)
  })
  app.get('/orders/:reference/events', orderStatusStream(payments))
  return { app, orders, v3, close: () => watcher.close().then(() => payments.close()) }
}
