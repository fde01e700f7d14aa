import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import type { ListeningServer } from './support/listen.js'
import { chunked, exchange, openConnection, requestText } from '@tonplug/test-support/raw-socket'
import { createShop, deliver, deliveries, SECRET } from './support/shop.js'

const LIMIT = 65_536

/** Returns a signed valid delivery of the given size in bytes. */
function delivery(length: number): { body: string; headers: Record<string, string> } {
  const text = JSON.stringify(transferCompleted())
  return signPayload(text + ' '.repeat(length - text.length), SECRET)
}

describe.each(expressVersions)('bodies near the limit, %s', (_version, express) => {
  const createApp = (shop: ReturnType<typeof createShop>) =>
    express().post('/', tonplugWebhook(shop.receiver))

  async function expectServerAlive(server: ListeningServer): Promise<void> {
    await server.allClosed()
    expect(await deliver(server.url, deliveries.valid)).toMatchObject({ status: 200 })
  }

  const lengths = [
    { length: LIMIT, status: 200 },
    { length: LIMIT + 1, status: 413 },
    { length: 66_560, status: 413 },
    { length: 2_000_000, status: 413 },
  ]

  it.each(lengths)('S18 get status $status with $length bytes and content-length', async (row) => {
    const shop = createShop()
    const server = await listen(createApp(shop))
    const received = await exchange(server.port, requestText('/', delivery(row.length)))
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${row.status} .*\r\n`))
    expect(await shop.orderStatus()).toBe(row.status === 200 ? 'completed' : 'pending')
    await expectServerAlive(server)
  })

  it.each(lengths)('S18 get status $status with $length bytes in chunks', async (row) => {
    const shop = createShop()
    const server = await listen(createApp(shop))
    const { body, headers } = delivery(row.length)
    const received = await exchange(
      server.port,
      requestText('/', {
        headers: { ...headers, 'transfer-encoding': 'chunked' },
        body: chunked(body, 4096),
      }),
    )
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${row.status} .*\r\n`))
    expect(await shop.orderStatus()).toBe(row.status === 200 ? 'completed' : 'pending')
    await expectServerAlive(server)
  })

  it('S18 a sender that never stops gets a response and is disconnected', async () => {
    const server = await listen(createApp(createShop()))
    const connection = await openConnection(server.port)
    const { headers } = deliveries.valid
    connection.write(
      requestText('/', { headers: { ...headers, 'transfer-encoding': 'chunked' }, isLast: false }),
    )
    const chunk = chunked('x'.repeat(16_384), 16_384).replace('0\r\n\r\n', '')
    const pour = (): void => {
      while (!connection.socket.destroyed && connection.socket.write(chunk));
    }
    connection.socket.on('drain', pour)
    pour()
    expect(await connection.received()).toMatch(/^HTTP\/1.1 413 .*\r\n/)
    await server.allClosed()
    expect(server.bytesRead()).toBeLessThan(2_000_000)
    await expectServerAlive(server)
  })

  it('S18 a sender that announces too many bytes and stops gets a response and is disconnected', async () => {
    const server = await listen(createApp(createShop()))
    const connection = await openConnection(server.port)
    const { headers } = deliveries.valid
    connection.write(
      requestText('/', {
        headers: { ...headers, 'content-length': '1000000000' },
        body: 'x'.repeat(LIMIT + 1),
        isLast: false,
      }),
    )
    expect(await connection.received()).toMatch(/^HTTP\/1.1 413 .*\r\n(?:.*\r\n)*connection: close/)
    await expectServerAlive(server)
  })
})

describe.each(expressVersions)('bodies that are rejected unread, %s', (_version, express) => {
  it.each([
    ['gzip', { 'content-encoding': 'gzip' }, 415],
    ['gzip with a signature', { ...deliveries.valid.headers, 'content-encoding': 'gzip' }, 415],
    ['no signature', {}, 401],
  ])('S3 S19 close the connection: %s', async (_name, headers, status) => {
    const shop = createShop()
    const app = express().post('/', tonplugWebhook(shop.receiver))
    const server = await listen(app)
    const connection = await openConnection(server.port)
    const head = requestText('/', { headers: { ...headers, 'content-length': '20000' } })
    // Headers and body are sent separately, so that the response is sent while the body arrives.
    connection.write(head)
    if (status === 415) await connection.receivedText('{"ok":false}')
    connection.write('x'.repeat(20_000))
    expect(await connection.received()).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\n`))
    // A connection that is closed too early is reset, and many senders then never receive the response.
    expect(connection.errors).toEqual([])
    await server.allClosed()
    expect(await deliver(server.url, deliveries.valid)).toMatchObject({ status: 200 })
  })

  it('S23 another method with a body that never ends gets 405 and is disconnected', async () => {
    const { receiver } = createShop()
    const server = await listen(express().use('/', tonplugWebhook(receiver)))
    const connection = await openConnection(server.port)
    const headers = { 'content-length': '1000000' }
    connection.write(requestText('/', { method: 'PUT', headers, body: 'x', isLast: false }))
    expect(await connection.received()).toMatch(/^HTTP\/1.1 405 .*\r\n/)
    await server.allClosed()
  })

  it('S12 a rejected request leaves its connection usable for the next one', async () => {
    const { receiver } = createShop()
    const { port } = await listen(express().post('/', tonplugWebhook(receiver)))
    const unsigned = requestText('/', { body: '{"a":1}', isLast: false })
    const received = await exchange(port, unsigned + requestText('/', deliveries.valid))
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })
})
