import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { LiteserverNotReadyError } from '../../src/errors/api.js'
import type { RateLimiter } from '../../src/transport/limiter.js'
import type { Fetch } from '../../src/transport/options.js'
import { createV2Client } from '../../src/v2/client.js'
import { API_KEY, createLine, readCall } from './calls.js'
import { refuse, say, sayJson, startFaultServer, type Answer } from './fault-server.js'
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

/** The same key, as servers may spell it. */
const SPELLINGS: [string, string][] = [
  ['as it is', API_KEY],
  ['in capitals', API_KEY.toUpperCase()],
  ['percent-encoded', percentEncoded(API_KEY)],
  ['percent-encoded in part', API_KEY.slice(0, 40) + percentEncoded(API_KEY.slice(40))],
  ['with escapes in capitals', escaped(API_KEY.toUpperCase())],
]

function percentEncoded(text: string): string {
  return text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)
}

function escaped(text: string): string {
  return text.replace(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)
}

/** Where any spelling of a key is in what leaves the product. */
function findSpellings(values: unknown[], key = API_KEY): string[] {
  // Spelling and case apart, so that the search knows none of the product's.
  const half = key.slice(0, key.length / 2)
  const all = [half, half.toUpperCase(), percentEncoded(half), escaped(half)]
  return values.flatMap((value) => all.flatMap((spelling) => findKey(value, spelling)))
}

describe.each(SPELLINGS)('a key that the server spells %s', (_, spelling) => {
  it.each<[string, Answer]>([
    ['in its error', refuse(500, `the key ${spelling} is blocked`)],
    ['in its error, where messages are cut', refuse(400, `${'x'.repeat(190)}${spelling}`)],
    ['in a page', say(400, `<p>${spelling}</p>`, { 'content-type': 'text/html' })],
    ['in a page, where excerpts are cut', say(400, `${'x'.repeat(190)}${spelling}`)],
    ['in its content type', say(400, '<p>', { 'content-type': `text/html; key=${spelling}` })],
    ['in the host of a redirect', say(302, '', { location: `https://${spelling}.example/` })],
    ['in the path of a redirect', say(302, '', { location: `https://x.example/${spelling}` })],
    ['in the name of a field', sayJson(400, { [spelling]: 1 })],
  ])('%s is not in what comes of it', async (__, answer) => {
    const server = await startFaultServer(answer)
    const { transport } = createLine({ baseUrl: server.url })
    const v2 = createV2Client({ transport })
    await v2.getMasterchainInfo().catch(see)
    await v2.request({ path: '/getNew' }).catch(see)
    const seen = await failWith({ baseUrl: server.url })
    expect(seen.length).toBeGreaterThan(6)
    expect(findSpellings(seen)).toEqual([])
  })

  it('is not in what the hooks are told', async () => {
    const { transport } = createLine({ baseUrl })
    transport.reportDrift({ endpoint: 'x', path: `map.${spelling}`, problem: `is ${spelling}` })
    await transport
      .request(readCall({ path: '/x', query: [['api_key', API_KEY]] }))
      .catch((error: unknown) => see(error))
    const seen = takeSeen()
    expect(seen).toContainEqual({ endpoint: 'x', path: 'map.[API key]', problem: 'is [API key]' })
    expect(findSpellings(seen)).toEqual([])
  })
})

it('is not in what comes of a call that brings a key of its own', async () => {
  const own = '5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592'
  const server = await startFaultServer(
    refuse(401, `${own} and ${API_KEY} do not exist`, { 'content-type': `json; ${own}` }),
  )
  const { transport } = createLine({ baseUrl: server.url })
  const call = transport.request(readCall(), { headers: { 'X-API-Key': own } })
  await call.catch(see)
  expect(server.arrivals).toMatchObject([{ apiKey: own }])
  const seen = takeSeen()
  expect(seen.length).toBeGreaterThan(2)
  expect([...findSpellings(seen), ...findSpellings(seen, own)]).toEqual([])
})

it.each(['Bearer ', 'Basic ', ''])('is not a token of a call, behind %j', async (scheme) => {
  const token = 'dXNlcjpzZWNyZXQtd29yZA=='
  const server = await startFaultServer(refuse(403, `${token} (${scheme}${token}) is not known`))
  const { transport } = createLine({ baseUrl: server.url })
  const v2 = createV2Client({ transport })
  await v2
    .getMasterchainInfo({}, { headers: { Authorization: `${scheme}${token}` } })
    .catch((error: unknown) => see(error))
  const seen = takeSeen()
  expect(seen.length).toBeGreaterThan(2)
  expect(findSpellings(seen, token)).toEqual([])
})

it.each(['devkey', 'k1', 'a.b*c'])('is not in the error when it is as short as %s', async (key) => {
  const server = await startFaultServer(refuse(401, `no such key: ${key}`))
  const v2 = createV2Client({ baseUrl: server.url, apiKey: key })
  const error: unknown = await v2.getMasterchainInfo().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'ERR_TONPLUG_AUTHENTICATION',
    details: { reason: 'no such key: [API key]' },
  })
})

it('that is a word of the answer does not change what the answer means', async () => {
  const text = '{"ok":false,"code":409,"error":"not a wallet","@extra":"409:_:0.1"}'
  const server = await startFaultServer(say(409, text))
  for (const apiKey of ['409', 'error', 'ok', 'false']) {
    const v2 = createV2Client({ baseUrl: server.url, apiKey })
    await expect(v2.getMasterchainInfo()).rejects.toMatchObject({ code: 'ERR_TONPLUG_CONFLICT' })
  }
})

it.each(['e', '0', 'OT', 'lit', 'LITE_SERVER', 'timeout'])(
  'that is a part of a text as %s is does not change what the text means, nor garble it',
  async (apiKey) => {
    const server = await startFaultServer(
      refuse(500, `LITE_SERVER_NOTREADY: timeout; X-API-Key: ${apiKey}, api_key=${apiKey}.`),
    )
    const retry = { maxAttempts: 2, minDelayMs: 0 }
    const v2 = createV2Client({ baseUrl: server.url, apiKey, retry })
    const error: unknown = await v2.getMasterchainInfo().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_LITESERVER_NOT_READY', attempts: 2 })
    const { reason } = (error as LiteserverNotReadyError).details
    expect(reason).toContain('X-API-Key: [API key], api_key=[API key].')
    expect(reason.startsWith('LITE_SERVER_NOTREADY: timeout; ')).toBe(apiKey.length < 4)
  },
)

it('is not in the errors of those who share a request', async () => {
  const server = await startFaultServer(refuse(404, API_KEY))
  const { transport } = createLine({ baseUrl: server.url })
  const calls = [transport.request(readCall()), transport.request(readCall())]
  for (const call of calls) await call.catch(see)
  for (const value of takeSeen()) expect(findKey(value, API_KEY)).toEqual([])
})

it('goes to the server in its header only', async () => {
  const server = await startFaultServer(sayJson(200, { ok: true }))
  const { transport } = createLine({ baseUrl: server.url })
  await transport.request(readCall({ method: 'POST', body: { seqno: 1 } }))
  expect(server.arrivals).toMatchObject([
    { apiKey: API_KEY, url: '/api/v2/getMasterchainInfo', body: '{"seqno":1}' },
  ])
})
