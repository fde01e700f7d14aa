import assert from 'node:assert/strict'
import { transferCompleted } from '../payloads.js'
import { signPayload } from '../sign.js'
import { sendRequest } from './http-request.js'
import { assertAnswer, SECRET, type ShopOptions, type WebhookSuite } from './webhook-shop.js'

const PLAIN = JSON.stringify(transferCompleted())
const NOT_ASCII = JSON.stringify(transferCompleted({ commentToSender: 'Žluťoučký кофе 漢字 💎' }))

/** Returns `PLAIN` with more fields at its start, exactly as given. */
function withFields(fields: string): string {
  return `{${fields},${PLAIN.slice(1)}`
}

const ODD_BODIES: Record<string, string> = {
  'spaces and line breaks': `\r\n ${JSON.stringify(transferCompleted(), null, '\t')}`,
  'a trailing newline': `${PLAIN}\n`,
  'numbers with another canonical form': withFields('"a":1.0,"b":-0,"c":1e2,"d":1E400,"e":0.10'),
  'integers above 2^64': withFields('"a":18446744073709551617,"b":-9223372036854775809'),
  'text beyond ASCII': NOT_ASCII,
  'unnecessary escapes': withFields('"a":"\\u00e9\\/\\u0041","\\u0062":"\\ud83d\\udc8e"'),
  'an escaped lone surrogate and an escaped NUL': withFields('"a":"\\ud800","b":"\\u0000"'),
  'line separators': withFields('"a":"\u2028\u2029"'),
  'control characters': withFields('"a":"\\u001b\u007f"'),
  'duplicate keys': withFields('"event":"transfer.refunded","a":1,"a":2'),
  'integer-like keys in another sequence': withFields('"10":1,"9":2,"b":3,"1":4'),
  'prototype keys (S16)': withFields('"__proto__":{"isAdmin":true},"constructor":{"prototype":1}'),
}

/** The signature covers the exact bytes that were sent. */
export function describeBytes(suite: WebhookSuite): void {
  const { describe, test } = suite
  describe('the bytes of a delivery', () => {
    for (const [what, body] of Object.entries(ODD_BODIES)) {
      test(`S13 are verified exactly: ${what}`, async ({ post, decisions }) => {
        assertAnswer(await post(body), 200)
        assert.deepEqual(decisions, ['paid'])
        assert.equal(Object.hasOwn(Object.prototype, 'isAdmin'), false)
      })
    }
    test('S13 are refused with 401 when they are equal as JSON only', async ({ post, calls }) => {
      const { signature } = signPayload(PLAIN, SECRET)
      for (const body of [`${PLAIN} `, JSON.stringify(transferCompleted(), null, 1)]) {
        assertAnswer(await post(body, { signature }), 401)
      }
      assert.deepEqual(calls, [])
    })
    describePieces(suite)
    describeLongBodies(suite)
  })
}

function describePieces({ test }: WebhookSuite): void {
  test('S13 may arrive in chunks of one byte', async ({ url, decisions }) => {
    const { body, headers } = signPayload(NOT_ASCII, SECRET)
    const pieces = Array.from(Buffer.from(body), (byte) => Uint8Array.of(byte))
    assertAnswer(await sendRequest(url, { headers, body: pieces }), 200)
    assert.deepEqual(decisions, ['paid'])
  })
}

function describeLongBodies({ it, withShop }: WebhookSuite): void {
  const cases: Record<string, { bytes: number; options: ShopOptions }> = {
    'S18 may be as many as the limit': { bytes: 65_536, options: {} },
    'S18 may be more when the limit is higher': {
      bytes: 300_000,
      options: { receiver: { maxBodyBytes: 300_000 } },
    },
  }
  for (const [what, { bytes, options }] of Object.entries(cases)) {
    it(what, () =>
      withShop(options, async ({ post, decisions }) => {
        assertAnswer(await post(PLAIN.padEnd(bytes)), 200)
        assert.deepEqual(decisions, ['paid'])
      }),
    )
  }
}
