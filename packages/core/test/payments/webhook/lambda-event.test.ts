import { readLambdaEvent } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, SECRET } from '../shop.js'

const { body, headers, signature } = signPayload(transferCompleted(), SECRET)

describe('readLambdaEvent', () => {
  it('S22 reads an event of format 1.0, its query included', async () => {
    const event = {
      httpMethod: 'POST',
      path: '/hook',
      headers,
      multiValueHeaders: { 'X-TonPay-Signature': [signature] },
      queryStringParameters: { shop: 'b' },
      multiValueQueryStringParameters: { shop: ['a c', 'b'] },
      requestContext: {},
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    }
    const request = readLambdaEvent(event)
    expect(request.url).toBe('/hook?shop=a+c&shop=b')
    expect((await openShop().receiver.receive(request)).status).toBe(200)
    const repeated = { 'X-TonPay-Signature': [signature, signature] }
    const answer = openShop().receiver.receive(
      readLambdaEvent({ ...event, multiValueHeaders: repeated }),
    )
    expect((await answer).status).toBe(401)
  })

  it('S22 reads an event of format 2.0, its query included', async () => {
    const event = { rawPath: '/hook', rawQueryString: 'shop=a%20c', headers, body }
    const request = readLambdaEvent({ ...event, requestContext: { http: { method: 'POST' } } })
    expect(request.url).toBe('/hook?shop=a%20c')
    expect((await openShop().receiver.receive(request)).status).toBe(200)
  })

  it.each([{}, null, undefined])(
    'S22 reads the headers of an event whose multiValueHeaders are %j',
    async (multiValueHeaders) => {
      const event = { httpMethod: 'POST', path: '/hook', headers, multiValueHeaders, body }
      expect((await openShop().receiver.receive(readLambdaEvent(event))).status).toBe(200)
    },
  )

  it.each([
    ['an object', { event: 'transfer.completed' }],
    ['an object', Buffer.from(body)],
    ['5', 5],
  ])('rejects a body that is %s, encoded or not', (received, parsed) => {
    const event = { httpMethod: 'POST', headers, body: parsed as never }
    for (const isBase64Encoded of [true, false]) {
      expect(() => readLambdaEvent({ ...event, isBase64Encoded })).toThrow(
        `event.body: must be the string of the event, or null; received ${received}. Call readLambdaEvent()`,
      )
    }
  })

  it('S3 responds with 401 to an event without a body', async () => {
    const event = { httpMethod: 'POST', headers, body: null, isBase64Encoded: true }
    expect((await openShop().receiver.receive(readLambdaEvent(event))).status).toBe(401)
  })

  it('S23 responds with 405 to an event without a method', async () => {
    const request = readLambdaEvent({ headers, body })
    expect((await openShop().receiver.receive(request)).status).toBe(405)
  })

  it('S2 responds with 401 to an event of the console, whose headers are null', async () => {
    const event = { httpMethod: 'POST', path: '/', headers: null, multiValueHeaders: null, body }
    expect((await openShop().receiver.receive(readLambdaEvent(event))).status).toBe(401)
  })

  it.each([
    [{ Records: [] }, 'an event without headers'],
    [undefined, 'undefined'],
    ['{}', 'a string of 2 characters'],
  ])('rejects %j with a ConfigurationError', (event, received) => {
    expect(() => readLambdaEvent(event as never)).toThrow(
      `event: must be an HTTP event of API Gateway or of a function URL; received ${received}`,
    )
  })
})
