import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { keepRawBody } from '../src/keep-raw-body.js'
import { keepRawBodyInParser } from '../src/keep-raw-body-in-parser.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import type { Express } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { chunked, exchange, requestText } from '@tonplug/test-support/raw-socket'
import { createShop } from './support/shop.js'

/** Adds every middleware of tonplug to an app. */
interface Additions {
  ahead: RequestHandler[]
  verify: typeof keepRawBodyInParser | undefined
}

function createApp(express: Express, { ahead, verify }: Additions): RequestListener {
  const options = verify === undefined ? {} : { verify }
  const showError: ErrorRequestHandler = (error, _request, response, _next) => {
    const { status, type, message, limit } = error
    response.status(status).json({ status, type, message, limit })
  }
  const app = express()
  for (const middleware of ahead) app.use(middleware)
  app.post('/raw', (request, response) => {
    response.status(201).type('application/octet-stream')
    request.pipe(response)
  })
  app.use(express.json(options), express.urlencoded({ extended: true, ...options }), express.text())
  app.all('/echo', (request, response) => {
    const kept = 'rawBody' in request
    response.json({ method: request.method, body: request.body, kept, url: request.url })
  })
  app.get('/cached', (_request, response) => void response.send('cached'))
  app.use(showError)
  return app
}

function tonplugAdditions(express: Express): Additions {
  const { receiver } = createShop()
  const webhook = tonplugWebhook(receiver)
  const mounted = express.Router()
  mounted.post('/webhooks/ton', webhook)
  mounted.use('/webhooks/mounted', webhook)
  return { ahead: [keepRawBody(), mounted], verify: keepRawBodyInParser }
}

const json = { 'content-type': 'application/json' }
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const gzipped = latin1(gzipSync('{"zipped":true}'))
const multipart = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
const keepAlive = (target: string, body: string): string =>
  requestText(target, { headers: json, body, isLast: false })

const requests: Record<string, string> = {
  json: requestText('/echo', { headers: json, body: '{ "a": [1.0, "\\u00e9"] }' }),
  'json over the limit': requestText('/echo', {
    headers: json,
    body: JSON.stringify('x'.repeat(200_000)),
  }),
  'json in chunks, over the limit': requestText('/echo', {
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body: chunked(JSON.stringify({ a: 'x'.repeat(110_000) }), 10_000),
  }),
  'malformed json': requestText('/echo', { headers: json, body: '{"a":' }),
  'json that is not an object': requestText('/echo', { headers: json, body: '"text"' }),
  'json in another charset': requestText('/echo', {
    headers: { 'content-type': 'application/json; charset=latin1' },
    body: '{}',
  }),
  'an empty body': requestText('/echo', { headers: json }),
  'no body': requestText('/echo', { method: 'GET' }),
  'urlencoded form': requestText('/echo', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a[b]=1&a[c]=%C3%A9',
  }),
  text: requestText('/echo', { headers: { 'content-type': 'text/plain' }, body: 'plain' }),
  'an unknown content type': requestText('/echo', {
    headers: { 'content-type': 'application/x-thing' },
    body: 'thing',
  }),
  gzip: requestText('/echo', { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipped }),
  'broken gzip': requestText('/echo', {
    headers: { ...json, 'content-encoding': 'gzip' },
    body: 'not gzip',
  }),
  'an unknown encoding': requestText('/echo', {
    headers: { ...json, 'content-encoding': 'zip' },
    body: '{}',
  }),
  'json in chunks': requestText('/echo', {
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body: chunked('{"a":"in three pieces or more"}', 10),
  }),
  'an invalid chunk': requestText('/echo', {
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body: 'zz\r\n',
  }),
  'a stream that the route reads': requestText('/raw', {
    headers: { 'content-type': 'application/octet-stream' },
    body: 'x'.repeat(150_000),
  }),
  multipart: requestText('/raw', {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: multipart,
  }),
  'multipart without a parser': requestText('/nowhere', {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: multipart,
  }),
  'an unknown path': requestText('/nowhere', { headers: json, body: '{}' }),
  'a path beside the webhook': requestText('/webhooks/ton/other', { headers: json, body: '{}' }),
  'a path below a mounted webhook': requestText('/webhooks/mounted/other', { body: '{}' }),
  'another method on the route': requestText('/webhooks/ton', { method: 'GET' }),
  PUT: requestText('/echo', { method: 'PUT', headers: json, body: '{"put":1}' }),
  'DELETE with a body': requestText('/echo', { method: 'DELETE', headers: json, body: '{"a":1}' }),
  HEAD: requestText('/cached', { method: 'HEAD' }),
  OPTIONS: requestText('/cached', { method: 'OPTIONS' }),
  'a conditional GET': requestText('/cached', {
    method: 'GET',
    headers: { 'if-none-match': 'W/"6-kkvFf+6YKvqMEI5aZmvvAyFuCGg"' },
  }),
  'a bad query': requestText('/echo?a=%zz', { headers: json, body: '{}' }),
  'a bad path': requestText('/%zz', { headers: json, body: '{}' }),
  'a bad header': requestText('/echo', { headers: { 'bad header': 'x' } }),
  'expect: 100-continue': requestText('/echo', {
    headers: { ...json, expect: '100-continue' },
    body: '{}',
  }),
  'a pipeline': [
    keepAlive('/echo', '{"first":1}'),
    keepAlive('/echo', '{"broken":'),
    keepAlive('/raw', 'streamed'),
    keepAlive('/nowhere', '{}'),
    requestText('/echo', { headers: json, body: '{"last":1}' }),
  ].join(''),
}

describe.each(expressVersions)('the other routes of an app, %s', (_version, express) => {
  it.each(Object.entries(requests))('respond with the same bytes: %s', async (_name, request) => {
    const bytes = Buffer.from(request, 'latin1')
    const without = await listen(createApp(express, { ahead: [], verify: undefined }))
    const withTonplug = await listen(createApp(express, tonplugAdditions(express)))
    const expected = await exchange(without.port, bytes)
    expect(expected).toMatch(/^HTTP\/1.1 \d{3} /)
    expect(await exchange(withTonplug.port, bytes)).toBe(expected)
  })

  it('differ on the path of the webhook, as a check of the comparison', async () => {
    const bytes = requestText('/webhooks/ton', { headers: json, body: '{}' })
    const without = await listen(createApp(express, { ahead: [], verify: undefined }))
    const withTonplug = await listen(createApp(express, tonplugAdditions(express)))
    expect(await exchange(without.port, bytes)).toMatch(/^HTTP\/1.1 404 /)
    expect(await exchange(withTonplug.port, bytes)).toMatch(/^HTTP\/1.1 401 /)
  })
})
