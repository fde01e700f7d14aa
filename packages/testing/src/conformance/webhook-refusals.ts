import assert from 'node:assert/strict'
import { transferCompleted, transferRefunded } from '../payloads.js'
import { signPayload } from '../sign.js'
import { sendRequest } from './http-request.js'
import {
  assertAnswer,
  isOfParser,
  type PostOptions,
  SECRET,
  type Shop,
  type ShopOptions,
  type WebhookSuite,
} from './webhook-shop.js'

const PAYLOAD = transferCompleted()
const { signature: RIGHT } = signPayload(PAYLOAD, SECRET)
const HEX = RIGHT.slice('sha256='.length)
const BASE64 = Buffer.from(HEX, 'hex').toString('base64')

const WRONG_SIGNATURES: Record<string, PostOptions> = {
  'S3 no signature': { signature: null },
  'S3 an empty signature': { signature: '' },
  'S3 white space as signature': { signature: '  ' },
  'S3 a repeated signature': { signature: [RIGHT, RIGHT] },
  'S3 the right signature and a wrong one': { signature: [RIGHT, `sha256=${'0'.repeat(64)}`] },
  'S4 a signature without prefix': { signature: HEX },
  'S4 an upper-case prefix': { signature: `SHA256=${HEX}` },
  'S4 the prefix of another hash': { signature: `sha512=${HEX}` },
  'S5 a digit too few': { signature: RIGHT.slice(0, -1) },
  'S5 a digit too many': { signature: `${RIGHT}0` },
  'S5 64 zeroes': { signature: `sha256=${'0'.repeat(64)}` },
  'S5 base64': { signature: `sha256=${BASE64}` },
  'S10 the signature of another secret': { secret: 'whsec_another_secret' },
  'two headers that differ': { headers: { 'x-pay-signature': `sha256=${'0'.repeat(64)}` } },
}

const MALFORMED: Record<string, string | Uint8Array | object> = {
  'S14 bytes that are not UTF-8': Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d),
  'S15 a byte order mark': `\ufeff${JSON.stringify(PAYLOAD)}`,
  'S15 an empty body': '',
  'S15 null': 'null',
  'S15 an array': '[]',
  'S15 a string': '"text"',
  'S15 an empty object': '{}',
  'S15 nesting of 10 000 levels': '['.repeat(10_000) + ']'.repeat(10_000),
  'text that is not JSON': 'reference=order-1&status=success',
  'S24 an event that is not a string': { ...PAYLOAD, event: 1 },
  'S24 a refund': transferRefunded(),
  'S24 an unknown event': { ...PAYLOAD, event: 'transfer.created' },
  'a transfer without reference': { ...PAYLOAD, data: { ...PAYLOAD.data, reference: undefined } },
  'an amount that is a number': {
    ...PAYLOAD,
    data: { ...PAYLOAD.data, rawAmount: 10_500_000_000 },
  },
}

/** Requests that report no transfer. No order is read; authentic ones are stored as unreadable. */
export function describeRefusals(suite: WebhookSuite): void {
  const { describe } = suite
  describe('responds with 405 and Allow: POST to', () => describeMethods(suite))
  describe('responds with 415 to', () => describeEncodings(suite))
  describe('responds with 413 to', () => describeSizes(suite))
  describe('responds with 401 to', () => describeSignatures(suite))
  describe('responds with 400, and stores as unreadable,', () => {
    for (const [what, body] of Object.entries(MALFORMED)) {
      itRefuses(suite, `S72 ${what}`, {
        status: 400,
        isStored: true,
        send: ({ post }) => post(body),
      })
    }
  })
}

function describeMethods(suite: WebhookSuite): void {
  const { test } = suite
  for (const method of ['GET', 'PUT', 'OPTIONS', 'DELETE']) {
    itRefuses(suite, `S23 ${method}`, {
      status: 405,
      send: ({ url }) => sendRequest(url, { method }),
    })
  }
  test('S23 HEAD', async ({ url }) => {
    const { status, headers, body } = await sendRequest(url, { method: 'HEAD' })
    assert.deepEqual([status, headers['allow'], body], [405, 'POST', ''])
  })
  itRefuses(suite, 'S23 a correctly signed PUT', {
    status: 405,
    send: ({ post }) => post(PAYLOAD, { method: 'PUT' }),
  })
}

