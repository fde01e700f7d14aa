import { createFakeClock, type FakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { openConnection, requestText } from '@tonplug/test-support/raw-socket'
import { createShop, deliver, deliveries } from './support/shop.js'
import type { Shop } from './support/shop.js'

const { body, headers } = deliveries.valid
const head = requestText('/', {
  headers: { ...headers, 'content-length': String(body.length) },
  isLast: false,
})

/** Returns the timers of deadlines. Requests that arrive together share one. */
function deadlines(clock: FakeClock) {
  return clock.pendingTimers().filter(({ delayMs }) => delayMs === 8000)
}

describe.each(expressVersions)('slow senders, %s', (_version, express) => {
  const createApp = (shop: Shop) => express().post('/', tonplugWebhook(shop.receiver))

  it('S20 rejects a body at one byte per second at the deadline', async () => {
    const clock = createFakeClock()
    const shop = createShop({ payments: { clock } })
    const server = await listen(createApp(shop))
    const connection = await openConnection(server.port)
    connection.write(head)
    await clock.waitForTimer(({ delayMs }) => delayMs === 8000)
    for (let second = 0; second < 7; second++) {
      connection.write(body.charAt(second))
      await clock.advance(1000)
    }
    expect(connection.socket.destroyed).toBe(false)
    await clock.advance(1000)
    expect(await connection.received()).toMatch(/^HTTP\/1.1 408 .*\r\n(?:.*\r\n)*connection: close/)
    await server.allClosed()
    expect(deadlines(clock)).toEqual([])
    expect(await shop.orderStatus()).toBe('pending')
    expect(await deliver(server.url, deliveries.valid)).toMatchObject({ status: 200 })
  })

  it('S20 accepts a slow body that is complete in time', async () => {
    const clock = createFakeClock()
    const shop = createShop({ payments: { clock } })
    const server = await listen(createApp(shop))
    const connection = await openConnection(server.port)
    connection.write(head)
    await clock.waitForTimer(({ delayMs }) => delayMs === 8000)
    for (const byte of body.slice(0, 79)) {
      connection.write(byte)
      await clock.advance(100)
    }
    connection.write(body.slice(79))
    await connection.receivedText('{"ok":true}')
    expect(await shop.orderStatus()).toBe('completed')
  })

  it('S20 ends the request of a sender that disconnects in the middle of its body', async () => {
    const clock = createFakeClock()
    const shop = createShop({ payments: { clock } })
    const server = await listen(createApp(shop))
    const connection = await openConnection(server.port)
    connection.write(head + body.slice(0, 100))
    await clock.waitForTimer(({ delayMs }) => delayMs === 8000)
    connection.socket.destroy()
    await server.allClosed()
    expect(await shop.orderStatus()).toBe('pending')
    expect(await deliver(server.url, deliveries.valid)).toMatchObject({ status: 200 })
    // Waits for running requests; the clock stands still.
    await shop.receiver.close()
    expect(deadlines(clock).length).toBeLessThanOrEqual(1)
  })
})

describe.each(expressVersions)(
  'a sender that disconnects before the body is read, %s',
  (_version, express) => {
    it('S20 does not block the receiver', async () => {
      const clock = createFakeClock()
      const shop = createShop({ payments: { clock } })
      const app = express()
        .use((request, _response, next) => {
          if (request.query['wait'] === undefined) next()
          else request.once('close', () => setImmediate(next))
        })
        .post('/', tonplugWebhook(shop.receiver))
      const server = await listen(app)
      const connection = await openConnection(server.port)
      connection.write(head.replace('/ ', '/?wait=1 '))
      await new Promise((resolve) => server.server.once('request', resolve))
      connection.socket.destroy()
      await server.allClosed()
      expect(await deliver(server.url, deliveries.valid)).toMatchObject({ status: 200 })
      await shop.receiver.close()
      expect(deadlines(clock).length).toBeLessThanOrEqual(1)
    })
  },
)
