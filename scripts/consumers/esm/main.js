import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { Address } from '@ton/core'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { createContracts } from '@tonplug/core/contract'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { createWalletRequests } from '@tonplug/core/checkout'
import { verifyTelegramInitData } from '@tonplug/core/telegram'
import { tonplugDesk } from '@tonplug/desk'
import { tonplugWebhook } from '@tonplug/express'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'

const reference = 'order-1'
const paid = []
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const meterProvider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter })],
})
const payments = createPayments({
  orders: memoryOrderRepository([
    { reference, rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
  ]),
  instrumentation: openTelemetryInstrumentation({ meterProvider }),
  onPaid: async ({ order }) => {
    paid.push(order.reference)
  },
})
const receiver = createWebhookReceiver({ payments, secrets: 'whsec_test' })
const app = express()
app.post('/webhooks/ton', tonplugWebhook(receiver))
app.use('/desk', tonplugDesk({ payments, authorize: () => ({ operator: 'ann' }) }))
const server = app.listen(0)
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}/webhooks/ton`

const { body, headers } = signPayload(transferCompleted({ reference }), 'whsec_test')
const forged = await fetch(url, { method: 'POST', headers, body: `${body} ` })
assert.equal(forged.status, 401)
const genuine = await fetch(url, { method: 'POST', headers, body })
assert.equal(genuine.status, 200)

const desk = await fetch(new URL('/desk/', url))
assert.match(await desk.text(), /^<!doctype html>/i)

await receiver.close()
await payments.close()
assert.deepEqual(paid, [reference])
assert.equal(typeof createWalletRequests, 'function')
assert.equal(verifyTelegramInitData('', { botId: 1 }).isValid, false)
server.close()
await meterProvider.shutdown()
const metrics = exporter
  .getMetrics()[0]
  .scopeMetrics[0].metrics.map(({ descriptor }) => descriptor.name)
assert.ok(metrics.includes('tonplug.webhook.decisions'))
assert.ok(metrics.includes('tonplug.handler.duration'))

const v2 = createV2Client({ fetch: async () => new Response(JSON.stringify(stateOf('7'))) })
const address = Address.parse(`0:${'0'.repeat(64)}`)
const { balance, state } = await createContracts({ v2 }).provider(address).getState()
assert.deepEqual({ balance, state }, { balance: 7n, state: { type: 'uninit' } })

const validators = createV3Client({ fetch: async () => new Response('{"cycles":[]}') })
assert.deepEqual(await validators.validatorsCycles(), { cycles: [] })

function stateOf(amount) {
  const last_transaction_id = { lt: '0', hash: '' }
  const account = { balance: amount, state: 'uninitialized', sync_utime: 1, last_transaction_id }
  return { ok: true, result: account }
}
