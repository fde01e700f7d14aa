import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { keepRawBody } from '../src/keep-raw-body.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { chunked, exchange, requestText } from '@tonplug/test-support/raw-socket'
import { createShop, deliver, deliveries } from './support/shop.js'

/** Responds with the body fields of the request; bytes are `{ type: 'Buffer', data }`. */
const reflect: RequestHandler = (request, response) => {
  const rawBody: unknown = 'rawBody' in request ? request.rawBody : undefined
  response.json({
    body: request.body,
    rawBody: Buffer.isBuffer(rawBody) ? rawBody.toString('latin1') : rawBody,
  })
}

const signed = { 'content-type': 'application/json', 'x-tonpay-signature': 'sha256=any' }

describe.each(expressVersions)('keepRawBody, %s', (_version, express) => {
  const parsers = {
    'express.json': express.json({ verify: keepRawBody }),
    'express.urlencoded': express.urlencoded({ extended: false, verify: keepRawBody }),
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
