// A shop on PostgreSQL that runs its handlers as jobs of BullMQ, serves its metrics to Prometheus, and has a desk for operators.
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { bullmqQueue } from '@tonplug/bullmq'
import { createInvoice, createPayments, createPaymentWatcher } from '@tonplug/core'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { tonplugDesk } from '@tonplug/desk'
import { tonplugHealth, orderStatusStream } from '@tonplug/express'
import {
  openDatabase,
  postgresCursor,
  postgresInbox,
  postgresOrderRepository,
} from '@tonplug/postgres'
import express from 'express'
import { operatorOf } from './operator.js'

const {
  DATABASE_URL,
  REDIS_URL = '',
  SHOP_WALLET: wallet = '',
  NETWORK,
  TONCENTER_URL: baseUrl,
  TONCENTER_API_KEY: apiKey,
  DESK_PASSWORD: password = '',
  PORT = '3000',
  METRICS_PORT = '9464',
} = process.env

const exporter = new PrometheusExporter({ port: Number(METRICS_PORT) })
const meterProvider = new MeterProvider({ readers: [exporter] })
const instrumentation = openTelemetryInstrumentation({ meterProvider })

const network = (NETWORK || 'mainnet') as 'mainnet' | 'testnet'
const server = baseUrl ? { baseUrl } : { network }
const v3 = createV3Client({ transport: createTransport({ ...server, apiKey, instrumentation }) })
const database = await openDatabase({ url: DATABASE_URL })
const { db } = database
const orders = postgresOrderRepository(db)
const queue = bullmqQueue({ connection: { url: REDIS_URL } })
const payments = createPayments({
  orders,
  inbox: postgresInbox(db),
  queue,
  wallets: [wallet],
  instrumentation,
  onPaid: ({ order }) => console.log(`order ${order.reference} is paid`),
})
const watcher = createPaymentWatcher({ payments, v3, cursor: postgresCursor(db) })
watcher.start()

const app = express()
app.get('/health', tonplugHealth(watcher))
app.post('/orders', async (_request, response) => {
  const invoice = await createInvoice({ wallet, amount: '0.5', asset: 'TON', v3 })
  await orders.create({ ...invoice.order, data: { item: 'Postcard' } })
  response.status(201).json(invoice)
})
app.get('/orders/:reference/events', orderStatusStream(payments))
app.use('/desk', (request, response, next) => {
  if (operatorOf(request.get('authorization'), password) !== false) return next()
  // The browser asks for the user name and the password.
  response.status(401).set('www-authenticate', 'Basic realm="desk"').end()
})
const authorize = ({ headers }: Request) => operatorOf(headers.get('authorization'), password)
app.use('/desk', tonplugDesk({ payments, authorize, actions: true, watcher, v3, network }))
const listener = app.listen(Number(PORT))

async function close(): Promise<void> {
  listener.close()
  listener.closeAllConnections()
  await watcher.close()
  await payments.close()
  await queue.close()
  await database.close()
  await meterProvider.shutdown()
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void close())
