import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import type { RequestHandler } from 'express'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { keepRawBody, type KeepRawBodyOptions } from '../src/keep-raw-body.js'
import { keepRawBodyInParser } from '../src/keep-raw-body-in-parser.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { chunked, exchange, requestText } from '@tonplug/test-support/raw-socket'
import { createShop, deliver, deliveries, SECRET } from './support/shop.js'

/** Responds with the body fields of the request; bytes are `{ type: 'Buffer', data }`. */
const reflect: RequestHandler = (request, response) => {
  const rawBody: unknown = 'rawBody' in request ? request.rawBody : undefined
  response.json({
    body: request.body,
    rawBody: Buffer.isBuffer(rawBody) ? rawBody.toString('latin1') : rawBody,
  })
}

/** Sends the bytes without a serializer. */
const asSent = (body: unknown): string => body as string

const signed = { 'content-type': 'application/json', 'x-tonpay-signature': 'sha256=any' }

describe.each(expressVersions)('keepRawBody, %s', (_version, express) => {
  async function reflected(
    { body, headers }: { body: string | Buffer; headers: Record<string, string> },
    parsers: RequestHandler[] = [keepRawBody(), express.json(), express.text()],
  ): Promise<unknown> {
    const app = express().use(parsers, reflect)
    const response = await request(app).post('/').set(headers).serialize(asSent).send(body)
    return response.body
  }

  it('provides the parsed JSON and the exact bytes', async () => {
    const body = '{ "price": 1.0,\r\n "name": "\\u00e9" }\n'
    expect(await reflected({ body, headers: signed })).toEqual({
      body: { price: 1, name: 'é' },
      rawBody: body,
    })
  })

  it('accepts either signature header with any content type', async () => {
    const headers = { 'content-type': 'text/plain', 'X-Pay-Signature': 'sha256=any' }
    expect(await reflected({ body: '[1]', headers })).toEqual({ body: [1], rawBody: '[1]' })
  })

  it.each([
    ['malformed JSON', Buffer.from('{"a":')],
    ['an empty body', Buffer.from('')],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('provides the bytes of %s', async (_name, bytes) => {
    expect(await reflected({ body: bytes, headers: signed })).toEqual({
      body: bytes.toJSON(),
      rawBody: bytes.toString('latin1'),
    })
  })

  it('keeps the async context of the middlewares between it and the webhook', async () => {
    const current = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const shop = createShop({
      payments: {
        acceptAmount: () => {
          seen.push(['acceptAmount', current.getStore()])
          return true
        },
        onPaid: () => void seen.push(['onPaid', current.getStore()]),
      },
      receiver: {
        secrets: () => {
          seen.push(['secrets', current.getStore()])
          return { merchant: '', secrets: SECRET }
        },
      },
    })
    const app = express()
      .use('/webhooks/ton', keepRawBody(shop.receiver))
      .use((_request, _response, next) => current.run('the request', next))
      .use(express.json())
      .post('/webhooks/ton', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await shop.payments.close()
    expect(seen).toEqual([
      ['secrets', 'the request'],
      ['acceptAmount', 'the request'],
      ['onPaid', undefined],
    ])
  })

  it('S16 does not pollute prototypes with __proto__', async () => {
    const { url } = await listen(
      express().use(keepRawBody(), (request, response) => {
        const { body }: { body: object } = request
        response.json({ isPolluted: 'isAdmin' in body || 'isAdmin' in {} })
      }),
    )
    const seen = await deliver(url, { body: '{"__proto__":{"isAdmin":true}}', headers: signed })
    expect(JSON.parse(seen.body)).toEqual({ isPolluted: false })
  })

  it.each([
    ['has no signature header', 'post', { 'content-type': 'application/json' }],
    ['is compressed', 'post', { ...signed, 'content-encoding': 'deflate' }],
    ['is not a POST', 'put', signed],
  ] as const)('ignores a request that %s', async (_name, method, headers) => {
    let wasUntouched = false
    const app = express().use(keepRawBody(), (req, res) => {
      wasUntouched = !req.readableDidRead && req.listenerCount('data') === 0 && !('rawBody' in req)
      req.resume()
      res.end()
    })
    await request(app)[method]('/').set(headers).send('{}')
    expect(wasUntouched).toBe(true)
  })

  it('ignores a request that a parser has read', async () => {
    const parsers = [express.text({ type: '*/*' }), keepRawBody()]
    expect(await reflected({ body: '{"a":1}', headers: signed }, parsers)).toEqual({
      body: '{"a":1}',
    })
  })

  it('reads requests with one of the configured headers, in upper or lower case', async () => {
    const parsers = [keepRawBody({ signatureHeaders: ['X-Shop-Signature'] })]
    const headers = { 'x-shop-signature': 'any' }
    expect(await reflected({ body: '1', headers }, parsers)).toEqual({ body: 1, rawBody: '1' })
    expect(await reflected({ body: '1', headers: signed }, parsers)).toEqual({})
  })

  it('uses the headers and the size limit of a receiver', async () => {
    const { receiver } = createShop({
      receiver: { signatureHeaders: ['X-Shop-Signature'], maxBodyBytes: 1000 },
    })
    const app = express()
      .use(keepRawBody(receiver), express.json())
      .post('/', tonplugWebhook(receiver))
    const { url } = await listen(app)
    const valid = signPayload(transferCompleted(), SECRET, { header: 'x-shop-signature' })
    expect(await deliver(url, valid)).toMatchObject({ status: 200 })
    const long = signPayload('x'.repeat(1001), SECRET, { header: 'x-shop-signature' })
    expect(await deliver(url, long)).toEqual({
      status: 413,
      contentType: 'application/json',
      body: '{"ok":false}',
    })
    expect(receiver.stats()).toEqual({ paid: 1 })
  })
})

describe.each(expressVersions)('a request that keepRawBody rejects, %s', (_version, express) => {
  it('S18 is not passed to the next handler', async () => {
    let passed = 0
    const app = express().use(keepRawBody({ maxBodyBytes: 10 }), (_request, response) => {
      passed += 1
      response.end()
    })
    const { url } = await listen(app)
    expect(await deliver(url, { body: 'x'.repeat(11), headers: signed })).toMatchObject({
      status: 413,
    })
    expect(passed).toBe(0)
    expect(await deliver(url, { body: 'x'.repeat(10), headers: signed })).toMatchObject({
      status: 200,
    })
    expect(passed).toBe(1)
  })
})

describe.each(expressVersions)('keepRawBodyInParser, %s', (_version, express) => {
  const parsers = {
    'express.json': express.json({ verify: keepRawBodyInParser }),
    'express.urlencoded': express.urlencoded({ extended: false, verify: keepRawBodyInParser }),
  }

  it.each([
    ['express.json', 'application/json', '{ "a":1.0 }', { a: 1 }],
    ['express.urlencoded', 'application/x-www-form-urlencoded', 'a=1&b=%20', { a: '1', b: ' ' }],
  ] as const)('keeps the bytes of a signed request by %s', async (name, type, body, parsed) => {
    const { url } = await listen(express().use(parsers[name], reflect))
    const one = await deliver(url, { body, headers: { ...signed, 'content-type': type } })
    expect(JSON.parse(one.body)).toEqual({ body: parsed, rawBody: body })
    const other = await deliver(url, { body, headers: { 'content-type': type } })
    expect(JSON.parse(other.body)).toEqual({ body: parsed })
  })

  it('S18 lets the receiver reject a body that exceeds only its own limit', async () => {
    const { receiver } = createShop({ receiver: { maxBodyBytes: 100 } })
    const app = express().use(parsers['express.json']).post('/', tonplugWebhook(receiver))
    const { url, port } = await listen(app)
    expect(await deliver(url, deliveries.valid)).toMatchObject({ status: 413 })
    const inChunks = requestText('/', {
      headers: { ...deliveries.valid.headers, 'transfer-encoding': 'chunked' },
      body: chunked(deliveries.valid.body, 1000),
    })
    expect(await exchange(port, inChunks)).toMatch(/^HTTP\/1.1 413 /)
  })
})

describe('the options of keepRawBody', () => {
  it('are rejected with an unknown name', () => {
    // Callers without type checks can pass any option.
    const misspelt: object = { signatureHeader: ['x-shop-signature'] }
    expect(() => keepRawBody(misspelt)).toThrow(
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        message:
          'signatureHeader: is not an option here; it takes signatureHeaders, maxBodyBytes, clock',
      }),
    )
  })

  it('are all accepted', () => {
    const all: Required<KeepRawBodyOptions> = {
      signatureHeaders: ['x-shop-signature'],
      maxBodyBytes: 1000,
      clock: systemClock,
    }
    expect(() => keepRawBody(all)).not.toThrow()
  })
})
