import assert from 'node:assert/strict'
import { readHeader } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { signPayload } from '../sign.js'
import type { Suite } from './runner.js'
import type { WebhookAdapterHarness } from './webhook-adapter.js'
import {
  assertAnswer,
  type PostOptions,
  SECRET,
  type ShopOptions,
  withShop,
} from './webhook-shop.js'

const { signature: RIGHT } = signPayload(transferCompleted(), SECRET)

const ACCEPTED: Record<string, { options?: ShopOptions; sent: PostOptions }> = {
  'x-pay-signature': { sent: { header: 'x-pay-signature' } },
  'x-tonpay-signature': { sent: { header: 'x-tonpay-signature' } },
  'X-TonPay-Signature in capitals': { sent: { header: 'X-TONPAY-SIGNATURE' } },
  'both signature headers with the same value': { sent: { headers: { 'X-Pay-Signature': RIGHT } } },
  'a signature header of your own': {
    options: { signatureHeaders: ['X-Shop-Signature'] },
    sent: { header: 'x-shop-signature' },
  },
  'S6 upper-case hex': { sent: { signature: `sha256=${RIGHT.slice(7).toUpperCase()}` } },
  'base64, when it is to be base64': {
    options: { signatureEncoding: 'base64' },
    sent: { signature: `sha256=${Buffer.from(RIGHT.slice(7), 'hex').toString('base64')}` },
  },
  'S7 the second of two secrets': {
    options: { secrets: ['whsec_the_next_secret', SECRET] },
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

/** Which heads of a request are as good as the usual one. */
export function describeHeaders({ makeHarness, runner }: Suite<WebhookAdapterHarness>): void {
  const { describe, it } = runner
  describe('takes a delivery with', () => {
    for (const [what, { options = {}, sent }] of Object.entries(ACCEPTED)) {
      it(what, () =>
        withShop(makeHarness, options, async ({ post, decisions }) => {
          assertAnswer(await post(transferCompleted(), sent), 200)
          assert.deepEqual(decisions, ['paid'])
        }),
      )
    }
    it('S6 lower-case hex and then upper-case hex, as a duplicate', () =>
      withShop(makeHarness, {}, async ({ post, decisions }) => {
        const signature = `sha256=${RIGHT.slice(7).toUpperCase()}`
        assertAnswer(await post(transferCompleted()), 200)
        assertAnswer(await post(transferCompleted(), { signature }), 200)
        assert.deepEqual(decisions, ['paid', 'duplicate'])
      }))
  })
  describe('a secret resolver', () => {
    it('S10 gets path, query and headers, and tells merchants apart', () => {
      const paths: (string | undefined)[] = []
      const secrets: ShopOptions['secrets'] = ({ url, headers }) => {
        paths.push(url)
        const merchant = readHeader(headers, 'x-merchant')
        const isFirst = merchant !== undefined && 'value' in merchant && merchant.value === 'first'
        return isFirst ? SECRET : 'whsec_the_other_merchant'
      }
      return withShop(makeHarness, { secrets }, async ({ post, url }) => {
        const sent = { query: '?shop=1', headers: { 'X-Merchant': 'first' } }
        assertAnswer(await post(transferCompleted(), sent), 200)
        assertAnswer(await post(transferCompleted(), { headers: { 'X-Merchant': 'second' } }), 401)
        const { pathname, search } = new URL(paths[0] ?? '', url)
        assert.equal(pathname + search, `${new URL(url).pathname}?shop=1`)
      })
    })
  })
}
