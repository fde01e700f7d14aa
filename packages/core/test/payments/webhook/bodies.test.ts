import { PassThrough, Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { parsePayload, readNodeBody, verifySignature } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, SECRET } from '../shop.js'

const text = JSON.stringify(transferCompleted())

describe('bodies', () => {
  it.each([
    ['spaces and newlines', JSON.stringify(transferCompleted(), null, 3)],
    ['a trailing newline', `${text}\n`],
    ['1.0', text.replace('{', '{"version":1.0,')],
    ['escapes', text.replace('"Order 1"', String.raw`"caf\u00e9 \/ \u001B"`)],
    ['bytes beyond ASCII', text.replace('"Order 1"', '"café 💎"')],
    ['2^64', text.replace('{', '{"id":18446744073709551617,')],
    ['duplicate keys', text.replace('{', '{"event":"other",')],
    ['keys like integers', text.replace('{', '{"2":0,"1":0,')],
  ])('S13 verifies the bytes of a body with %s', async (_, body) => {
    const shop = openShop()
    expect(await shop.send(body)).toMatchObject({ status: 200, decision: { kind: 'paid' } })
  })

  it('S14 responds with 400 to invalid UTF-8 that is signed', async () => {
    const bytes = Buffer.from(text)
    bytes[text.indexOf('Order 1')] = 0xff
    expect(await openShop().send(bytes)).toMatchObject({ status: 400, body: '{"ok":false}' })
  })

  it.each(['\ufeff' + text, '', 'null', '[]', '"text"', '{}', '['.repeat(10_000)])(
    'S15 responds with 400 to %.20j, after the signature',
    async (body) => {
      const shop = openShop()
      expect((await shop.send(body, 'whsec_core_wrong')).status).toBe(401)
      expect((await shop.send(body)).status).toBe(400)
      expect(await shop.decide(text)).toBe('paid')
    },
  )

  it('S16 ignores fields in __proto__', async () => {
    const shop = openShop()
    const body = text.replace('"data":{', '"data":{"__proto__":{"rawAmount":"1"},')
    expect(await shop.decide(body)).toBe('paid')
    expect(parsePayload(body).data).not.toHaveProperty('polluted')
    expect(({} as { rawAmount?: string }).rawAmount).toBeUndefined()
  })

  it.each([
    undefined,
    'text/plain',
    'application/json; charset=utf-8',
    'application/cloudevents+json',
  ])('S17 accepts the content type %s', async (contentType) => {
    const { body, signature } = signPayload(text, SECRET)
    const headers = { 'content-type': contentType, 'x-tonpay-signature': signature }
    expect((await openShop().receiver.receive({ headers, rawBody: body })).status).toBe(200)
  })

  it.each([
    ['an object', JSON.parse(text)],
    ['an object', Readable.from([text])],
    ['a list', [...Buffer.from(text)]],
    ['a promise', Promise.resolve(text)],
    ['5', 5],
    ['undefined', undefined],
    ['null', null],
  ])('rejects a body that is %s, given or read', async (found, rawBody) => {
    const { headers } = signPayload(text, SECRET)
    const { receiver } = openShop()
    const message = `rawBody: must be the exact bytes or string of the body; received ${found}`
    await expect(receiver.receive({ headers, rawBody })).rejects.toThrow(message)
    if (rawBody instanceof Promise) return
    const read = { headers, rawBody: async () => rawBody }
    await expect(receiver.receive(read)).rejects.toThrow(message)
  })

  const bytes = Buffer.from(text.padEnd(text.length + (-text.length & 7)))
  const inner = new ArrayBuffer(bytes.length + 16)
  new Uint8Array(inner, 8).set(bytes)
  const types = {
    ArrayBuffer: Uint8Array.from(bytes).buffer,
    DataView: new DataView(inner, 8, bytes.length),
    'a pooled Buffer': Buffer.from(inner, 8, bytes.length),
    Uint8ClampedArray: new Uint8ClampedArray(inner, 8, bytes.length),
    Uint16Array: new Uint16Array(inner, 8, bytes.length / 2),
    Float64Array: new Float64Array(inner, 8, bytes.length / 8),
    'an ArrayBuffer of another context': runInNewContext('Uint8Array.from(bytes).buffer', {
      bytes,
    }),
    'a Uint8Array of another context': runInNewContext('Uint8Array.from(bytes)', { bytes }),
  } satisfies Record<string, ArrayBuffer | ArrayBufferView>

  it.each(Object.entries(types))('reads %s by its own bounds', async (_, rawBody) => {
    const { headers, signature } = signPayload(bytes, SECRET)
    const request = { headers, rawBody }
    const read = { headers, rawBody: async () => rawBody }
    for (const one of [request, read]) {
      const { receiver } = openShop([order()], { maxBodyBytes: bytes.length - 1 })
      expect(await receiver.receive(one)).toMatchObject({ status: 413 })
      const exact = openShop([order()], { maxBodyBytes: bytes.length }).receiver
      expect(await exact.receive(one)).toMatchObject({ status: 200 })
    }
    expect(verifySignature(rawBody, signature, { secrets: SECRET }).isValid).toBe(true)
  })

  it.each([
    ['ArrayBuffer', (buffer: ArrayBuffer) => buffer],
    ['Uint8Array', (buffer: ArrayBuffer) => new Uint8Array(buffer)],
    ['Buffer', (buffer: ArrayBuffer) => Buffer.from(buffer)],
    ['Uint16Array', (buffer: ArrayBuffer) => new Uint16Array(buffer)],
    ['DataView', (buffer: ArrayBuffer) => new DataView(buffer)],
  ])('rejects a detached %s, given or read', async (_, wrap) => {
    const buffer = Uint8Array.from(bytes).buffer
    const rawBody = wrap(buffer)
    structuredClone(buffer, { transfer: [buffer] })
    const { headers } = signPayload(bytes, SECRET)
    const { receiver } = openShop()
    const message = 'rawBody: was detached: its ArrayBuffer was transferred'
    await expect(receiver.receive({ headers, rawBody })).rejects.toThrow(message)
    const read = { headers, rawBody: async () => rawBody as Uint8Array }
    await expect(receiver.receive(read)).rejects.toThrow(message)
  })

  it.each([
    ['a context of Hono', (request: Request) => ({ req: { raw: request }, header: () => '' })],
    ['a Node request', () => ({ method: 'POST', url: '/', headers: { host: 'x' } })],
    ['nothing', () => undefined],
  ])('rejects a call of handle with %s', async (_what, wrap) => {
    const { receiver } = openShop()
    const { body, headers } = signPayload(text, SECRET)
    const request = new Request('http://shop.example/', { method: 'POST', headers, body })
    await expect(receiver.handle(wrap(request) as never)).rejects.toThrow(
      'receiver.handle: must be called with a Fetch Request; in Hono pass c.req.raw',
    )
    expect((await receiver.handle(request)).status).toBe(200)
  })

  it("stops a reader that replaces the receiver's signal", async () => {
    const { receiver } = openShop()
    const { headers } = signPayload(text, SECRET)
    const own = new AbortController()
    const answer = receiver.receive({
      headers,
      rawBody: (limits) => {
        const reading = readNodeBody(new PassThrough())({ ...limits, signal: own.signal })
        own.abort()
        return reading
      },
    })
    expect(await answer).toMatchObject({ status: 408 })
  })

  it('S18 responds with 413 above the limit and with 200 at the limit', async () => {
    const padded = text.padEnd(65_536)
    expect((await openShop().send(padded)).status).toBe(200)
    expect(await openShop().send(`${padded} `)).toMatchObject({
      status: 413,
      headers: { connection: 'close' },
    })
    const umlauts = text.replace('Order 1', 'ü'.repeat(40_000))
    expect((await openShop().send(umlauts)).status).toBe(413)
    expect((await openShop([order()], { maxBodyBytes: 100_000 }).send(umlauts)).status).toBe(200)
  })

  it.each(['gzip', 'br', 'identity, gzip'])(
    'S19 responds with 415 to the encoding %s',
    async (encoding) => {
      const { body, headers } = signPayload(text, SECRET)
      const encoded = { ...headers, 'content-encoding': encoding }
      expect((await openShop().receiver.receive({ headers: encoded, rawBody: body })).status).toBe(
        415,
      )
    },
  )

  it.each(['GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE'])(
    'S23 responds with 405 to %s',
    async (method) => {
      const { body, headers } = signPayload(text, SECRET)
      const answer = await openShop().receiver.receive({ method, headers, rawBody: body })
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    },
  )
})

