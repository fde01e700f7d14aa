import { once } from 'node:events'
import { connect } from 'node:net'
import { createPayments, memoryInbox, memoryOrderRepository } from '@tonplug/core'
import type { Order } from '@tonplug/core'
import { createFakeClock, createTestLogger, transferCompleted } from '@tonplug/testing'
import { openStatusStream } from '@tonplug/test-support/status-stream'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TonplugFastifyOptions } from '../src/options.js'
import { tonplugFastify } from '../src/plugin.js'
import { fastifyVersions } from './support/fastify-versions.js'
import { listen } from './support/listen.js'

const ORDER: Order = {
  reference: 'order-1',
  rawAmount: 10_500_000_000n,
  asset: 'TON',
  status: 'pending',
}
const EVENTS = '/orders/:reference/events'

function createShop(orders: readonly Order[] = [ORDER]) {
  const clock = createFakeClock()
  const payments = createPayments({
    orders: memoryOrderRepository(orders),
    inbox: memoryInbox({ clock }),
    clock,
    logger: createTestLogger(),
  })
  onTestFinished(() => payments.close())
  const pay = (changes: Parameters<typeof transferCompleted>[0] = {}, merchant = '') => {
    const payload = transferCompleted(changes)
    const report = { rawBody: JSON.stringify(payload), transfer: payload.data }
    return payments.submit({ source: 'chain', merchant, ...report })
  }
  return { payments, clock, pay }
}

