import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signPayload } from './sign.js'

const SECRET = 'whsec_sign'

describe('signPayload', () => {
  it('signs the JSON of an object', () => {
    const { body, headers, signature } = signPayload({ event: 'é', amount: 1 }, SECRET)
    expect(body).toBe('{"event":"é","amount":1}')
    expect(signature).toBe(`sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`)
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-tonpay-signature': signature,
    })
  })
  it('signs a string without a change', () => {
    const { body, signature } = signPayload('{ "a": 1.0 }\n', SECRET)
    expect(body).toBe('{ "a": 1.0 }\n')
    expect(signature).not.toBe(signPayload({ a: 1 }, SECRET).signature)
  })
  it('signs bytes without a change', () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0xfe)
    const { body, signature } = signPayload(bytes, SECRET)
    expect(body).toBe(bytes)
    expect(signature).toBe(`sha256=${createHmac('sha256', SECRET).update(bytes).digest('hex')}`)
  })
  it('uses the given header and encoding', () => {
    const { headers } = signPayload('{}', SECRET, { header: 'x-pay-signature', encoding: 'base64' })
    const digest = createHmac('sha256', SECRET).update('{}').digest('base64')
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-pay-signature': `sha256=${digest}`,
    })
  })
})
