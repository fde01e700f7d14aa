import { createInvoice, createPayments, createPaymentWatcher } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { tonplugHealth, orderStatusStream } from '@tonplug/express'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import express, { type Express } from 'express'
import { checkoutPage } from '../page.js'
import type { ShopSettings } from '../shop.js'

/** Creates a shop on Express. */
export function createExpressShop(settings: ShopSettings) {
  const { db, wallet, chain, stream, pricing, terms } = settings
  const v3 = createV3Client(chain)
  const orders = postgresOrderRepository(db)
  const payments = createPayments({ orders, inbox: postgresInbox(db), wallets: [wallet], ...terms })
  const watcher = createPaymentWatcher({ payments, v3, stream })
  watcher.start()

  const app: Express = express()
  app.use(checkoutPage(settings))
  app.get('/health', tonplugHealth(watcher))
  app.post('/orders', async (_request, response) => {
    const invoice = await createInvoice({ ...pricing, wallet, v3 })
    await orders.create({ ...invoice.order, data: { item: 'Postcard' } })
    response.status(201).json(invoice)
  })
  app.get('/orders/:reference/events', orderStatusStream(payments))
  return { app, orders, payments, v3, close: () => watcher.close().then(() => payments.close()) }
}