describe.each(fastifyVersions)('the status of an order, in %s', (_version, createApp) => {
  const serve = async (
    { payments }: ReturnType<typeof createShop>,
    { app = createApp(), ...options }: TonplugFastifyOptions & { app?: FastifyInstance } = {},
  ) => {
    await app.register(tonplugFastify, { payments, orderStatusStream: EVENTS, ...options })
    return { app, ...(await listen(app)) }
  }

  it('sends the current status, each change, and the end', async () => {
    const shop = createShop()
    const { url } = await serve(shop)
    const stream = await openStatusStream(`${url}/orders/order-1/events`)
    expect([stream.response.status, Object.fromEntries(stream.response.headers)]).toMatchObject([
      200,
      {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    ])
    await expect.poll(() => stream.statuses).toEqual(['waiting'])
    await shop.pay({ rawAmount: '1', txHash: 'tx-1' })
    await expect.poll(() => stream.statuses).toEqual(['waiting', 'partially_paid'])
    await shop.pay({ txHash: 'tx-2' })
    await expect.poll(() => stream.isEnded).toBe(true)
    expect(stream.text).toBe(
      [
        'retry: 3000\n\n',
        'data: {"status":"waiting"}\n\n',
        'data: {"status":"partially_paid","received":[{"asset":"TON","rawAmount":"1"}]}\n\n',
        'id: paid\ndata: {"status":"paid"}\n\n',
      ].join(''),
    )
  })

  it('responds with 204 to a reconnection after paid', async () => {
    const { url } = await serve(createShop())
    const headers = { 'last-event-id': 'paid' }
    const answer = await fetch(`${url}/orders/order-1/events`, { headers })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
  })

  it('responds to HEAD with the headers and opens nothing', async () => {
    const shop = createShop()
    const { url } = await serve(shop)
    const idle = shop.clock.pendingTimers().length
    const response = await fetch(`${url}/orders/order-1/events`, { method: 'HEAD' })
    const type = response.headers.get('content-type')
    expect([response.status, type]).toEqual([200, 'text/event-stream'])
    expect(shop.clock.pendingTimers()).toHaveLength(idle)
  })

  it('sends the headers that a hook of the app has set', async () => {
    const app = createApp().addHook('onRequest', async (_request, reply) => {
      reply.header('access-control-allow-origin', 'https://shop.example')
    })
    const { url } = await serve(createShop(), { app })
    const { response } = await openStatusStream(`${url}/orders/order-1/events`)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  })

  it('S66 sends the status of the order that the option key returns, and rejects when it throws', async () => {
    const orders = ['shop-a', 'shop-b'].map((merchant) => ({ ...ORDER, merchant }))
    const shop = createShop(orders)
    const key = async ({ params }: { params: unknown }) => {
      const { merchant, id } = params as { merchant: string; id: string }
      if (merchant === 'shop-c') throw Object.assign(new Error('not yours'), { statusCode: 403 })
      return { merchant, reference: id }
    }
    const { url } = await serve(shop, { orderStatusStream: { path: '/:merchant/:id', key } })
    const one = await openStatusStream(`${url}/shop-a/order-1`)
    const other = await openStatusStream(`${url}/shop-b/order-1`)
    await shop.pay({}, 'shop-a')
    await expect.poll(() => one.statuses.at(-1)).toBe('paid')
    await expect.poll(() => other.statuses).toEqual(['waiting'])
    expect((await fetch(`${url}/shop-c/order-1`)).status).toBe(403)
  })

  it('responds with 500 to an invalid key, and opens nothing', async () => {
    const shop = createShop()
    const key = () => ({ order: 1 }) as unknown as string
    const { url } = await serve(shop, { orderStatusStream: { path: '/', key } })
    const idle = shop.clock.pendingTimers().length
    expect((await fetch(url)).status).toBe(500)
    expect(shop.clock.pendingTimers()).toHaveLength(idle)
  })

  it('sends comments while nothing happens, with one timer for all streams, and stops it', async () => {
    const shop = createShop()
    const { url } = await serve(shop)
    await shop.clock.advance(0)
    const idle = shop.clock.pendingTimers().length
    const urls = Array.from({ length: 20 }, (_, index) => `${url}/orders/order-${index}/events`)
    const streams = await Promise.all(urls.map((one) => openStatusStream(one)))
    expect(shop.clock.pendingTimers()).toHaveLength(idle + 1)
    await expect.poll(() => streams[0]?.statuses).toEqual(['waiting'])
    await shop.clock.advance(15_000)
    await shop.clock.advance(15_000)
    await expect.poll(() => streams[0]?.text.endsWith('"}\n\n:\n\n:\n\n')).toBe(true)
    for (const stream of streams) stream.abort()
    await expect.poll(() => shop.clock.pendingTimers().length).toBe(idle)
  })

  it('responds with 503 beyond maxStreams, until a client leaves', async () => {
    const shop = createShop()
    const { url } = await serve(shop, { orderStatusStream: { path: EVENTS, maxStreams: 1 } })
    const stream = await openStatusStream(`${url}/orders/order-1/events`)
    await expect.poll(() => stream.statuses).toEqual(['waiting'])
    const refused = await fetch(`${url}/orders/order-1/events`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    stream.abort()
    const status = async () =>
      (await openStatusStream(`${url}/orders/order-1/events`)).response.status
    await expect.poll(status).toBe(200)
  })

  it('begins no stream behind another one of its connection', async () => {
    const shop = createShop()
    const { port, app } = await serve(shop)
    await shop.clock.advance(0)
    const idle = shop.clock.pendingTimers().length
    const client = connect(port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    let text = ''
    client.on('data', (bytes: Buffer) => (text += bytes.toString()))
    const requests = [1, 2, 3].map(
      (number) => `GET /orders/order-${number}/events HTTP/1.1\r\nhost: a\r\n\r\n`,
    )
    client.write(requests.join(''))
    await expect.poll(() => text.includes('waiting')).toBe(true)
    await shop.clock.advance(30_000)
    expect(text.match(/HTTP\/1.1 /g)).toHaveLength(1)
    client.destroy()
    await expect.poll(() => shop.clock.pendingTimers().length).toBe(idle)
    await app.close()
  })

  it('S52 begins no stream while the app closes', async () => {
    const shop = createShop()
    let identify = (_reference: string): void => undefined
    const key = () => new Promise<string>((resolve) => (identify = resolve))
    const { app, url } = await serve(shop, { orderStatusStream: { path: '/', key } })
    const response = fetch(url)
    await once(app.server, 'request')
    const closed = app.close()
    await new Promise((resolve) => setImmediate(resolve))
    identify('order-1')
    expect((await response).status).toBe(503)
    await closed
  })

  it('buffers little for a client that does not read, and sends it the last status later', async () => {
    const shop = createShop()
    const app = createApp()
    let fill = (): void => undefined
    app.addHook('onRequest', async (_request, reply) => {
      // More than the kernel buffers.
      fill = () => void reply.raw.write(`:${'x'.repeat(20_000_000)}\n\n`)
    })
    const { port } = await serve(shop, { app })
    const client = connect(port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    let text = ''
    client.on('data', (bytes: Buffer) => (text += bytes.toString()))
    client.write('GET /orders/order-1/events HTTP/1.1\r\nhost: a\r\n\r\n')
    await expect.poll(() => text.includes('waiting')).toBe(true)
    client.pause()
    fill()
    await shop.clock.advance(3_600_000)
    await shop.pay({ rawAmount: '1', txHash: 'tx-1' })
    await shop.clock.advance(3_600_000)
    await shop.pay({ txHash: 'tx-2' })
    client.resume()
    await expect.poll(() => text.includes('data: {"status":"paid"}')).toBe(true)
    // Two hours have 480 beats.
    expect(text.split(':\n\n').length).toBeLessThan(20)
  })

  it('S52 ends open streams when the app is closed, before Payments', async () => {
    const shop = createShop()
    const { app, url } = await serve(shop)
    const open = [1, 2, 3].map((number) => openStatusStream(`${url}/orders/order-${number}/events`))
    const streams = await Promise.all(open)
    await expect.poll(() => streams.every(({ statuses }) => statuses.length === 1)).toBe(true)
    await app.close()
    await expect.poll(() => streams.every(({ isEnded }) => isEnded)).toBe(true)
    expect(shop.payments.state()).toBe('started')
  })

  it('ends open streams when Payments is closed', async () => {
    const shop = createShop()
    const { url } = await serve(shop)
    const stream = await openStatusStream(`${url}/orders/order-1/events`)
    await expect.poll(() => stream.statuses).toEqual(['waiting'])
    await shop.payments.close()
    await expect.poll(() => stream.isEnded).toBe(true)
  })
})
