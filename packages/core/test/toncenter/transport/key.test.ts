import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../../src/toncenter/errors/api.js'
import type { RateLimiter } from '../../../src/toncenter/transport/rate-limiter.js'
import type { Fetch } from '../../../src/toncenter/transport/options.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { API_KEY, createLine, readCall } from './calls.js'
import { startScriptedApi, type MockReply } from '@tonplug/test-support/mock-api'
import { refuse, respond } from '@tonplug/test-support/responses'
import { findKey, see, takeSeen } from './key-scan.js'

const baseUrl = 'http://127.0.0.1:9'

/** Returns everything that a caller and the hooks see of a failed call. */
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

it('is not in the errors of a fetch that attaches its request to them', async () => {
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

it('is not in the names of the errors that a fetch throws', async () => {
  const named = (message: string, cause?: Error): Error =>
    Object.assign(new Error(message, { cause }), { name: `Error of ${API_KEY}` })
  const seen = await failWith({ fetch: () => Promise.reject(named('x', named('y'))) })
  for (const value of seen) expect(findKey(value, API_KEY)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ cause: { name: 'Error of [API key]' } })
  expect(JSON.stringify(seen.at(-1))).toContain('Error of [API key]')
})

/** The characters that JSON may escape by a backslash alone. */
const PUNCTUATED = 'sk/live/"0123"/+abc=/xyz'

it.each<[string, (key: string) => string]>([
  ['as JSON.stringify does', (key) => key.replaceAll('"', '\\"')],
  ['as PHP does', (key) => key.replaceAll('"', '\\"').replaceAll('/', '\\/')],
  ['as HTML-safe JSON does', (key) => key.replaceAll('"', '\\u0022').replaceAll('/', '\\u002F')],
])('is not in the error when its punctuation is escaped %s', async (_, escape) => {
  const error = `no such key: ${escape(PUNCTUATED)}`
  for (const text of [
    `{"ok":false,"error":"${error}","code":401}`,
    JSON.stringify({ ok: false, error, code: 401 }),
    JSON.stringify({ ok: false, error: JSON.stringify(error), code: 401 }),
    `<p>${error}</p>`,
  ]) {
    const server = await startScriptedApi(respond(401, text))
    const v2 = createV2Client({ baseUrl: server.baseUrl, apiKey: PUNCTUATED })
    await v2.getMasterchainInfo().catch(see)
    await v2.request({ path: '/getNew' }).catch(see)
    const seen = takeSeen()
    expect(seen).toHaveLength(2)
    const parts = ['sk/live', 'live/', '0123', 'xyz', 'sk\\/live']
    expect(seen.flatMap((value) => parts.flatMap((part) => findKey(value, part)))).toEqual([])
  }
})

it('is not in the errors of a failing limiter', async () => {
  const fail = () => Promise.reject(new Error(`EVALSHA ${API_KEY}`))
  const seen = await failWith({ limiter: { acquire: fail, pause: fail } })
  for (const value of seen) expect(findKey(value, API_KEY)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ code: 'ERR_TONPLUG_LIMITER', retryable: true, attempts: 0 })
})

it('is not in the error when the server writes it with escapes', async () => {
  const escaped = API_KEY.replace(/./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`)
  const text = JSON.stringify({ ok: false, error: 'ESCAPED' }).replace('ESCAPED', escaped)
  const server = await startScriptedApi((_, response) => response.writeHead(500).end(text))
  const seen = await failWith({ baseUrl: server.baseUrl })
  for (const value of seen) expect(findKey(value, API_KEY)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ details: { excerpt: expect.stringContaining('[API key]') } })
})

/** The same key, as servers may spell it. */
const FORMS: [string, string][] = [
  ['as it is', API_KEY],
  ['in capitals', API_KEY.toUpperCase()],
  ['percent-encoded', percentEncoded(API_KEY)],
  ['percent-encoded in part', API_KEY.slice(0, 40) + percentEncoded(API_KEY.slice(40))],
  ['with escapes in capitals', escaped(API_KEY.toUpperCase())],
  ['with escapes of JSON inside JSON', escaped(API_KEY).replaceAll('\\', '\\\\')],
  ['with escapes of JavaScript', escaped(API_KEY).replaceAll('u00', 'x')],
  ['percent-encoded twice', percentEncoded(API_KEY).replaceAll('%', '%25')],
  ['with entities of HTML', percentEncoded(API_KEY).replace(/%(..)/g, '&#x$1;')],
]

function percentEncoded(text: string): string {
  return text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)
}

function escaped(text: string): string {
  return text.replace(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)
}

/** Finds every form of a key in values that the library exposes. */
function findForms(values: unknown[], key = API_KEY): string[] {
  // Built by hand, so that the search does not use the library's own forms.
  const half = key.slice(0, key.length / 2)
  const spelt = [half, half.toUpperCase(), percentEncoded(half), escaped(half)]
  const all = [
    ...spelt,
    percentEncoded(half).replaceAll('%', '%25'),
    escaped(half).replaceAll('u00', 'x'),
  ]
  return values.flatMap((value) => all.flatMap((form) => findKey(value, form)))
}

describe.each(FORMS)('a key that the server writes %s', (_, form) => {
  it.each<[string, MockReply]>([
    ['in its error', refuse(500, `the key ${form} is blocked`)],
    ['in its error, where messages are cut', refuse(400, `${'x'.repeat(190)}${form}`)],
    ['in a page', respond(400, `<p>${form}</p>`, { 'content-type': 'text/html' })],
    ['in a page, where excerpts are cut', respond(400, `${'x'.repeat(190)}${form}`)],
    ['in its content type', respond(400, '<p>', { 'content-type': `text/html; key=${form}` })],
    ['in the host of a redirect', respond(302, '', { location: `https://${form}.example/` })],
    ['in the path of a redirect', respond(302, '', { location: `https://x.example/${form}` })],
    ['in the name of a field', respond(400, { [form]: 1 })],
  ])('is not in the errors when it is %s', async (__, answer) => {
    const server = await startScriptedApi(answer)
    const { transport } = createLine({ baseUrl: server.baseUrl })
    const v2 = createV2Client({ transport })
    await v2.getMasterchainInfo().catch(see)
    await v2.request({ path: '/getNew' }).catch(see)
    const seen = await failWith({ baseUrl: server.baseUrl })
    expect(seen.length).toBeGreaterThan(6)
    expect(findForms(seen)).toEqual([])
  })

  it('is not in the events of hooks', async () => {
    const { transport } = createLine({ baseUrl })
    await transport
      .request(readCall({ path: '/x', query: [['api_key', API_KEY]] }))
      .catch((error: unknown) => see(error))
    const seen = takeSeen()
    expect(findForms(seen)).toEqual([])
  })
})

