import { runInNewContext } from 'node:vm'
import {
  ConfigurationError,
  createWebhookReceiver,
  memoryOrderRepository,
  verifySignature,
} from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { levels, openShop, order, OTHER_SECRET, SECRET } from '../shop.js'

const signed = signPayload(transferCompleted(), SECRET)
const digest = signed.signature.slice('sha256='.length)

const minimal = {
  event: 'transfer.completed',
  timestamp: '2024-01-15T14:30:00.000Z',
  data: {
    amount: '10.5',
    rawAmount: '10500000000',
    senderAddr: '',
    recipientAddr: '',
    asset: 'TON',
    status: 'success',
    reference: 'order-1',
    bodyBase64Hash: '',
    txHash: 'tx',
    traceId: '',
    date: '',
  },
}

describe('authenticity', () => {
  it('S1 pays an order once on a valid minimal body', async () => {
    const shop = openShop()
    const answer = await shop.send(minimal)
    await shop.settle()
    expect(answer).toMatchObject({ status: 200, decision: { kind: 'paid' } })
    expect(shop.orders.all()).toMatchObject([{ status: 'completed', payment: { txHash: 'tx' } }])
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S2 responds with 401 to a change of any byte, and counts it', async () => {
    const shop = openShop()
    const bytes = Buffer.from(signed.body)
    for (let index = 0; index < bytes.length; index += 7) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      const answer = await shop.receiver.receive({ headers: signed.headers, rawBody: changed })
      expect(answer).toMatchObject({ status: 401, decision: { reason: 'mismatch' } })
    }
    expect(shop.receiver.stats()).toEqual({ invalid_signature: Math.ceil(bytes.length / 7) })
    expect(await shop.inbox.processes.nextDueInMs({ name: 'default' })).toBeUndefined()
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it.each([
    ['no header', {}],
    ['an empty header', { 'x-pay-signature': '' }],
    ['white space', { 'x-pay-signature': '  ' }],
    ['an empty list', { 'x-pay-signature': [] }],
    ['a list of two values', { 'x-pay-signature': [signed.signature, signed.signature] }],
    ['a list of an empty value', { 'x-pay-signature': [''] }],
    [
      'lists of one value each, in two cases',
      { 'x-pay-signature': [signed.signature], 'X-Pay-Signature': [signed.signature] },
    ],
    [
      'a repeated header as Node joins it',
      { 'x-pay-signature': `${signed.signature}, ${signed.signature}` },
    ],
    [
      'the header in two cases',
      { 'x-pay-signature': signed.signature, 'X-Pay-Signature': signed.signature },
    ],
    [
      'two headers that differ',
      { 'x-pay-signature': signed.signature, 'x-tonpay-signature': `sha256=${'0'.repeat(64)}` },
    ],
  ])('S3 responds with 401 to %s', async (_, headers) => {
    const shop = openShop()
    const answer = await shop.receiver.receive({ headers, rawBody: signed.body })
    expect(answer).toMatchObject({ status: 401, decision: { kind: 'invalid_signature' } })
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it.each([
    [
      'lists of one value',
      { 'X-Pay-Signature': [signed.signature], 'Content-Encoding': ['identity'] },
    ],
    ['an empty list of another header', { ...signed.headers, 'content-encoding': [] }],
    ['a prototype of null', Object.assign(Object.create(null), signed.headers)],
    [
      'a prototype of another context',
      runInNewContext('({ ...given })', { given: signed.headers }),
    ],
    ['Headers', new Headers(signed.headers)],
    [
      'a class of headers that returns undefined',
      { get: (name: string) => Reflect.get(signed.headers, name) },
    ],
    [
      'a class of headers that returns lists of one value',
      {
        get: (name: string) =>
          new Map([
            ['x-pay-signature', [signed.signature]],
            ['content-encoding', ['identity']],
          ]).get(name),
      },
    ],
  ])('accepts headers with %s', async (_, headers) => {
    const { receiver } = openShop()
    const answer = await receiver.receive({ headers, rawBody: signed.body })
    expect(answer).toMatchObject({ status: 200, decision: { kind: 'paid' } })
    const { signature } = signed
    expect(verifySignature(signed.body, [signature], { secrets: SECRET }).isValid).toBe(true)
    const two = verifySignature(signed.body, [signature, signature], { secrets: SECRET })
    expect(two).toEqual({ isValid: false, reason: 'malformed' })
  })

  class IncomingRequest {
    headers = signed.headers
    method = 'POST'
  }
  class ForeignHeaders {
    'x-pay-signature' = signed.signature
  }

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a string of', signed.signature],
    ['a list', Object.entries(signed.headers).flat()],
    ['a list', Object.entries(signed.headers)],
    ['a function', () => signed.headers],
    ['an object', new Map(Object.entries(signed.headers))],
    ['an object', new URLSearchParams(signed.headers)],
    ['an object', new ForeignHeaders()],
    ['a whole request', new IncomingRequest()],
    ['a whole request', { headers: signed.headers, get: () => null }],
    ['a whole request', new Request('http://shop.example', { headers: signed.headers })],
  ])('rejects headers that are %s with a ConfigurationError', async (found, headers) => {
    const shop = openShop()
    const received = shop.receiver.receive({ headers: headers as never, rawBody: signed.body })
    await expect(received).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      details: { option: 'headers' },
      message: expect.stringContaining(`received ${found}`),
    })
    await expect(received).rejects.not.toThrow(signed.signature)
    expect(shop.receiver.stats()).toEqual({})
  })

  it('rejects a header whose value is an object, and a missing request', async () => {
    const { receiver } = openShop()
    const key = 'X-Pay-Signature'
    const ofLambdaAtEdge = { 'x-pay-signature': [{ key, value: signed.signature }] } as never
    await expect(receiver.receive({ headers: ofLambdaAtEdge, rawBody: '' })).rejects.toThrow(
      'headers: must have strings or lists of strings as values; received an object for x-pay-signature',
    )
    await expect(receiver.receive(undefined as never)).rejects.toThrow(
      'request: must be an object with headers and rawBody; received undefined',
    )
  })

  it('accepts two signature headers with the same value', async () => {
    const headers = { 'x-pay-signature': signed.signature, 'x-tonpay-signature': signed.signature }
    const answer = await openShop().receiver.receive({ headers, rawBody: signed.body })
    expect(answer.status).toBe(200)
  })

  it.each([
    ['the prefix missing', digest],
    ['SHA256=', `SHA256=${digest}`],
    ['sha512=', `sha512=${digest}`],
    ['the prefix twice', `sha256=${signed.signature}`],
    ...[62, 63, 65, 66].map((length) => [
      `${length} digits`,
      `sha256=${digest.repeat(2).slice(0, length)}`,
    ]),
    ['no hex', `sha256=${'z'.repeat(64)}`],
    ['junk between the pairs', `sha256=${digest.slice(0, 30)}  ${digest.slice(32)}`],
    ['64 zeroes', `sha256=${'0'.repeat(64)}`],
    ['base64 of 33 bytes', `sha256=${Buffer.alloc(33).toString('base64')}`],
    [
      'a signature in base64',
      signPayload(transferCompleted(), SECRET, { encoding: 'base64' }).signature,
    ],
    ['a newline behind', `${signed.signature}\n`],
  ])('S4 S5 responds with 401 to %s', async (_, signature = '') => {
    const headers = { 'x-tonpay-signature': signature }
    const answer = await openShop().receiver.receive({ headers, rawBody: signed.body })
    expect(answer).toMatchObject({ status: 401, body: '{"ok":false}' })
  })

  it('S6 accepts upper-case hex as the same delivery', async () => {
    const shop = openShop()
    const upper = { 'x-tonpay-signature': `sha256=${digest.toUpperCase()}` }
    expect(await shop.receiver.receive({ headers: upper, rawBody: signed.body })).toMatchObject({
      decision: { kind: 'paid' },
    })
    expect(await shop.decide(signed.body)).toBe('duplicate')
  })

  it('accepts base64 by option', async () => {
    const shop = openShop([order()], { signatureEncoding: 'base64' })
    const { body, headers } = signPayload(transferCompleted(), SECRET, { encoding: 'base64' })
    expect((await shop.receiver.receive({ headers, rawBody: body })).status).toBe(200)
    expect((await shop.receiver.receive({ headers: signed.headers, rawBody: body })).status).toBe(
      401,
    )
  })

  it('S7 accepts any of the secrets and stores the name of the secret that signed', async () => {
    const shop = openShop([order()], {
      secrets: [SECRET, { name: 'next', secret: OTHER_SECRET }],
    })
    const ids: string[] = []
    shop.payments.onDecision(({ reportId }) => ids.push(reportId))
    expect((await shop.send(transferCompleted(), OTHER_SECRET)).status).toBe(200)
    expect(await shop.inbox.reports.find(ids[0] ?? '')).toMatchObject({ signedWith: 'next' })
    expect((await shop.send(transferCompleted(), 'whsec_core_neither')).status).toBe(401)
  })

  it('S8 responds with 503 when the secret resolver rejects', async () => {
    const shop = openShop([order()], {
      secrets: () => Promise.reject(new Error('vault is sealed')),
    })
    const answer = await shop.send(transferCompleted())
    expect(answer).toMatchObject({
      status: 503,
      decision: { kind: 'unavailable', reason: 'secrets' },
    })
    expect(answer.headers['retry-after']).toBeDefined()
  })

  it('S8 responds with 503 at the deadline when the secret resolver hangs', async () => {
    const shop = openShop([order()], { secrets: () => new Promise(() => undefined) })
    const answer = shop.send(transferCompleted())
    await shop.clock.advance(8000)
    expect(await answer).toMatchObject({ status: 503, decision: { reason: 'deadline' } })
  })

  it.each([undefined, '', '  ', 'whsec_core\n', 'undefined', '${SECRET}', '"whsec_core"'])(
    'S9 rejects the secret %j in the options',
    (secret) => {
      const { payments } = openShop([])
      const options = { payments, secrets: secret as string }
      expect(() => createWebhookReceiver(options)).toThrow(ConfigurationError)
    },
  )

  it('S9 rejects a signature made with an empty secret, whatever the resolver returns', async () => {
    for (const secrets of ['', [''], [], undefined]) {
      const resolved = { merchant: '', secrets: secrets as string }
      const shop = openShop([order()], { secrets: () => resolved })
      const answer = await shop.send(transferCompleted(), '')
      expect(answer).toMatchObject({ status: 503, decision: { reason: 'secrets' } })
    }
  })

  it('S9 rejects a signature made with the string of a missing secret, whatever the resolver returns', async () => {
    for (const secret of ['undefined', 'null', '[object Object]', '${SECRET}', '<your-secret>']) {
      for (const secrets of [secret, [secret], [SECRET, { name: 'old', secret }]]) {
        const shop = openShop([order()], { secrets: () => ({ merchant: '', secrets }) })
        const answer = await shop.send(transferCompleted(), secret)
        expect(answer).toMatchObject({ status: 503, decision: { reason: 'secrets' } })
      }
    }
  })

  it('S10 rejects the secret of another merchant on the same route', async () => {
    const secretOf: Record<string, string> = { '/hooks/one': SECRET, '/hooks/two': OTHER_SECRET }
    const { receiver } = openShop([order({ merchant: '/hooks/two' })], {
      secrets: ({ url = '' }) => ({ merchant: url, secrets: secretOf[url] ?? '' }),
    })
    const { headers, body } = signPayload(transferCompleted(), OTHER_SECRET)
    expect((await receiver.receive({ url: '/hooks/one', headers, rawBody: body })).status).toBe(401)
    const answer = await receiver.receive({ url: '/hooks/two', headers, rawBody: body })
    expect(answer).toMatchObject({ status: 200, decision: { kind: 'paid' } })
  })

  it.each(['a string', ['a list'], { secrets: 'no merchant' }, null, undefined])(
    'S10 responds with 503 when the secret resolver returns %j, and logs how to fix it',
    async (returned) => {
      // JavaScript callers may return anything, whatever the types say.
      const shop = openShop([order()], { secrets: () => returned as never })
      const answer = await shop.send(transferCompleted())
      expect(answer).toMatchObject({ status: 503, decision: { reason: 'secrets' } })
      const errors = shop.logger.lines.filter(({ level }) => level === 'error')
      expect(errors).toMatchObject([
        {
          fields: {
            error: {
              code: 'ERR_TONPLUG_CONFIGURATION',
              message: expect.stringMatching(
                /^secrets(\.merchant)?: must .* A secret without its merchant could report orders of others/,
              ),
            },
          },
        },
      ])
      expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
    },
  )

  it('S11 decides duplicate for a replay an hour later', async () => {
    const shop = openShop()
    await shop.send(transferCompleted())
    await shop.clock.advance(3_600_000)
    expect(await shop.decide(transferCompleted())).toBe('duplicate')
    expect(shop.shipped).toEqual(['order-1'])
  })

  it.each([
    ['reject', 401, 3_600_000],
    ['acknowledge', 200, 3_600_000],
    ['reject', 401, -86_400_000],
    ['acknowledge', 200, -86_400_000],
  ] as const)(
    'S11 is limited to maxAgeMs: %s responds with %i to an age of %i ms',
    async (staleDelivery, status, ageMs) => {
      const shop = openShop([order()], { maxAgeMs: 600_000, staleDelivery })
      const timestamp = new Date(shop.clock.nowMs() - ageMs).toISOString()
      const answer = await shop.send({ ...transferCompleted(), timestamp })
      expect(answer).toMatchObject({ status, decision: { kind: 'stale' } })
      expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
    },
  )

  it('S11 accepts a recent timestamp and rejects an invalid one with maxAgeMs', async () => {
    const shop = openShop([order()], { maxAgeMs: 600_000 })
    const timestamp = new Date(shop.clock.nowMs() - 600_000).toISOString()
    expect(await shop.decide({ ...transferCompleted(), timestamp: 'yesterday' })).toBe('stale')
    expect(await shop.decide({ ...transferCompleted(), timestamp })).toBe('paid')
  })

  it('S12 rejects ten thousand forgeries without a read of the store, JSON parsing or error logs', async () => {
    const touched: string[] = []
    const untouchable = new Proxy(memoryOrderRepository(), {
      get(target, name, receiver) {
        return typeof name === 'string' && name === 'find'
          ? () => Promise.resolve(touched.push(name))
          : (Reflect.get(target, name, receiver) as unknown)
      },
    })
    const shop = openShop([], { orders: untouchable })
    const forged = { 'x-pay-signature': `sha256=${'a'.repeat(64)}` }
    for (let count = 0; count < 10_000; count++) {
      const answer = await shop.receiver.receive({ headers: forged, rawBody: '{ this is not JSON' })
      if (answer.status !== 401) throw new Error(`answered ${answer.status}`)
    }
    expect(touched).toEqual([])
    expect(levels(shop).has('error')).toBe(false)
    expect(
      shop.logger.lines.filter(({ message }) =>
        message.startsWith('webhook refused: invalid signature; '),
      ),
    ).toEqual([
      expect.objectContaining({
        level: 'warn',
        fields: { kind: 'invalid_signature', reason: 'mismatch', leftOut: 0 },
      }),
    ])
    expect(shop.receiver.stats()).toEqual({ invalid_signature: 10_000 })
  })
})
