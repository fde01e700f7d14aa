import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createStream } from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { brief, collect } from './open-stream.js'

const CONNECTED = 'event: connected\ndata: {"status":"subscribed"}\n\n'
const LEVELS = 8_000_000
const NESTED = '['.repeat(LEVELS) + ']'.repeat(LEVELS)
const SUBSCRIPTION = { types: ['transactions'], addresses: [`0:${'A'.repeat(64)}`] } as const

/** Starts a server of server-sent events, and a loop over its events. */
async function openSse(serve: (response: ServerResponse) => void | Promise<void>) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    void serve(response)
  })
  return openLoop(server, 'sse')
}

/** Starts a WebSocket server that sends one message after its acknowledgement, and a loop over its events. */
async function openWebSocket(send: (socket: WebSocket) => void) {
  const server = createServer()
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(data.toString()) as { id: string }
      socket.send(JSON.stringify({ id, status: 'subscribed' }))
      send(socket)
    })
  })
  return openLoop(server, 'websocket')
}

async function openLoop(server: ReturnType<typeof createServer>, transport: 'sse' | 'websocket') {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const stream = createStream({
    baseUrl: `http://127.0.0.1:${port}`,
    transport,
    WebSocket,
    clock: createFakeClock(),
    logger: createTestLogger(),
    random: () => 0,
  })
  onTestFinished(() => stream.close())
  return { stream, events: collect(stream, SUBSCRIPTION) }
}

/** Stops when the client closes the connection. */
async function writeInPieces(
  response: ServerResponse,
  text: string,
  length: number,
): Promise<void> {
  const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
  await pipeline(Readable.from(pieces), response, { end: false }).catch(() => undefined)
}

const TOO_LARGE = { code: 'ERR_TONPLUG_RESPONSE_TOO_LARGE', retryable: false }

describe('a stream by server-sent events from a hostile server', () => {
  it.each([
    ['a line', 'data: "'],
    ['a comment', ': '],
    ['an unknown field', 'x-data: '],
  ])('S109 reads %s of 16 MB in pieces of 1 KiB in linear time', async (kind, start) => {
    const startedMs = performance.now()
    const { stream, events } = await openSse(async (response) => {
      response.write(CONNECTED)
      await writeInPieces(response, start + 'x'.repeat(16_000_000), 1024)
      response.end()
    })
    await expect.poll(() => brief(events)).toEqual(['connected', 'disconnected'])
    const isData = kind === 'a line'
    expect(stream.health().error).toMatchObject(
      isData ? TOO_LARGE : { code: 'ERR_TONPLUG_NETWORK' },
    )
    // Half a second; minutes if each piece were joined with all before it.
    expect(performance.now() - startedMs).toBeLessThan(60_000)
  })

  it('S109 closes the connection for an event of many lines', async () => {
    const { stream, events } = await openSse((response) => {
      response.write(CONNECTED + `data: ${'x'.repeat(1000)}\n`.repeat(9000))
    })
    await expect.poll(() => brief(events)).toEqual(['connected', 'disconnected'])
    expect(stream.health().error).toMatchObject(TOO_LARGE)
  })

  it('reads one line in pieces of one byte, and marks and line ends of each kind', async () => {
    const address = SUBSCRIPTION.addresses[0]
    const state = { hash: `${'A'.repeat(43)}=`, balance: '7', account_status: 'active' }
    const type = 'account_state_change'
    const json = JSON.stringify({ type, finality: 'finalized', account: address, state })
    const text = `\uFEFF${CONNECTED}: é\r\rretry: x\r\nevent: event\r\ndata:${json}\r\n\r\n`
    const { events, stream } = await openSse(async (response) => {
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte))
        await setImmediate()
      }
    })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    await expect.poll(() => stream.health()).toMatchObject({ events: 1, unreadable: 0 })
  })

  it('S109 reads many tiny events, and keeps at most one notice that events were missed', async () => {
    const { stream, events } = await openSse((response) => {
      response.write(CONNECTED + 'data:0\n\n'.repeat(200_000))
    })
    await expect.poll(() => stream.health().unreadable).toBe(200_000)
    expect(new Set(brief(events))).toEqual(new Set(['connected', 'missed']))
  })
})

describe('a stream by a WebSocket from a hostile server', () => {
  it('S109 ends with a typed error for a message of 300 MB', async () => {
    const before = process.memoryUsage().rss
    const { stream, events } = await openWebSocket((socket) => {
      const piece = 'x'.repeat(1_000_000)
      const send = (left: number): void =>
        socket.send(piece, { fin: left === 0 }, (error) => {
          if (!error && left > 0) send(left - 1)
        })
      send(299)
    })
    await expect.poll(() => brief(events)).toEqual(['connected', 'disconnected'])
    expect(stream.health().error).toMatchObject(TOO_LARGE)
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })

  it('S109 ends with a typed error for a long message that the implementation has accepted', async () => {
    const { stream, events } = await openWebSocket((socket) => {
      // The limit of `ws` counts bytes.
      socket.send(`"${'x'.repeat(8_388_606)}"`)
      socket.send('{"type":"other"}')
    })
    await expect.poll(() => stream.health().unreadable).toBe(2)
    expect(brief(events)).toContain('missed')
  })
})

describe.each([
  [
    'server-sent events',
    (text: string) => openSse((one) => void one.write(`${CONNECTED}data: ${text}\n\n`)),
  ],
  ['a WebSocket', (text: string) => openWebSocket((socket) => socket.send(text))],
])('a nested event by %s', (_, open) => {
  it('S109 is missed, without memory for its levels', async () => {
    // Shorter than the longest event.
    const { stream, events } = await open(NESTED.slice(LEVELS - 4_000_000, LEVELS + 4_000_000))
    await expect.poll(() => stream.health().unreadable).toBe(1)
    await expect.poll(() => brief(events)).toEqual(['connected', 'missed'])
    expect(stream.health().state).toBe('connected')
  })
})