describe('bodies that do not arrive', () => {
  it('S20 responds with 408 at the deadline, whatever the reader does, and ignores what it returns later', async () => {
    const { receiver, clock, orders } = openShop()
    const { body, headers } = signPayload(text, SECRET)
    let arrive = (_bytes: Uint8Array): void => undefined
    const rawBody = () => new Promise<Uint8Array>((resolve) => (arrive = resolve))
    const response = receiver.receive({ headers, rawBody })
    await clock.advance(8000)
    expect((await response).status).toBe(408)
    // Waits for running requests; the clock stands still.
    await receiver.close()
    arrive(Buffer.from(body))
    await clock.advance(0)
    expect(await orders.find({ reference: 'order-1' })).toMatchObject({ status: 'pending' })
  })

  it.each([{ 'content-length': '3' }, {}])(
    'S20 responds with 408 to a Fetch request with %j whose body does not end',
    async (length) => {
      const { receiver, clock } = openShop()
      const { headers } = signPayload(text, SECRET)
      const request = new Request('http://localhost/', {
        method: 'POST',
        headers: { ...headers, ...length },
        body: new ReadableStream(),
        duplex: 'half',
      })
      const response = receiver.handle(request)
      await clock.advance(8000)
      expect((await response).status).toBe(408)
      await receiver.close()
    },
  )
})
