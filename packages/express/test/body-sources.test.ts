import type { RequestListener } from 'node:http'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express5, { type RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { keepRawBody } from '../src/keep-raw-body.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import type { Express } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, deliveries, SECRET } from './support/shop.js'
import type { DeliveryName } from '@tonplug/test-support/deliveries'
import type { Seen } from './support/shop.js'

type Parser = (express: Express) => RequestHandler[]

/** Parsers that may read the body before tonplug. */
const parsers: Record<string, Parser> = {
  'express.json': (express) => [express.json()],
  'express.raw': (express) => [express.raw({ type: '*/*' })],
  'express.text': (express) => [express.text({ type: '*/*' })],
  'express.urlencoded': (express) => [express.urlencoded({ extended: false })],
  'rawBody saver of a functions platform': functionsPlatform,
  'express.json with keepRawBody': (express) => [express.json({ verify: keepRawBody })],
}

/** The parsers that Google Cloud Functions and Firebase run before an app. */
function functionsPlatform(express: Express): RequestHandler[] {
  const verify = (request: object, _response: unknown, bytes: Buffer): void => {
    Object.assign(request, { rawBody: bytes })
  }
  return [
    express.json({ type: 'application/cloudevents+json', verify }),
    express.json({ verify }),
    express.text({ verify }),
    express.urlencoded({ extended: true, verify }),
    express.raw({ type: '*/*', verify }),
  ]
}

const json = 'application/json'
const ok: Seen = { status: 200, contentType: json, body: '{"ok":true}' }
const refused = (status: number): Seen => ({ status, contentType: json, body: '{"ok":false}' })
/** The parser rejects malformed JSON itself, so that the request never reaches tonplug. */
const refusedByParser = { status: 400, contentType: 'text/html; charset=utf-8' }

type Row = Record<DeliveryName, Partial<Seen>>

/** Responses when the exact bytes are available. */
const bytesAvailable: Row = {
  valid: ok,
  wrongSignature: refused(401),
  malformedWrongSignature: refused(401),
  malformedRightSignature: refused(400),
}
/** Responses when a parser keeps the bytes, but rejects malformed JSON. */
const bytesKeptByParser: Row = {
  valid: ok,
  wrongSignature: refused(401),
  malformedWrongSignature: refusedByParser,
  malformedRightSignature: refusedByParser,
}
const bytesGone: Row = {
  valid: refused(500),
  wrongSignature: refused(500),
  malformedWrongSignature: refusedByParser,
  malformedRightSignature: refusedByParser,
}

/** Expected responses with a parser before tonplug, in the app or in a router. */
const parserFirst: Record<keyof typeof parsers, Row> = {
  'express.json': bytesGone,
  'express.raw': bytesAvailable,
  'express.text': bytesAvailable,
  'express.urlencoded': bytesAvailable,
  'rawBody saver of a functions platform': bytesKeptByParser,
  'express.json with keepRawBody': bytesKeptByParser,
}

type Mount = (express: Express, parser: Parser, webhook: RequestHandler) => RequestListener

const mounts: Record<string, Mount> = {
  'before the parser': (express, parser, webhook) =>
    express().post('/webhooks/ton', webhook).use(parser(express)),
  'after the parser': (express, parser, webhook) =>
    express().use(parser(express)).post('/webhooks/ton', webhook),
  'inside a router, after its parser': (express, parser, webhook) => {
    const router = express.Router()
    router.use(parser(express))
    router.post('/ton', webhook)
    return express().use('/webhooks', router)
  },
}

const cells = expressVersions.flatMap(([version, express]) =>
  Object.entries(mounts).flatMap(([mountName, mount]) =>
    Object.entries(parsers).map(([parserName, parser]) => ({
      cell: `${version}, tonplug ${mountName}, ${parserName}`,
      mountApp: (webhook: RequestHandler) => mount(express, parser, webhook),
      expected: mountName === 'before the parser' ? bytesAvailable : parserFirst[parserName],
    })),
  ),
)

// The valid delivery is sent last, because it completes the order.
const names: DeliveryName[] = [
  'wrongSignature',
  'malformedWrongSignature',
  'malformedRightSignature',
  'valid',
]

describe('body sources', () => {
  it.each(cells)('S22 respond alike: $cell', async ({ mountApp, expected }) => {
    const shop = createShop()
    const { url } = await listen(mountApp(tonplugWebhook(shop.receiver)))
    for (const name of names) {
      expect(await shop.orderStatus()).toBe('pending')
      const seen = await deliver(`${url}/webhooks/ton`, deliveries[name])
      expect({ name, ...seen }).toMatchObject({ name, ...expected?.[name] })
    }
    expect(await shop.orderStatus()).toBe(expected?.valid === ok ? 'completed' : 'pending')
  })

  it.each(expressVersions)(
    'keepRawBody keeps the bytes of requests with a custom signature header, %s',
    async (_version, express) => {
      const header = 'x-forwarded-pay-signature'
      const shop = createShop({ receiver: { signatureHeaders: [header] } })
      const app = express()
        .use(express.json({ verify: keepRawBody }))
        .post('/webhooks/ton', tonplugWebhook(shop.receiver))
      const { url } = await listen(app)
      const { body, headers } = signPayload(transferCompleted(), SECRET, { header })
      const request = { body, headers: { ...headers, 'content-type': 'application/json' } }
      expect(await deliver(`${url}/webhooks/ton`, request)).toEqual(ok)
      expect(await shop.orderStatus()).toBe('completed')
    },
  )

  it.each([
    ['an ArrayBuffer', (bytes: Buffer) => Uint8Array.from(bytes).buffer],
    [
      'a DataView',
      ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length),
    ],
    ['a list', (bytes: Buffer) => [...bytes]],
  ])('S22 reads bytes that a platform has kept in rawBody as %s', async (what, toKept) => {
    const shop = createShop()
    const app = express5()
    app.use((request, _response, next) => {
      const chunks: Uint8Array[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        Object.assign(request, { rawBody: toKept(Buffer.concat(chunks)) })
        next()
      })
    })
    const { url } = await listen(app.post('/webhooks/ton', tonplugWebhook(shop.receiver)))
    // A list of numbers does not count as bytes.
    const expected = what === 'a list' ? refused(500) : ok
    expect(await deliver(`${url}/webhooks/ton`, deliveries.wrongSignature)).toEqual(
      refused(what === 'a list' ? 500 : 401),
    )
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toEqual(expected)
  })

  it.each([
    ['text', (body: string) => body],
    ['base64 of it', (body: string) => Buffer.from(Buffer.from(body).toString('base64'), 'base64')],
  ])('S22 Lambda: a body as %s gets the same responses', async (_name, decode) => {
    const shop = createShop()
    for (const name of names) {
      const { body, headers } = deliveries[name]
      const answer = await shop.receiver.receive({ headers, rawBody: decode(body) })
      expect({ name, ...answer }).toMatchObject({
        name,
        status: bytesAvailable[name].status,
        body: bytesAvailable[name].body,
      })
    }
    expect(await shop.orderStatus()).toBe('completed')
  })
})
