import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { createV2Client } from '@tonplug/core/toncenter'
import type { RequestHandler } from 'express'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { tonplugClients } from '../src/clients-middleware.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, deliveries } from './support/shop.js'
import { startTelemetry } from '@tonplug/test-support/telemetry'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

/** A route with types of both majors. */
const balanceRoute: RequestHandler = async (request, response, next) => {
  try {
    const balance = await request.tonplug.v2.getAddressBalance({ address })
    response.send(balance.toString())
  } catch (error) {
    next(error)
  }
}

describe.each(expressVersions)('OpenTelemetry in %s', (_version, express) => {
  it('creates a span of each delivery inside the request, and a linked one of the handler', async () => {
    const telemetry = startTelemetry()
    const instrumentation = openTelemetryInstrumentation(telemetry.providers)
    let shipped = (): void => undefined
    const isShipped = new Promise<void>((resolve) => (shipped = resolve))
    const shop = createShop({
      payments: { instrumentation, onPaid: { ship: () => shipped() } },
    })
    const app = express().post('/webhooks/ton', tonplugWebhook(shop.receiver))
    const { server, url } = await listen(app)
    telemetry.traceRequests(server)

    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await isShipped
    await shop.payments.close()
    const delivery = telemetry.span('tonplug.delivery')
    const handler = telemetry.span('tonplug.handler onPaid.ship')
    expect(delivery.parentSpanContext).toEqual(telemetry.span('request').spanContext())
    expect(delivery.attributes).toMatchObject({ 'tonplug.order.reference': 'order-1' })
    expect(handler.links.map(({ context }) => context)).toEqual([delivery.spanContext()])
  })

  it('counts decisions and rejected requests', async () => {
    const telemetry = startTelemetry()
    const shop = createShop({
      payments: { instrumentation: openTelemetryInstrumentation(telemetry.providers) },
    })
    const app = express().post('/webhooks/ton', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    await deliver(`${url}/webhooks/ton`, deliveries.wrongSignature)
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    const payments = { 'tonplug.payments.name': 'default' }
    expect(await telemetry.attributesOf('tonplug.webhook.refusals')).toEqual([
      {
        ...payments,
        'tonplug.refusal.kind': 'invalid_signature',
        'tonplug.refusal.reason': 'mismatch',
      },
    ])
    expect(await telemetry.attributesOf('tonplug.webhook.decisions')).toEqual([
      { ...payments, 'tonplug.decision.kind': 'paid' },
    ])
  })

  it('creates a span of each call inside the request, and one of its attempt inside the call', async () => {
    const telemetry = startTelemetry()
    const instrumentation = openTelemetryInstrumentation(telemetry.providers)
    const { baseUrl } = await startMockApi(() => ({
      body: { ok: true, result: '7', '@extra': 'x' },
    }))
    const app = express()
      .use(tonplugClients({ v2: createV2Client({ baseUrl, instrumentation }) }))
      .get('/balance', balanceRoute)
    const { server, url } = await listen(app)
    telemetry.traceRequests(server)
    expect((await request(url).get('/balance')).text).toBe('7')
    const call = telemetry.span('tonplug.call getAddressBalance')
    expect(call.parentSpanContext).toEqual(telemetry.span('request').spanContext())
    const attempt = telemetry.span('GET getAddressBalance')
    expect(attempt.parentSpanContext).toEqual(call.spanContext())
    expect(await telemetry.attributesOf('tonplug.client.request.duration')).toEqual([
      {
        'tonplug.endpoint': 'getAddressBalance',
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(baseUrl).port),
      },
    ])
  })
})
