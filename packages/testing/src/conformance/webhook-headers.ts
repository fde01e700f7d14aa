import assert from 'node:assert/strict'
import {
  type MemoryOrderRepository,
  readHeader,
  type SecretResolver,
  type WebhookRequest,
} from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { signPayload } from '../sign.js'
import { makeOrder } from './order-fixtures.js'
import {
  assertAnswer,
  isOfParser,
  type PostOptions,
  SECRET,
  type ShopOptions,
  type WebhookSuite,
} from './webhook-shop.js'

const { signature: RIGHT } = signPayload(transferCompleted(), SECRET)

const ACCEPTED: Record<string, { options?: ShopOptions; sent: PostOptions }> = {
  'x-pay-signature': { sent: { header: 'x-pay-signature' } },
  'x-tonpay-signature': { sent: { header: 'x-tonpay-signature' } },
  'X-TonPay-Signature in capitals': { sent: { header: 'X-TONPAY-SIGNATURE' } },
  'both signature headers with the same value': { sent: { headers: { 'X-Pay-Signature': RIGHT } } },
  'a signature header of the options': {
    options: { receiver: { signatureHeaders: ['X-Shop-Signature'] } },
    sent: { header: 'x-shop-signature' },
  },
  'S6 upper-case hex': { sent: { signature: `sha256=${RIGHT.slice(7).toUpperCase()}` } },
  'base64 with `signatureEncoding: base64`': {
    options: { receiver: { signatureEncoding: 'base64' } },
    sent: { signature: `sha256=${Buffer.from(RIGHT.slice(7), 'hex').toString('base64')}` },
  },
  'S7 the second of two secrets': {
    options: { receiver: { secrets: ['whsec_the_next_secret', SECRET] } },
    sent: {},
  },
  'S17 no content type': { sent: { contentType: null } },
  'S17 text/plain': { sent: { contentType: 'text/plain' } },
  'S17 application/json; charset=utf-8': {
    sent: { contentType: 'application/json; charset=utf-8' },
  },
  'S17 application/json; charset=latin1': {
    sent: { contentType: 'application/json; charset=latin1' },
  },
  'S17 application/cloudevents+json': { sent: { contentType: 'application/cloudevents+json' } },
  'S17 application/x-www-form-urlencoded': {
    sent: { contentType: 'application/x-www-form-urlencoded' },
  },
  'S17 application/octet-stream': { sent: { contentType: 'application/octet-stream' } },
  'the content encoding identity': { sent: { headers: { 'content-encoding': 'identity' } } },
}

const FIRST: PostOptions = { headers: { 'X-Merchant': 'first' } }
const SECOND: PostOptions = { headers: { 'X-Merchant': 'second' } }
const SECOND_SECRET = 'whsec_the_other_merchant'

/** Request headers that are accepted. */
export function describeHeaders(suite: WebhookSuite): void {
  const { describe, it, test, withShop } = suite
  describe('accepts a delivery with', () => {
    for (const [what, { options = {}, sent }] of Object.entries(ACCEPTED)) {
      it(what, () =>
        withShop(options, async (shop) => {
          const answer = await shop.post(transferCompleted(), sent)
          const isReceived = !isOfParser(shop, answer)
          if (isReceived) assertAnswer(answer, 200)
          assert.deepEqual(shop.decisions, isReceived ? ['paid'] : [])
        }),
      )
    }
    test('S6 lower-case hex and then upper-case hex, as a duplicate', async (shop) => {
      const { post, decisions } = shop
      const signature = `sha256=${RIGHT.slice(7).toUpperCase()}`
      assertAnswer(await post(transferCompleted()), 200)
      assertAnswer(await post(transferCompleted(), { signature }), 200)
      assert.deepEqual(decisions, ['paid', 'duplicate'])
    })
  })
  describeResolver(suite)
}

function describeResolver({ describe, it, withShop }: WebhookSuite): void {
  describe('a secret resolver', () => {
    it('S10 receives path, query and headers', () => {
      const paths: (string | undefined)[] = []
      const resolve: SecretResolver = (request) => {
        paths.push(request.url)
        return resolveSecrets(request)
      }
      return withShop({ receiver: { secrets: resolve } }, async (shop) => {
        addOrders(shop.orders)
        const sent = { ...FIRST, query: '?shop=1' }
        assertAnswer(await shop.post(transferCompleted(), sent), 200)
        assertAnswer(await shop.post(transferCompleted(), SECOND), 401)
        const { pathname, search } = new URL(paths[0] ?? '', shop.url)
        assert.equal(pathname + search, `${new URL(shop.url).pathname}?shop=1`)
        assert.deepEqual(shop.decisions, ['paid'])
      })
    })
    it('S65 S66 completes the order of the merchant whose secret signed', () =>
      withShop({ receiver: { secrets: resolveSecrets } }, async ({ orders, post }) => {
        addOrders(orders)
        assertAnswer(await post(transferCompleted(), FIRST), 200)
        const statusOf = async (merchant: string): Promise<string | undefined> =>
          (await orders.find({ reference: 'order-1', merchant }))?.status
        assert.equal(await statusOf('first'), 'completed')
        assert.equal(await statusOf('second'), 'pending')
        const signed = { ...SECOND, secret: SECOND_SECRET }
        assertAnswer(await post(transferCompleted(), signed), 200)
        assert.equal(await statusOf('second'), 'completed')
        assert.equal(await statusOf(''), 'pending')
      }))
  })
}

/** Resolves the secrets of two merchants by a header. */
function resolveSecrets({ headers }: Pick<WebhookRequest, 'headers'>) {
  const header = readHeader(headers, 'x-merchant')
  const isFirst = header !== undefined && 'value' in header && header.value === 'first'
  return isFirst
    ? { merchant: 'first', secrets: SECRET }
    : { merchant: 'second', secrets: SECOND_SECRET }
}

function addOrders(orders: MemoryOrderRepository): void {
  for (const merchant of ['first', 'second']) orders.add(makeOrder({ merchant }))
}
