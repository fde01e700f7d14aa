import { request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { createMockGateway } from '@tonplug/testing'
import { createChainSimulator } from '@tonplug/simulator'
import { beforeAll, describe, expect, it, onTestFinished, afterAll } from 'vitest'
import { WebSocket } from 'ws'

type Headers = Record<string, string>

const chain = await createChainSimulator()
const gateway = createMockGateway({ url: 'http://127.0.0.1:9', secret: 'secret-of-a-test' })
let gatewayUrl = ''
beforeAll(async () => {
  gatewayUrl = await gateway.listen()
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
})

/** Sends a request with any headers, which `fetch` does not allow. */
async function statusOf(url: string, headers: Headers, method = 'GET', body = '') {
  const sent = httpRequest(url, { method, headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

async function upgradeStatus(url: string, headers: Headers): Promise<number | undefined> {
  const socket = new WebSocket(url, { headers })
  onTestFinished(() => socket.terminate())
  socket.on('error', () => undefined)
  return new Promise((resolve) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
  })
}

const portOf = (url: string): string => new URL(url).port

const FOREIGN: [title: string, headers: (port: string) => Headers][] = [
  ['a name that the site controls', (port) => ({ host: `evil.example:${port}` })],
  ['a name that begins like ours', (port) => ({ host: `127.0.0.1.evil.example:${port}` })],
  ['a name that ends like ours', (port) => ({ host: `evil-localhost:${port}` })],
  ['another port', () => ({ host: 'localhost:1' })],
  ['no port', () => ({ host: 'localhost' })],
  ['another address of the machine', (port) => ({ host: `0.0.0.0:${port}` })],
  ['a user before the host', (port) => ({ host: `localhost:${port}@evil.example` })],
  ['another origin', () => ({ origin: 'https://evil.example' })],
  ['the origin null', () => ({ origin: 'null' })],
  ['an empty origin', () => ({ origin: '' })],
  ['an origin with another port', () => ({ origin: 'http://localhost:1' })],
  ['an origin with HTTPS', (port) => ({ origin: `https://localhost:${port}` })],
  [
    'an origin that begins like ours',
    (port) => ({ origin: `http://localhost:${port}.evil.example` }),
  ],
  ['a page of another site, without an origin', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['a page of another port, without an origin', () => ({ 'sec-fetch-site': 'same-site' })],
]

const OWN: [title: string, headers: (port: string) => Headers][] = [
  ['another program', () => ({})],
  ['localhost', (port) => ({ host: `localhost:${port}` })],
  ['localhost in upper case', (port) => ({ host: `LOCALHOST:${port}` })],
  ['localhost with a dot', (port) => ({ host: `localhost.:${port}` })],
  ['IPv6', (port) => ({ host: `[::1]:${port}` })],
  ['its own origin', (port) => ({ origin: `http://127.0.0.1:${port}` })],
  ['its own origin in upper case', (port) => ({ origin: `HTTP://LOCALHOST:${port}` })],
  ['its own page', () => ({ 'sec-fetch-site': 'same-origin' })],
  ['the address bar', () => ({ 'sec-fetch-site': 'none' })],
]

const SUBSCRIBE = JSON.stringify({ types: ['transactions'], addresses: [`0:${'A'.repeat(64)}`] })

describe.each([
  ['chain', () => chain.url, '/api/v3/masterchainInfo', 'GET', ''],
  ['v2 of the chain', () => chain.url, '/api/v2/jsonRPC', 'POST', '{}'],
  ['stream of the chain', () => chain.url, '/api/streaming/v2/sse', 'POST', SUBSCRIBE],
  ['gateway', () => gatewayUrl, '/mock-gateway/transfers', 'POST', '{}'],
  ['merchant API of the gateway', () => gatewayUrl, '/api/merchant/v1/transfer', 'GET', ''],
] as const)('the %s', (_, url, path, method, body) => {
  it.each(FOREIGN)('responds with 403 to a request with %s', async (_title, headers) => {
    expect(await statusOf(url() + path, headers(portOf(url())), method, body)).toBe(403)
  })

  if (path.endsWith('/sse')) return
  it.each(OWN)('responds to a request of %s', async (_title, headers) => {
    const status = await statusOf(url() + path, headers(portOf(url())), method, body)
    expect(status).not.toBe(403)
  })
})

describe('the WebSocket of the chain', () => {
  const path = '/api/streaming/v2/ws'
  it.each(FOREIGN)('responds with 403 to a request with %s', async (_title, headers) => {
    expect(await upgradeStatus(chain.url + path, headers(portOf(chain.url)))).toBe(403)
  })

  it.each(OWN)('responds to a request of %s', async (_title, headers) => {
    expect(await upgradeStatus(chain.url + path, headers(portOf(chain.url)))).toBe(101)
  })
})

it('rejects a body of more than 1 MiB', async () => {
  const body = '['.repeat(1_048_577)
  expect(await statusOf(`${chain.url}/api/v2/jsonRPC`, {}, 'POST', body)).toBe(413)
  expect(await statusOf(`${chain.url}/api/streaming/v2/sse`, {}, 'POST', body)).toBe(400)
})