it('is not in the errors of a call with its own key', async () => {
  const own = '5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592'
  const server = await startScriptedApi(
    refuse(401, `${own} and ${API_KEY} do not exist`, { 'content-type': `json; ${own}` }),
  )
  const { transport } = createLine({ baseUrl: server.baseUrl })
  const call = transport.request(readCall(), { headers: { 'X-API-Key': own } })
  await call.catch(see)
  expect(server.requests).toMatchObject([{ apiKey: own }])
  const seen = takeSeen()
  expect(seen.length).toBeGreaterThan(2)
  expect([...findForms(seen), ...findForms(seen, own)]).toEqual([])
})

it.each(['Bearer ', 'Basic ', ''])('is not a token of a call, behind %j', async (scheme) => {
  const token = 'dXNlcjpzZWNyZXQtd29yZA=='
  const server = await startScriptedApi(refuse(403, `${token} (${scheme}${token}) is not known`))
  const { transport } = createLine({ baseUrl: server.baseUrl })
  const v2 = createV2Client({ transport })
  await v2
    .getMasterchainInfo({}, { headers: { Authorization: `${scheme}${token}` } })
    .catch((error: unknown) => see(error))
  const seen = takeSeen()
  expect(seen.length).toBeGreaterThan(2)
  expect(findForms(seen, token)).toEqual([])
})

it.each(['devkey', 'k1', 'a.b*c'])('is not in the error when it is as short as %s', async (key) => {
  const server = await startScriptedApi(refuse(401, `no such key: ${key}`))
  const v2 = createV2Client({ baseUrl: server.baseUrl, apiKey: key })
  const error: unknown = await v2.getMasterchainInfo().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'ERR_TONPLUG_AUTHENTICATION',
    details: { reason: 'no such key: [API key]' },
  })
})

it('keeps the meaning of a response that has the key as a word', async () => {
  const text = '{"ok":false,"code":409,"error":"not a wallet","@extra":"409:_:0.1"}'
  const server = await startScriptedApi(respond(409, text))
  for (const apiKey of ['409', 'error', 'ok', 'code']) {
    const v2 = createV2Client({ baseUrl: server.baseUrl, apiKey })
    await expect(v2.getMasterchainInfo()).rejects.toMatchObject({ code: 'ERR_TONPLUG_CONFLICT' })
  }
})

it.each(['e', '0', 'OT', 'lit', 'LITE_SERVER', 'timeout'])(
  'keeps the meaning of words that contain the key %s',
  async (apiKey) => {
    const server = await startScriptedApi(
      refuse(500, `LITE_SERVER_NOTREADY: timeout; X-API-Key: ${apiKey}, api_key=${apiKey}.`),
    )
    const retry = { maxAttempts: 2, minDelayMs: 0 }
    const v2 = createV2Client({ baseUrl: server.baseUrl, apiKey, retry })
    const error: unknown = await v2.getMasterchainInfo().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_LITESERVER_NOT_READY', attempts: 2 })
    const { reason } = (error as ApiError).details
    expect(reason).toContain('X-API-Key: [API key], api_key=[API key].')
    expect(reason.startsWith('LITE_SERVER_NOTREADY: timeout; ')).toBe(apiKey.length < 4)
  },
)

it('is not in the errors of calls that share a request', async () => {
  const server = await startScriptedApi(refuse(404, API_KEY))
  const { transport } = createLine({ baseUrl: server.baseUrl })
  const calls = [transport.request(readCall()), transport.request(readCall())]
  for (const call of calls) await call.catch(see)
  for (const value of takeSeen()) expect(findKey(value, API_KEY)).toEqual([])
})

it('is sent only in its header', async () => {
  const server = await startScriptedApi(respond(200, { ok: true }))
  const { transport } = createLine({ baseUrl: server.baseUrl })
  await transport.request(readCall({ method: 'POST', body: { seqno: 1 } }))
  expect(server.requests).toMatchObject([
    { apiKey: API_KEY, url: '/api/v2/getMasterchainInfo', text: '{"seqno":1}' },
  ])
})
