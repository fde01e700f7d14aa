import {
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  memoryOrderRepository,
} from '@tonplug/core'
import { createV2Client, createV3Client, sendAndWait } from '@tonplug/core/toncenter'
import express5 from 'express'
import express4 from 'express4'
import { keepRawBody } from '../src/keep-raw-body.js'
import { tonplugClients } from '../src/clients-middleware.js'
import { tonplugHealth } from '../src/health-middleware.js'
import { orderStatusStream } from '../src/order-status-stream.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'

const payments = createPayments({ orders: memoryOrderRepository() })
const receiver = createWebhookReceiver({ payments, secrets: 'whsec_types' })
const watcher = createPaymentWatcher({ payments, v3: createV3Client() })
const webhook = tonplugWebhook(receiver)

express5().post('/', webhook).all('/', webhook).use('/', webhook)
express5().use(express5.json({ verify: keepRawBody }))
express5().use(express5.urlencoded({ verify: keepRawBody }))
express5.Router().post('/:merchant', express5.raw({ verify: keepRawBody }), webhook)
express5().post('/', (request, response, next) => webhook(request, response, next))
webhook satisfies express5.RequestHandler

express5().get('/ready', tonplugHealth(payments, { maxWaitMs: 60_000 }), tonplugHealth(watcher))
// @ts-expect-error a receiver has no health
tonplugHealth(receiver)

express5().get('/orders/:reference/events', orderStatusStream(payments))
express5().get(
  '/:shop/:id',
  orderStatusStream(payments, {
    key: ({ params }: express5.Request<{ shop: string; id: string }>) => ({
      merchant: params.shop,
      reference: params.id,
    }),
  }),
)
orderStatusStream(payments) satisfies express5.RequestHandler
// @ts-expect-error a receiver has no events
orderStatusStream(receiver)

express4().get('/orders/:reference/events', orderStatusStream(payments))
express4().get(
  '/:id',
  orderStatusStream(payments, {
    key: ({ params }: express4.Request<{ id: string }>) => params.id,
  }),
)
orderStatusStream(payments) satisfies express4.RequestHandler
express4().post('/', webhook).all('/', webhook)
express4().get('/ready', tonplugHealth(payments), tonplugHealth(watcher, { maxOpenAgeMs: 1 }))
express4().use('/', webhook)
express4().use(express4.json({ verify: keepRawBody }))
express4().use(express4.urlencoded({ verify: keepRawBody }))
express4.Router().post('/:merchant', express4.raw({ verify: keepRawBody }), webhook)
express4().post('/', (request, response, next) => webhook(request, response, next))
webhook satisfies express4.RequestHandler

const clients = tonplugClients({ v2: createV2Client(), v3: createV3Client(), wallet: 'UQ…' })
clients satisfies express5.RequestHandler
clients satisfies express4.RequestHandler
tonplugClients({}) satisfies express5.RequestHandler
tonplugClients({ v2: createV2Client({ jsonRpc: true }) }) satisfies express4.RequestHandler
// @ts-expect-error options of a transport
tonplugClients({ network: 'testnet' })
// @ts-expect-error another client
tonplugClients({ v3: createV2Client() })

express5()
  .use(clients)
  .use('/api', clients)
  .get('/:address', async (request, response) => {
    const { address } = request.params
    const balance = await request.tonplug.v2.getAddressBalance({ address })
    balance satisfies bigint
    const { last } = await request.tonplug.v3.masterchainInfo()
    last.seqno satisfies number
    ;(await sendAndWait(request.tonplug, 'boc', { pollMs: 1 })).outcome satisfies string
    const invoice = await request.tonplug.invoices.create({ amount: '10.5', asset: 'TON' })
    invoice.link satisfies string
    // @ts-expect-error an amount is required
    void request.tonplug.invoices.create({ asset: 'TON' })
    // @ts-expect-error the middleware sets it
    void request.tonplug.invoices.create({ amount: '1', asset: 'TON', wallet: 'UQ…' })
    // @ts-expect-error an unknown method
    void request.tonplug.v3.getTransactions
    // @ts-expect-error an unknown method
    void request.tonplug.v2.getBalance
    // @ts-expect-error only the middleware sets it
    request.tonplug.v2 = createV2Client()
    response.send(balance.toString())
  })
express5.Router().use(clients)

express4()
  .use(clients)
  .use('/api', clients)
  .get('/:address', (request, response, next) => {
    request.tonplug.v2.getAddressBalance({ address: request.params.address }).then((balance) => {
      balance satisfies bigint
      response.send(balance.toString())
    }, next)
  })
express4.Router().use(clients)
