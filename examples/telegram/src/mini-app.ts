import { fileURLToPath } from 'node:url'
import { createInvoice, isTonplugError, type Payments, type PaymentWatcher } from '@tonplug/core'
import { verifyTelegramInitData } from '@tonplug/core/telegram'
import { normalizedHash } from '@tonplug/core/toncenter'
import { orderStatusStream } from '@tonplug/express'
import type { PostgresOrder, PostgresOrderRepository } from '@tonplug/postgres'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Sale } from './bot.js'
import { BOT_TOKEN, PUBLIC_URL, SHOP_WALLET } from './settings.js'

const FILES = {
  '/': new URL('../public', import.meta.url),
  '/vendor/wallet-requests.js': import.meta.resolve('@tonplug/core/checkout'),
  // The bundle for browsers, which the package does not export.
  '/vendor/tonconnect-ui.js': new URL(
    '../dist/tonconnect-ui.min.js',
    import.meta.resolve('@tonconnect/ui'),
  ),
}
const INVALID_INPUT = ['ERR_TONPLUG_ADDRESS', 'ERR_TONPLUG_INVALID_PARAMS']

/** Creates the server of the Mini App. Telegram signs who has opened it, and users can open only their own orders. */
export function createMiniApp(
  orders: PostgresOrderRepository<Sale>,
  payments: Payments<PostgresOrder<Sale>>,
  watcher: PaymentWatcher,
): Express {
  const ownInvoice: RequestHandler = async (request, response, next) => {
    const [, initData = ''] = /^tma (.+)$/.exec(request.get('authorization') ?? '') ?? []
    const visitor = verifyTelegramInitData(initData, { token: BOT_TOKEN })
    if (!visitor.isValid) return void response.sendStatus(401)
    const order = await orders.find({ reference: String(request.params['reference']) })
    if (order === null || order.data.userId !== visitor.user?.id) {
      return void response.sendStatus(404)
    }
    const { reference, rawAmount, asset } = order
    const invoice = await createInvoice({ wallet: SHOP_WALLET, reference, rawAmount, asset })
    response.locals['invoice'] = invoice
    next()
  }

  const app = express()
  for (const [path, url] of Object.entries(FILES)) app.use(path, express.static(fileURLToPath(url)))
  app.get('/tonconnect-manifest.json', (_request, response) => {
    response.json({ url: PUBLIC_URL, name: 'Postcards', iconUrl: `${PUBLIC_URL}/icon.png` })
  })
  app.use(express.json())
  app.get('/orders/:reference', ownInvoice, (_request, response) => {
    response.json(response.locals['invoice'])
  })
  // Anyone who knows the reference can see the status, also on the chain.
  app.get('/orders/:reference/events', orderStatusStream(payments))
  // For wallets that do not build transfers themselves.
  app.post('/orders/:reference/ton-connect', ownInvoice, async ({ body }, response) => {
    const sender = String(body?.sender)
    response.json(await response.locals['invoice'].tonConnect({ sender }))
  })
  // A hint: anyone can report any message, and only the chain completes an order.
  app.post('/orders/:reference/sent', ownInvoice, async ({ body }, response) => {
    void watcher.checkNow({ messageHash: await normalizedHash(String(body?.boc)) })
    response.sendStatus(202)
  })
  const reject: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (isTonplugError(error) && INVALID_INPUT.includes(error.code)) response.sendStatus(400)
    else next(error)
  }
  return app.use(reject)
}
