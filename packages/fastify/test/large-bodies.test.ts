import { setImmediate } from 'node:timers/promises'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { chunked, exchange, openConnection, requestText } from '@tonplug/test-support/raw-socket'
import { describe, expect, it } from 'vitest'
import { tonplugFastify } from '../src/plugin.js'
import { fastifyVersions, type CreateApp } from './support/fastify-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, PATH, SECRET } from './support/shop.js'

const LIMIT = 65_536

/** Returns a signed valid delivery of the given size in bytes. */
function delivery(length: number): { body: string; headers: Record<string, string> } {
  return signPayload(JSON.stringify(transferCompleted()).padEnd(length), SECRET)
}

async function serve(createApp: CreateApp) {
  const app = createApp()
  await app.register(tonplugFastify, { path: PATH, receiver: createShop().receiver })
  return listen(app)
}

describe.each(fastifyVersions)('bodies near the limit, in %s', (_version, createApp) => {
  const lengths = [
    { length: LIMIT, status: 200 },
    { length: LIMIT + 1, status: 413 },
    { length: 900_000, status: 413 },
    { length: 2_000_000, status: 413 },
  ]

  it.each(lengths)('S18 get status $status with $length bytes', async ({ length, status }) => {
    const { url, port } = await serve(createApp)
    const { body, headers } = delivery(length)
    const inChunks = { ...headers, 'transfer-encoding': 'chunked' }
    const requests = [
      requestText(PATH, { headers, body }),
      requestText(PATH, { headers: inChunks, body: chunked(body, 4096) }),
    ]
    for (const request of requests) {
      expect(await exchange(port, request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    }
    expect((await deliver(url)).status).toBe(200)
  })

  it('reads an unsigned body, so that its connection can be used again', async () => {
    const { port } = await serve(createApp)
    const unsigned = requestText(PATH, { body: 'x'.repeat(60_000), isLast: false })
    const received = await exchange(port, unsigned + requestText(PATH, delivery(1000)))
    expect(received.match(/HTTP\/1.1 \d{3}/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  it('S18 responds to a sender that never stops, and disconnects it', async () => {
    const { url, port } = await serve(createApp)
    const connection = await openConnection(port)
    let sent = 0
    const headers = { 'transfer-encoding': 'chunked' }
    connection.write(requestText(PATH, { headers }))
    while (!connection.socket.destroyed && sent < 50_000_000) {
      connection.write(`10000\r\n${'x'.repeat(65_536)}\r\n`)
      sent += 65_536
      await setImmediate()
    }
    expect(sent).toBeLessThan(50_000_000)
    expect((await deliver(url)).status).toBe(200)
  })
})
