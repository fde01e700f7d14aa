import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { connect as connectHttp2 } from 'node:http2'
import {
  createPayments,
  createWebhookReceiver,
  memoryOrderRepository,
  type WebhookReceiver,
} from '@tonplug/core'
import { signPayload } from '../sign.js'
import { createTestLogger } from '../test-logger.js'
import { makeOrder } from './order-fixtures.js'
import { OTHER_REQUESTS, type OtherRequest, writeHttp1 } from './other-routes-requests.js'
import { exchangeText } from './raw-exchange.js'
import type { TestRunner } from './runner.js'
import { SECRET } from './webhook-shop.js'

const SHOP_SECRET = 'the_secret_of_another_webhook'

/** An app of a framework with routes of its own, with and without the adapter. */
export interface OtherRoutesHarness {
  /**
   * Starts an app with the body parsers that are usual for the framework, and these routes for every method:
   *
   * - `/echo`, `/echo/webhooks/ton` and `/webhooks/ton/other` respond with JSON of the method, the URL, the headers and the parsed body.
   * - `/stream` responds with the bytes of the request's stream.
   * - `/signed` responds with 403 unless `isShopSignature` returns true for the raw body and the header `x-shop-signature`.
   *   The app calls it where apps of the framework check the signatures of another webhook.
   */
  start: (options: OtherRoutesOptions) => Promise<{ url: string; close: () => Promise<void> }>
  /** @default ['1.1'] */
  httpVersions?: readonly ('1.1' | '2')[] | undefined
}

/** Options of the app of an {@link OtherRoutesHarness}. */
export interface OtherRoutesOptions {
  /** Is mounted at `/webhooks/ton`. Without it, the app does not contain the adapter. */
  receiver: WebhookReceiver | undefined
  httpVersion: '1.1' | '2'
  isShopSignature: (rawBody: Uint8Array, signature: unknown) => boolean
}

type Headers = Readonly<Record<string, string>>

/**
 * Defines the tests that an adapter changes nothing for the other routes of its app: each response has the same bytes as
 * without the adapter, whatever the request has in its headers and its body.
 */
