import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { memoryInbox, memoryOrderRepository, type WebhookReceiver } from '@tonplug/core'
import { describeWebhookAdapter, signPayload, transferCompleted } from '@tonplug/testing'
import { toNodeHandler } from 'h3'
import Koa from 'koa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createH3App } from '../frameworks/h3.js'
import { createHonoApp } from '../frameworks/hono.js'
import { tonWebhook } from '../frameworks/koa.js'
import { createWorker } from '../frameworks/worker.js'

const SECRET = 'whsec_other_frameworks'
const PATH = '/webhooks/ton'
const {
  body: BODY,
  headers: SIGNED,
  signature: SIGNATURE,
} = signPayload(transferCompleted(), SECRET)

const createOrders = () =>
  memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])

/** Serves an app on a free port. */
async function start(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const LISTENERS: Record<string, (receiver: WebhookReceiver) => RequestListener> = {
  Koa: (receiver) => {
    const app = new Koa().use(tonWebhook(receiver))
    app.silent = true
    const handle = app.callback()
    return (request, response) => void handle(request, response)
  },
  Hono: (receiver) =>
    // Otherwise it replaces the global Response, also for the other servers of this process.
    getRequestListener(createHonoApp(receiver).fetch, { overrideGlobalObjects: false }),
  h3: (receiver) => toNodeHandler(createH3App(receiver)),
}

for (const [name, listenerOf] of Object.entries(LISTENERS)) {
  const harness = { start: async (receiver: WebhookReceiver) => start(listenerOf(receiver)) }
  describeWebhookAdapter(name, () => harness, { describe, it })
}

/** An event of API Gateway, in both formats. */
function eventsOf(sent: { method?: string; headers?: Record<string, string[]>; body?: string }) {
  const { method = 'POST', headers = {}, body = BODY } = sent
  const isBase64Encoded = body !== BODY
  const text = isBase64Encoded ? Buffer.from(body).toString('base64') : body
  const last = Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values.at(-1)]),
  )
  const joined = Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name.toLowerCase(), values.join(',')]),
  )
  return {
    '1.0': {
      httpMethod: method,
      path: PATH,
      headers: last,
      multiValueHeaders: headers,
      requestContext: {},
      body: text,
      isBase64Encoded,
    },
    '2.0': {
      rawPath: PATH,
      headers: joined,
      requestContext: { http: { method } },
      body: text,
      isBase64Encoded,
    },
  }
}

describe.each(['1.0', '2.0'] as const)('AWS Lambda, format %s', (format) => {
  const call = async (sent: Parameters<typeof eventsOf>[0]) => {
    vi.stubEnv('TONPAY_WEBHOOK_SECRET', SECRET)
    onTestFinished(() => void vi.unstubAllEnvs())
    const orders = createOrders()
    // It reads the secret when it is imported.
    vi.resetModules()
    const { createHandler } = await import('../frameworks/lambda.js')
    const handle = createHandler({ orders, inbox: memoryInbox() })
    const { statusCode, headers, body } = await handle(eventsOf(sent)[format])
    const order = await orders.find({ reference: 'order-1' })
    return { statusCode, headers, body, order: order?.status }
  }
  const paid = { statusCode: 200, body: '{"ok":true}', order: 'completed' }

  it('S22 completes the order of a delivery in text and in base64', async () => {
    const { body, signature } = signPayload(transferCompleted({ commentToSender: 'café' }), SECRET)
    expect(await call({ headers: { 'X-TonPay-Signature': [SIGNATURE] } })).toMatchObject(paid)
    const headers = { 'X-TonPay-Signature': [signature] }
    expect(await call({ headers, body })).toMatchObject(paid)
  })

  it('S3 responds with 401 to a repeated signature, and to none', async () => {
    const headers = { 'X-TonPay-Signature': [SIGNATURE, SIGNATURE] }
    for (const sent of [{ headers }, {}]) {
      expect(await call(sent)).toMatchObject({ statusCode: 401, order: 'pending' })
    }
  })

  it('S23 responds with 405 to GET', async () => {
    const answer = await call({ method: 'GET' })
    expect(answer).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } })
  })
})

describe('Cloudflare Workers', () => {
  it('S1 completes the order, and lets the platform wait for the handlers', async () => {
    const orders = createOrders()
    const waiting: Promise<unknown>[] = []
    const context = { waitUntil: (promise: Promise<unknown>) => void waiting.push(promise) }
    const env = { TONPAY_WEBHOOK_SECRET: SECRET }
    const inbox = memoryInbox()
    const worker = createWorker(() => ({ orders, inbox }))
    const send = (headers: Record<string, string>) =>
      worker.fetch(
        new Request(`https://shop.example${PATH}`, { method: 'POST', headers, body: BODY }),
        env,
        context,
      )
    expect((await send({})).status).toBe(401)
    expect((await send(SIGNED)).status).toBe(200)
    expect(waiting).toHaveLength(2)
    await Promise.all(waiting)
    expect((await orders.find({ reference: 'order-1' }))?.status).toBe('completed')
  })
})

describe('docs/guide/other-frameworks.md', () => {
  const page = readFileSync('docs/guide/other-frameworks.md', 'utf8')

  it.each(readdirSync('docs/frameworks'))(
    'needs at most ten lines in docs/frameworks/%s',
    (file) => {
      const text = readFileSync(`docs/frameworks/${file}`, 'utf8')
      const code = text.split('\n').filter((line) => !/^\s*$|^import |^type |^\s*\/[/*]/.test(line))
      expect(code.length).toBeLessThanOrEqual(10)
    },
  )

  it.each(readdirSync('docs/frameworks'))('shows docs/frameworks/%s as it is tested', (file) => {
    expect(page).toContain(`\`\`\`ts\n${readFileSync(`docs/frameworks/${file}`, 'utf8')}\`\`\`\n`)
  })
})
