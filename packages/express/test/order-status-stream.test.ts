import { once } from 'node:events'
import { createServer, request as startRequest } from 'node:http'
import type { ClientRequest, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { createPayments, memoryInbox, memoryOrderRepository } from '@tonplug/core'
import type { Order, Payments } from '@tonplug/core'
import { createFakeClock, createTestLogger, transferCompleted } from '@tonplug/testing'
import type { FakeClock } from '@tonplug/testing'
import { openStatusStream } from '@tonplug/test-support/status-stream'
import compression from 'compression'
import type { ErrorRequestHandler, Request } from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { orderStatusStream } from '../src/order-status-stream.js'
import { collectCrashes } from './support/collect-crashes.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'

const ORDER: Order = {
  reference: 'order-1',
  rawAmount: 10_500_000_000n,
  asset: 'TON',
  status: 'pending',
}
const PATH = '/orders/:reference/events'

function createShop(orders: readonly Order[] = [ORDER]) {
  const clock = createFakeClock()
  const repository = memoryOrderRepository(orders)
  const payments = createPayments({
    orders: repository,
    inbox: memoryInbox({ clock }),
    clock,
    logger: createTestLogger(),
  })
  onTestFinished(() => payments.close())
  const pay = (changes: Parameters<typeof transferCompleted>[0] = {}, merchant = '') => {
    const { data } = transferCompleted(changes)
    const report = { rawBody: JSON.stringify(transferCompleted(changes)), transfer: data }
    return payments.submit({ source: 'chain', merchant, ...report })
  }
  return { payments, clock, pay, orders: repository }
}

/** Returns a request for a stream. */
function getEvents(reference: string): string {
  return `GET /orders/${reference}/events HTTP/1.1\r\nhost: a\r\n\r\n`
}

/** Moves the clock while a condition does not hold. */
async function advanceUntil(clock: FakeClock, isDone: () => boolean): Promise<void> {
  await expect
    .poll(async () => {
      await clock.advance(100)
      return isDone()
    })
    .toBe(true)
}

describe.each(expressVersions)('orderStatusStream, %s', (_version, express) => {
  const serve = (payments: Payments) => listen(express().get(PATH, orderStatusStream(payments)))

  it('sends the current status, each change, and the end', async () => {
    const { payments, pay } = createShop()
    const { url } = await serve(payments)
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
    await pay({ rawAmount: '1', txHash: 'tx-1' })
    await expect.poll(() => stream.statuses).toEqual(['waiting', 'partially_paid'])
    await pay({ txHash: 'tx-2' })
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

  it('sends the current status to each reconnection, and 204 after paid', async () => {
    const { payments, pay } = createShop()
    const { url } = await serve(payments)
    const events = `${url}/orders/order-1/events`
    const first = await openStatusStream(events)
    await expect.poll(() => first.statuses).toEqual(['waiting'])
    first.abort()
    await pay()
    const second = await openStatusStream(events)
    await expect.poll(() => second.isEnded).toBe(true)
    expect(second.statuses).toEqual(['paid'])
    const third = await fetch(events, { headers: { 'last-event-id': 'paid' } })
    expect([third.status, await third.text()]).toEqual([204, ''])
  })

  it('sends events at once behind compression', async () => {
    const { payments, pay } = createShop()
    const app = express()
      .use(compression({ threshold: 0 }))
      .get(PATH, orderStatusStream(payments))
    const { url } = await listen(app)
    const stream = await openStatusStream(`${url}/orders/order-1/events`, {
      headers: { 'accept-encoding': 'gzip, br' },
    })
    await expect.poll(() => stream.statuses).toEqual(['waiting'])
    expect(stream.response.headers.get('content-encoding')).toBeNull()
    await pay()
    await expect.poll(() => stream.isEnded).toBe(true)
  })

  it('responds to HEAD with the headers', async () => {
    const { payments, clock } = createShop()
    const { url } = await serve(payments)
    const idle = clock.pendingTimers().length
    const response = await fetch(`${url}/orders/order-1/events`, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream',
    ])
    expect(clock.pendingTimers()).toHaveLength(idle)
  })

  it('sends waiting for an unknown order, whatever its reference is', async () => {
    const { payments } = createShop()
    const { url } = await serve(payments)
    for (const reference of ['order-2', '%00', '%F0%9F%92%8E', 'a'.repeat(5000)]) {
      const stream = await openStatusStream(`${url}/orders/${reference}/events`)
      await expect.poll(() => stream.statuses).toEqual(['waiting'])
    }
  })

  it('S66 sends the status of the order that the option key names', async () => {
    const orders = ['shop-a', 'shop-b'].map((merchant) => ({ ...ORDER, merchant }))
    const { payments, pay } = createShop(orders)
    const key = ({ params }: Request<{ shop: string; id: string }>) => ({
      merchant: params.shop,
      reference: params.id,
    })
    const app = express().get('/:shop/:id', orderStatusStream(payments, { key }))
    const { url } = await listen(app)
    const [one, other] = await Promise.all(
      ['shop-a', 'shop-b'].map((shop) => openStatusStream(`${url}/${shop}/order-1`)),
    )
    await pay({}, 'shop-a')
    await expect.poll(() => one?.statuses.at(-1)).toBe('paid')
    await expect.poll(() => other?.statuses).toEqual(['waiting'])
  })

  it('waits for a key that is a promise, and passes its error to the error handler', async () => {
    const { payments } = createShop()
    const key = async ({ params }: Request<{ id: string }>) => {
      if (params.id === 'secret') throw new Error('not yours')
      return params.id
    }
    const app = express().get('/:id', orderStatusStream(payments, { key }))
    const sendMessage: ErrorRequestHandler = (error: Error, _request, response, _next) =>
      void response.status(403).end(error.message)
    const { url } = await listen(app.use(sendMessage))
    const stream = await openStatusStream(`${url}/order-1`)
    await expect.poll(() => stream.statuses).toEqual(['waiting'])
    const rejected = await fetch(`${url}/secret`)
    expect([rejected.status, await rejected.text()]).toEqual([403, 'not yours'])
  })

  it('passes a route without the reference to the error handler', async () => {
    const { payments } = createShop()
    const app = express().get('/orders/:id/events', orderStatusStream(payments))
    const sendMessage: ErrorRequestHandler = (error: Error, _request, response, _next) =>
      void response.end(error.message)
    app.use(sendMessage)
    const { url } = await listen(app)
    const response = await fetch(`${url}/orders/1/events`)
    expect(await response.text()).toContain('needs a route with :reference')
  })

  it('ends reads and timers when clients leave, also before the first event', async () => {
    const crashes = collectCrashes()
    const { payments, clock } = createShop()
    const listening = await serve(payments)
    const { url } = listening
    await clock.advance(0)
    const idle = clock.pendingTimers().length
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        openStatusStream(`${url}/orders/order-${index}/events`),
      ),
    )
    // One timer for the heartbeats of all streams.
    expect(clock.pendingTimers()).toHaveLength(idle + 1)
    for (const stream of streams) stream.abort()
    const early: ClientRequest = startRequest(`${url}/orders/order-1/events`).on('error', () => {})
    early.end()
    await once(early, 'socket')
    early.destroy()
    await listening.allClosed()
    await expect.poll(() => clock.pendingTimers().length).toBe(idle)
    expect(crashes).toEqual([])
  })

  it('sends comments while nothing happens', async () => {
    const { payments, clock } = createShop()
    const { url } = await serve(payments)
    const stream = await openStatusStream(`${url}/orders/order-1/events`)
    await expect.poll(() => stream.statuses).toEqual(['waiting'])
    await clock.advance(30_000)
    await expect.poll(() => stream.text.endsWith('"}\n\n:\n\n:\n\n')).toBe(true)
  })

  it('buffers nothing for a client that does not read, and sends it the last status later', async () => {
    const { payments, clock, pay } = createShop()
    let response: ServerResponse | undefined
    const app = express().use((_request, opened, next) => {
      response = opened
      next()
    })
    const { port } = await listen(app.get(PATH, orderStatusStream(payments)))
    const client = connect(port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    let text = ''
    client.on('data', (bytes: Buffer) => (text += bytes.toString()))
    client.write(getEvents('order-1'))
    await expect.poll(() => text.includes('waiting')).toBe(true)
    client.pause()
    // More than the kernel buffers.
    response?.write(`:${'x'.repeat(20_000_000)}\n\n`)
    const buffered = response?.writableLength
    await clock.advance(60_000)
    await pay({ rawAmount: '1', txHash: 'tx-1' })
    await clock.advance(60_000)
    // One status is written before the client is known to be slow.
    expect(response?.writableLength).toBeLessThan((buffered ?? 0) + 200)
    await pay({ txHash: 'tx-2' })
    client.resume()
    await expect.poll(() => text.includes('data: {"status":"paid"}')).toBe(true)
  })

  it('begins no stream that waits behind another one of its connection', async () => {
    const crashes = collectCrashes()
    const { payments, clock } = createShop()
    const begun: unknown[] = []
    const watchStatus: Payments['watchStatus'] = (key, options) => {
      begun.push(key)
      return payments.watchStatus(key, options)
    }
    const listening = await serve({ ...payments, watchStatus })
    await clock.advance(0)
    const idle = clock.pendingTimers().length
    const client = connect(listening.port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    let text = ''
    client.on('data', (bytes: Buffer) => (text += bytes.toString()))
    const requests = Array.from({ length: 500 }, (_, index) => getEvents(`order-${index}`))
    client.write(requests.join(''))
    await expect.poll(() => text.includes('waiting')).toBe(true)
    await clock.advance(30_000)
    expect(begun).toEqual(['order-0'])
    expect(crashes).toEqual([])
    client.destroy()
    await listening.allClosed()
    await expect.poll(() => clock.pendingTimers().length).toBe(idle)
  })

  it('begins a stream when the earlier response of its connection has ended', async () => {
    const { payments } = createShop()
    let slow: ServerResponse | undefined
    const app = express()
      .get('/slow', (_request, response) => void (slow = response))
      .get(PATH, orderStatusStream(payments))
    const { port } = await listen(app)
    const client = connect(port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    let text = ''
    client.on('data', (bytes: Buffer) => (text += bytes.toString()))
    client.write(`GET /slow HTTP/1.1\r\nhost: a\r\n\r\n${getEvents('order-1')}`)
    await expect.poll(() => slow).toBeDefined()
    expect(text).toBe('')
    slow?.end('slow')
    await expect.poll(() => text).toMatch(/slow.*data: \{"status":"waiting"\}/s)
  })

  it('responds with 503 beyond maxStreams, until a client leaves', async () => {
    const { payments } = createShop()
    const { url } = await listen(
      express().get(PATH, orderStatusStream(payments, { maxStreams: 2 })),
    )
    const events = `${url}/orders/order-1/events`
    const [first] = [await openStatusStream(events), await openStatusStream(events)]
    const third = await fetch(events)
    expect([third.status, third.headers.get('retry-after'), await third.text()]).toEqual([
      503,
      '30',
      '',
    ])
    first.abort()
    await expect.poll(async () => (await openStatusStream(events)).response.status).toBe(200)
  })

  it('S52 ends open streams when Payments is closed, so that the server closes', async () => {
    const { payments } = createShop()
    const server = createServer(express().get(PATH, orderStatusStream(payments)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const events = `http://127.0.0.1:${port}/orders/order-1/events`
    const streams = await Promise.all([1, 2, 3].map(() => openStatusStream(events)))
    await expect.poll(() => streams.every(({ statuses }) => statuses.length === 1)).toBe(true)
    const late = await openStatusStream(events)
    const closed = once(server, 'close')
    server.close()
    await payments.close()
    await closed
    await expect.poll(() => [...streams, late].every(({ isEnded }) => isEnded)).toBe(true)
  })

  it('ends a stream at once that is opened after Payments was closed', async () => {
    const { payments } = createShop()
    const { url } = await serve(payments)
    await payments.close()
    const response = await fetch(`${url}/orders/order-1/events`)
    expect([response.status, await response.text()]).toEqual([200, 'retry: 3000\n\n'])
  })

  it('keeps a stream open while the orders cannot be read', async () => {
    const { clock, orders } = createShop()
    let isDown = true
    const payments = createPayments({
      orders: {
        ...orders,
        find: (key) => (isDown ? Promise.reject(new Error('down')) : orders.find(key)),
      },
      clock,
      logger: createTestLogger(),
    })
    onTestFinished(() => payments.close())
    const { url } = await serve(payments)
    const stream = await openStatusStream(`${url}/orders/order-1/events`)
    await clock.advance(10_000)
    expect([stream.statuses, stream.isEnded]).toEqual([[], false])
    isDown = false
    await advanceUntil(clock, () => stream.statuses.length > 0)
    expect(stream.statuses).toEqual(['waiting'])
  })

  it('leaves a response alone that another middleware has begun', async () => {
    const { payments } = createShop()
    const app = express()
    app.get(PATH, (_request, response, next) => {
      response.end('other')
      next()
    })
    app.get(PATH, orderStatusStream(payments))
    const { url } = await listen(app)
    expect(await (await fetch(`${url}/orders/order-1/events`)).text()).toBe('other')
  })
})

describe('orderStatusStream', () => {
  it.each([undefined, {}, { health: () => undefined }])('rejects %j as Payments', (payments) => {
    expect(() => orderStatusStream(payments as unknown as Payments)).toThrow(
      'payments: must be the result of createPayments()',
    )
  })

  it.each([0, -1, 1.5, NaN, '2', null])('rejects %j as maxStreams', (maxStreams) => {
    const { payments } = createShop()
    const options = { maxStreams } as { maxStreams: number }
    expect(() => orderStatusStream(payments, options)).toThrow(
      'maxStreams: must be a whole number above zero, or Infinity',
    )
  })

  it.each<[unknown, string]>([
    [{ reference: 'id' }, 'orderStatusStream.reference: is not an option here'],
    [
      { maxStream: 5 },
      'orderStatusStream.maxStream: is not an option here; did you mean maxStreams?',
    ],
    [{ key: 'id' }, 'orderStatusStream.key: must be a function'],
    [null, 'orderStatusStream: must be an object with key, maxStreams; received null'],
  ])('rejects the options %j', (options, message) => {
    const { payments } = createShop()
    expect(() => orderStatusStream(payments, options as object)).toThrow(message)
  })
})
