import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createStream } from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { brief, collect, TRANSPORTS } from './open-stream.js'

const ADDRESS = `0:${'A'.repeat(64)}`
const SUBSCRIPTION = { types: ['account_state_change'], addresses: [ADDRESS] } as const
const EVENT = JSON.stringify({
  type: 'account_state_change',
  finality: 'finalized',
  account: ADDRESS,
  state: { hash: `${'A'.repeat(43)}=`, balance: '7' },
})

/**
 * Starts a server that acknowledges a subscription and sends an event in the same write, or never responds.
 * @returns it with the requests and upgrades so far.
 */
async function startServer({ isSilent = false } = {}) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    if (isSilent) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: connected\ndata: {}\n\nevent: event\ndata: ${EVENT}\n\n`)
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    requests.push(request)
    // Notices when the client closes it.
    if (isSilent) return void socket.on('end', () => socket.end()).resume()
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('message', (data: Buffer) => {
        const { id } = JSON.parse(data.toString()) as { id: string }
        socket.cork()
        webSocket.send(JSON.stringify({ id, status: 'subscribed' }))
        webSocket.send(EVENT)
        socket.uncork()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const { socket } of requests) socket.destroy()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { requests, origin }
}

type Options = NonNullable<Parameters<typeof createStream>[0]>

function openStream(options: Options) {
  const clock = createFakeClock()
  const logger = createTestLogger()
  const stream = createStream({ WebSocket, clock, logger, random: () => 0, ...options })
  onTestFinished(() => stream.close())
  return { stream, clock, logger }
}

describe.each(TRANSPORTS)('a stream by %s', (transport) => {
  it('ends the attempt and its timer when the last loop is left while it connects', async () => {
    const { origin, requests } = await startServer({ isSilent: true })
    const { stream, clock, logger } = openStream({ baseUrl: origin, transport })
    const controller = new AbortController()
    const { signal } = controller
    const loop = stream.subscribe({ ...SUBSCRIPTION, signal })[Symbol.asyncIterator]()
    const next = loop.next()
    next.catch(() => undefined)
    await expect.poll(() => requests.length).toBe(1)
    expect(stream.health().state).toBe('connecting')
    controller.abort(new Error('left'))
    await expect(next).rejects.toThrow('left')
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true)
    await expect.poll(() => stream.health()).toMatchObject({ status: 'up', state: 'idle' })
    expect(clock.pendingTimers()).toEqual([])
    expect(logger.lines).toEqual([])
  })

  it('connects again for a loop that begins after another one was left while it connected', async () => {
    const { origin, requests } = await startServer({ isSilent: true })
    const { stream, clock } = openStream({ baseUrl: origin, transport })
    const controller = new AbortController()
    const { signal } = controller
    const left = stream
      .subscribe({ ...SUBSCRIPTION, signal })
      [Symbol.asyncIterator]()
      .next()
    left.catch(() => undefined)
    await expect.poll(() => requests.length).toBe(1)
    controller.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    collect(stream, SUBSCRIPTION)
    await expect.poll(() => requests.length).toBe(2)
    expect(stream.health().state).toBe('connecting')
    stream.close()
    await expect.poll(() => clock.pendingTimers()).toEqual([])
  })

  it('opens no connection for a loop whose signal was aborted before', async () => {
    const { origin, requests } = await startServer()
    const { stream, clock } = openStream({ baseUrl: origin, transport })
    const signal = AbortSignal.abort(new Error('never'))
    const loop = stream.subscribe({ ...SUBSCRIPTION, signal })[Symbol.asyncIterator]()
    await expect(loop.next()).rejects.toThrow('never')
    const later = collect(openStream({ baseUrl: origin, transport }).stream, SUBSCRIPTION)
    await expect.poll(() => brief(later)).toContain('connected')
    expect(requests).toHaveLength(1)
    expect(stream.health()).toMatchObject({ state: 'idle', connections: 0 })
    expect(clock.pendingTimers()).toEqual([])
  })

  it('delivers `connected` before events that arrive together with the acknowledgement', async () => {
    const { origin } = await startServer()
    const { stream } = openStream({ baseUrl: origin, transport })
    const events = collect(stream, SUBSCRIPTION)
    await expect.poll(() => brief(events)).toEqual(['connected', 'finalized account_state_change'])
  })

  it.each(['/streaming/v2', '/streaming/v2/', '/streaming/v2/sse', '/streaming/v2/ws'])(
    'uses another server of the protocol at %s, with a Bearer token',
    async (path) => {
      const { origin, requests } = await startServer()
      const { stream } = openStream({ url: origin + path, bearerToken: 'a/token', transport })
      const events = collect(stream, SUBSCRIPTION)
      await expect.poll(() => brief(events)).toContain('connected')
      const isSse = transport === 'sse'
      expect(requests[0]?.url).toBe(
        isSse ? '/streaming/v2/sse' : '/streaming/v2/ws?token=a%2Ftoken',
      )
      expect(requests[0]?.headers.authorization).toBe(isSse ? 'Bearer a/token' : undefined)
      expect(requests[0]?.headers['x-api-key']).toBeUndefined()
    },
  )
})

describe('the options of a stream with another address', () => {
  it.each<[options: object, option: string, message: string]>([
    [{ url: 'tonapi.io' }, 'url', 'must be an http(s) or ws(s) URL'],
    [{ url: 'ftp://tonapi.io' }, 'url', 'must be an http(s) or ws(s) URL'],
    [{ url: 7 }, 'url', 'must be an http(s) or ws(s) URL'],
    [{ url: 'https://tonapi.io/?token=secret' }, 'url', 'must have no credentials, query'],
    [{ url: 'https://me:secret@tonapi.io' }, 'url', 'must have no credentials, query'],
    [{ url: 'https://tonapi.io', network: 'mainnet' }, 'url', 'cannot be combined'],
    [{ url: 'https://tonapi.io', baseUrl: 'https://a.example' }, 'url', 'cannot be combined'],
    [{ bearerToken: 'one', apiKey: 'two' }, 'bearerToken', 'cannot be combined with apiKey'],
    [{ bearerToken: 'line\nsecret' }, 'bearerToken', 'must be a valid header'],
  ])('rejects %j', (options, option, message) => {
    expect(() => createStream(options)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), details: { option } }),
    )
    expect(() => createStream(options)).not.toThrow('secret')
  })

  it('does not show the token in errors', async () => {
    const bearerToken = 'a-secret-token'
    const fetch = (): Promise<never> => Promise.reject(new Error(`no ${bearerToken}`))
    const { stream, logger } = openStream({ url: 'http://127.0.0.1:9', bearerToken, fetch })
    collect(stream, SUBSCRIPTION)
    await expect.poll(() => stream.health().error).toBeDefined()
    expect(JSON.stringify([stream.health(), logger.lines])).not.toContain(bearerToken)
  })
})
