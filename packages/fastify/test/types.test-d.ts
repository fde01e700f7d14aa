import {
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  memoryOrderRepository,
} from '@tonplug/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { tonplugDesk } from '@tonplug/desk'
import { fastify as fastify5 } from 'fastify'
import { tonplugFastify } from '../src/plugin.js'

const payments = createPayments({ orders: memoryOrderRepository() })
const receiver = createWebhookReceiver({ payments, secrets: 'whsec_types' })
const watcher = createPaymentWatcher({ payments, v3: createV3Client() })
const handler = tonplugDesk({ payments, authorize: () => ({ operator: 'ann' }) })

const app = fastify5()
await app.register(tonplugFastify, {
  prefix: '/shop',
  path: '/webhooks/ton',
  receiver,
  payments,
  orderStatusStream: { path: '/:id', key: ({ ip }) => ip },
  health: { '/ready': payments, '/watcher': watcher },
  desk: { path: '/tonplug', handler },
  clients: { v2: createV2Client(), v3: createV3Client(), wallet: 'UQ…' },
})
await app.register(tonplugFastify, { name: 'berlin', clients: { v2: createV2Client() } })
await fastify5({ http2: true }).register(tonplugFastify, { path: '/', receiver })

const balance = await app.tonplug.v2.getAddressBalance({ address: '' })
balance satisfies bigint
const { last } = await app.tonplug.v3.masterchainInfo()
last.seqno satisfies number
app.addHook('onRequest', async ({ routeOptions }) => {
  routeOptions.config.tonplug satisfies boolean | undefined
})
// @ts-expect-error a receiver has no events
void app.register(tonplugFastify, { payments: receiver })
// @ts-expect-error an unknown option
void app.register(tonplugFastify, { paths: '/' })
// @ts-expect-error only the plugin sets it
app.tonplug.v2 = createV2Client()