function describeEncodings(suite: WebhookSuite): void {
  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip']) {
    itRefuses(suite, `S19 the content encoding ${encoding}`, {
      status: 415,
      send: ({ post }) => post(PAYLOAD, { headers: { 'content-encoding': encoding } }),
    })
  }
}

function describeSizes(suite: WebhookSuite): void {
  const tooLong = Buffer.alloc(65_537, ' ')
  itRefuses(suite, 'S18 a correctly signed body that is one byte too long', {
    status: 413,
    send: ({ post }) => post(tooLong),
  })
  itRefuses(suite, 'S18 a chunked body that is one byte too long, without waiting for its end', {
    status: 413,
    send: ({ url }) =>
      sendRequest(url, {
        headers: { 'x-tonpay-signature': RIGHT },
        body: [tooLong.subarray(0, 40_000), tooLong.subarray(40_000)],
        isUnfinished: true,
      }),
  })
  itRefuses(suite, 'S18 a content length above the limit, without waiting for the body', {
    status: 413,
    send: ({ url }) =>
      sendRequest(url, {
        headers: { 'x-tonpay-signature': RIGHT, 'content-length': '1000000000' },
        body: 'the first bytes',
        isUnfinished: true,
      }),
  })
  itRefuses(suite, 'S18 a body above `maxBodyBytes` of the options', {
    status: 413,
    options: { receiver: { maxBodyBytes: 1000 } },
    send: ({ post }) => post(Buffer.alloc(1001, ' ')),
  })
}

function describeSignatures(suite: WebhookSuite): void {
  const { test } = suite
  for (const [what, options] of Object.entries(WRONG_SIGNATURES)) {
    itRefuses(suite, what, { status: 401, send: ({ post }) => post(PAYLOAD, options) })
  }
  itRefuses(suite, 'S2 one byte of the body changed', {
    status: 401,
    send: ({ post }) => {
      const altered = JSON.stringify(PAYLOAD).replace('order-1', 'order-2')
      return post(altered, { signature: RIGHT })
    },
  })
  itRefuses(suite, 'S11 a stale delivery', {
    status: 401,
    options: { receiver: { maxAgeMs: 60_000 } },
    isStored: true,
    send: ({ post }) => post({ ...PAYLOAD, timestamp: '2026-01-06T12:00:00.000Z' }),
  })
  test('S12 each of many wrong signatures, without an error in the log', async (shop) => {
    const { post, calls, logger } = shop
    for (let round = 0; round < 200; round++) {
      assertAnswer(await post(PAYLOAD, { secret: `whsec_guess_${round}` }), 401)
    }
    assert.deepEqual(calls, [])
    assert.deepEqual(
      logger.lines.filter(({ level }) => level === 'error'),
      [],
    )
  })
}

/** The refused request has no other effect, and the next delivery is accepted. */
function itRefuses(
  { it, withShop }: WebhookSuite,
  title: string,
  given: {
    status: number
    options?: ShopOptions
    /** True for authentic requests. @default false */
    isStored?: boolean
    send: (shop: Shop) => ReturnType<Shop['post']>
  },
): void {
  it(title, () =>
    withShop(given.options ?? {}, async (shop) => {
      const answer = await given.send(shop)
      const isReceived = !isOfParser(shop, answer)
      const isStored = isReceived && given.isStored === true
      if (isReceived) assertAnswer(answer, given.status)
      assert.equal(answer.headers['allow'], given.status === 405 ? 'POST' : undefined)
      assert.deepEqual(shop.calls, isStored ? ['inbox.reports.store'] : [])
      assert.equal((await shop.inbox.stats()).unreadable, isStored ? 1 : 0)
      assertAnswer(await shop.post(PAYLOAD), 200)
      assert.deepEqual(shop.decisions, ['paid'])
    }),
  )
}