export function describeOtherRoutes(
  name: string,
  harness: OtherRoutesHarness,
  { describe, it }: TestRunner,
): void {
  for (const httpVersion of harness.httpVersions ?? ['1.1']) {
    const withApps = (run: (apps: Apps) => Promise<void>) => () =>
      startBoth({ harness, httpVersion }, run)
    describe(`other routes of an app: ${name}, HTTP/${httpVersion}`, () => {
      for (const [what, request] of Object.entries(OTHER_REQUESTS)) {
        if (httpVersion === '2' && request.isHttp1Only === true) continue
        it(
          `S108 respond with the same bytes to ${what}, with and without signature headers`,
          withApps(async ({ send }) => {
            for (const added of signatureHeaders(request)) {
              const [expected, received] = await send(request, added)
              assert.match(expected, /^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/\S+ \d{3}/)
              assert.equal(received, expected)
            }
          }),
        )
      }
      it(
        'S108 check the signatures of another webhook, with and without signature headers',
        withApps(checkSigned),
      )
      it(
        'do not include the route of the webhook',
        withApps(async ({ send }) => {
          const [expected, received] = await send(
            { path: '/webhooks/ton', headers: JSON_TYPE, body: '{}' },
            {},
          )
          assert.match(expected, /^HTTP\/\S+ 404/)
          assert.match(received, /^HTTP\/\S+ 401/)
        }),
      )
    })
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }
/** Time after which a silent connection counts as hanging. */
const TIMEOUT_MS = 60_000
const WRONG = `sha256=${'0'.repeat(64)}`

async function checkSigned({ send }: Apps): Promise<void> {
  const body = '{ "amount": 1.0 }'
  const request = { path: '/signed', headers: JSON_TYPE, body }
  const right = signForShop(Buffer.from(body))
  for (const added of signatureHeaders(request)) {
    const accepted = await send(request, { ...added, 'x-shop-signature': right })
    const forged = await send(request, { ...added, 'x-shop-signature': '0'.repeat(64) })
    const unsigned = await send(request, added)
    for (const [expected, received] of [accepted, forged, unsigned])
      assert.equal(received, expected)
    for (const response of accepted) assert.match(response, /^HTTP\/\S+ 20[01]/)
    for (const response of [...forged, ...unsigned]) assert.match(response, /^HTTP\/\S+ 403/)
  }
}

function signForShop(rawBody: Uint8Array): string {
  return createHmac('sha256', SHOP_SECRET).update(rawBody).digest('hex')
}

/** Returns no headers, and those with which a stranger may claim that a request is a webhook. */
function signatureHeaders({ body = '' }: OtherRequest): Headers[] {
  const sent = Array.isArray(body) ? body.join('') : (body as string | Uint8Array)
  const { signature } = signPayload(sent, SECRET)
  return [
    {},
    { 'x-tonpay-signature': signature },
    { 'x-pay-signature': signature, 'x-tonpay-signature': WRONG, 'x-hub-signature-256': WRONG },
  ]
}

interface Apps {
  /** @returns the responses without and with the adapter. */
  send: (request: OtherRequest, added: Headers) => Promise<[string, string]>
}

async function startBoth(
  { harness, httpVersion }: { harness: OtherRoutesHarness; httpVersion: '1.1' | '2' },
  run: (apps: Apps) => Promise<void>,
): Promise<void> {
  const orders = memoryOrderRepository([makeOrder()])
  const payments = createPayments({ orders, logger: createTestLogger() })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const isShopSignature: OtherRoutesOptions['isShopSignature'] = (rawBody, signature) =>
    signature === signForShop(rawBody)
  const plain = await harness.start({ receiver: undefined, httpVersion, isShopSignature })
  const extended = await harness.start({ receiver, httpVersion, isShopSignature })
  const sendTo = httpVersion === '1.1' ? sendHttp1 : sendHttp2
  try {
    await run({
      send: async (request, added) => [
        await sendTo(plain.url, request, added),
        await sendTo(extended.url, request, added),
      ],
    })
  } finally {
    await plain.close()
    await extended.close()
    await receiver.close()
    await payments.close()
  }
}

async function sendHttp1(url: string, request: OtherRequest, added: Headers): Promise<string> {
  const { hostname: host, port } = new URL(url)
  const text = await exchangeText({ host, port: Number(port) }, writeHttp1(request, added))
  return text.replaceAll(/^date: .*$/gim, 'date: then')
}

async function sendHttp2(url: string, request: OtherRequest, added: Headers): Promise<string> {
  const { method = 'POST', path = '/echo', headers = {}, body } = request
  const session = connectHttp2(url)
  try {
    const pseudo = { ':method': method, ':path': path, ':authority': 'shop.example' }
    const stream = session.request(
      { ...pseudo, ...headers, ...added },
      { endStream: body === undefined },
    )
    const parts = Array.isArray(body)
      ? body
      : body === undefined
        ? []
        : [body as string | Uint8Array]
    for (const part of parts) stream.write(part)
    if (body !== undefined) stream.end()
    return await new Promise<string>((resolve, reject) => {
      let head = ''
      const chunks: Buffer[] = []
      session.on('error', reject)
      session.setTimeout(TIMEOUT_MS, () => reject(new Error('the server does not respond')))
      stream.on('error', (error) => resolve(`HTTP/2 000 ${head}${error.message}`))
      stream.on('response', ({ ':status': status, date: _date, ...fields }) => {
        head = `HTTP/2 ${status} ${JSON.stringify(fields)}\n`
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('close', () => resolve(head + Buffer.concat(chunks).toString('latin1')))
    })
  } finally {
    session.destroy()
  }
}
