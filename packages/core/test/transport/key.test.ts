import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import type { RateLimiter } from '../../src/transport/limiter.js'
import type { Fetch } from '../../src/transport/options.js'
import { API_KEY, createLine, readCall } from './calls.js'
import { sayJson, startFaultServer } from './fault-server.js'
import { findKey, see, takeSeen } from './key-scan.js'

const baseUrl = 'http://127.0.0.1:9'

/** What a caller and the hooks get to see of a call that fails. */
async function failWith(options: { fetch?: Fetch; limiter?: RateLimiter; baseUrl?: string }) {
  const { transport } = createLine({ baseUrl, retry: { maxAttempts: 2 }, ...options })
  await transport.request(readCall()).then(
    () => expect.fail('an error was expected'),
    (error: unknown) => see(error),
  )
  return takeSeen()
}

it.each([
  ['a message', new Error(`no ${API_KEY}`)],
  ['a hidden property', Object.defineProperty(new Error('x'), 'key', { value: API_KEY })],
  ['a cause', new Error('x', { cause: { headers: [API_KEY] } })],
  ['an event', { endpoint: 'x', error: Object.assign(new Error('x'), { config: API_KEY }) }],
])('finds the key in %s: the search of these tests works', (_, value) => {
  expect(findKey(value, API_KEY)).not.toEqual([])
})

it('is not in the transport', () => {
  const { transport } = createLine({ baseUrl })
  const text = inspect([transport, transport.sticky()], { depth: null, showHidden: true })
  expect(text).not.toContain(API_KEY)
})

it('is not in what comes of a fetch that hangs its request on its errors', async () => {
  let sent: unknown
  const fetch: Fetch = (url, init) => {
    sent = init.headers
    const error = new TypeError(`Request ${url} with ${JSON.stringify(init.headers)} failed`)
    const cause = Object.assign(new Error(API_KEY), { code: `E${API_KEY}`, headers: init.headers })
    return Promise.reject(Object.assign(error, { config: init, request: { init }, cause }))
  }
  const seen = await failWith({ fetch })
  expect(sent).toMatchObject({ 'x-api-key': API_KEY })
  expect(seen.length).toBeGreaterThan(3)
  for (const value of seen) expect(findKey(value, API_KEY)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ code: 'ERR_TONPLUG_NETWORK', cause: { name: 'TypeError' } })
})

it('is not in what comes of a limiter that fails', async () => {
  const fail = () => Promise.reject(new Error(`EVALSHA ${API_KEY}`))
  const seen = await failWith({ limiter: { acquire: fail, pause: fail } })
  for (const value of seen) expect(findKey(value, API_KEY)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ code: 'ERR_TONPLUG_LIMITER', retryable: true, attempts: 0 })
})

it('is not in the error when the server spells it with escapes', async () => {
  const escaped = API_KEY.replace(/./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`)
  const text = JSON.stringify({ ok: false, error: 'ESCAPED' }).replace('ESCAPED', escaped)
  const server = await startFaultServer((_, response) => response.writeHead(500).end(text))
  const seen = await failWith({ baseUrl: server.url })
  for (const value of seen) expect(findKey(value, API_KEY)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ details: { excerpt: expect.stringContaining('[API key]') } })
})

it('goes to the server in its header only', async () => {
  const server = await startFaultServer(sayJson(200, { ok: true }))
  const { transport } = createLine({ baseUrl: server.url })
  await transport.request(readCall({ method: 'POST', body: { seqno: 1 } }))
  expect(server.arrivals).toMatchObject([
    { apiKey: API_KEY, url: '/api/v2/getMasterchainInfo', body: '{"seqno":1}' },
  ])
})
