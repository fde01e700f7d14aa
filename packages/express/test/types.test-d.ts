import '../src/contract.js'
import type { Contract, ContractProvider, OpenedContract } from '@ton/core'
import {
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  memoryOrderRepository,
} from '@tonplug/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import express5 from 'express'
import express4 from 'express4'
import { keepRawBody } from '../src/keep-raw-body.js'
import { tonplugClients } from '../src/clients-middleware.js'
import { tonplugHealth } from '../src/health-middleware.js'
import { keepRawBodyInParser } from '../src/keep-raw-body-in-parser.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'

interface Purse extends Contract {
  getCoins(provider: ContractProvider): Promise<bigint>
}

declare const purse: Purse

const payments = createPayments({ orders: memoryOrderRepository() })
const receiver = createWebhookReceiver({ payments, secrets: 'whsec_types' })
const watcher = createPaymentWatcher({ payments, v3: createV3Client() })
const webhook = tonplugWebhook(receiver)

express5().post('/', webhook).all('/', webhook).use('/', webhook).use(keepRawBody(receiver))
express5().use(keepRawBody(), express5.json({ verify: keepRawBodyInParser }))
express5().use(express5.urlencoded({ verify: keepRawBodyInParser }))
express5.Router().post('/:merchant', express5.raw({ verify: keepRawBodyInParser }), webhook)
express5().post('/', (request, response, next) => webhook(request, response, next))
webhook satisfies express5.RequestHandler
keepRawBody() satisfies express5.RequestHandler

express5().get('/ready', tonplugHealth(payments, { maxWaitMs: 60_000 }), tonplugHealth(watcher))
// @ts-expect-error a receiver has no health
tonplugHealth(receiver)

express4().post('/', webhook).all('/', webhook)
express4().get('/ready', tonplugHealth(payments), tonplugHealth(watcher, { maxOpenAgeMs: 1 }))
express4().use('/', webhook)
express4().use(keepRawBody(), express4.json({ verify: keepRawBodyInParser }))
express4().use(express4.urlencoded({ verify: keepRawBodyInParser }), keepRawBody(receiver))
express4.Router().post('/:merchant', express4.raw({ verify: keepRawBodyInParser }), webhook)
express4().post('/', (request, response, next) => webhook(request, response, next))
webhook satisfies express4.RequestHandler
keepRawBody() satisfies express4.RequestHandler

const clients = tonplugClients({ network: 'testnet', apiKey: 'k', rps: 5 })
clients satisfies express5.RequestHandler
clients satisfies express4.RequestHandler
tonplugClients() satisfies express5.RequestHandler
tonplugClients({ v2: createV2Client({ jsonRpc: true }) }) satisfies express4.RequestHandler
tonplugClients({ v2: createV2Client(), v3: createV3Client() }) satisfies express5.RequestHandler
tonplugClients({ v3: createV3Client() }) satisfies express5.RequestHandler
// @ts-expect-error clients bring their transport along
tonplugClients({ v3: createV3Client(), network: 'testnet' })
// @ts-expect-error clients bring their transport along
tonplugClients({ v2: createV2Client(), network: 'testnet' })
// @ts-expect-error a misspelled option
tonplugClients({ netwrok: 'testnet' })
// @ts-expect-error an unknown network
tonplugClients({ network: 'devnet' })

express5()
  .use(clients)
  .use('/api', clients)
  .get('/:address', async (request, response) => {
    const { address } = request.params
    const balance = await request.tonplug.v2.getAddressBalance({ address })
    balance satisfies bigint
    const { last } = await request.tonplug.v3.masterchainInfo()
    last.seqno satisfies number
    const opened = request.tonplug.open(purse)
    opened satisfies OpenedContract<Purse>
    ;(await opened.getCoins()) satisfies bigint
    request.tonplug.provider(purse.address) satisfies ContractProvider
    ;(await request.tonplug.sendAndWait('boc', { pollMs: 1 })).outcome satisfies string
    // @ts-expect-error a message or a resume point, not a hash
    void request.tonplug.sendAndWait({ boc: 1 })
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
