import { once } from 'node:events'
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tonplugFastify } from '../src/plugin.js'
import { createShop, deliveries, PATH, SECRET } from './support/shop.js'

const { body: BODY, headers: SIGNED } = deliveries.valid

async function open() {
  const shop = createShop()
  const app = fastify({ http2: true })
  const { receiver, payments } = shop
  const orderStatusStream = '/orders/:reference/events'
  await app.register(tonplugFastify, { path: PATH, receiver, payments, orderStatusStream })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const client = connect(url)
  onTestFinished(async () => {
    client.destroy()
    await app.close()
  })
  return { shop, app, client }
}

interface Sent {
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string | undefined
  isUnfinished?: boolean
}

async function send(
  client: ClientHttp2Session,
  { method = 'POST', headers, body, isUnfinished }: Sent,
) {
  const stream = client.request({ ':method': method, ':path': PATH, ...headers })
  if (isUnfinished === true) stream.write(body ?? '')
  else stream.end(body)
  const [received] = (await once(stream, 'response')) as [Record<string, unknown>]
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk)
  return { status: received[':status'], headers: received, body: text }
}

describe('the webhook over HTTP/2', () => {
  it.each<[string, OutgoingHttpHeaders]>([
    ['a content type', { 'content-type': 'application/json' }],
    ['no content type', {}],
    ['a malformed content type', { 'content-type': 'json' }],
    ['a content length', { 'content-length': Buffer.byteLength(BODY) }],
  ])('S17 accepts a delivery with %s', async (_what, headers) => {
    const { client, shop } = await open()
    const { 'content-type': _type, ...signature } = SIGNED
    const answer = await send(client, { headers: { ...signature, ...headers }, body: BODY })
    expect([answer.status, answer.body]).toEqual([200, '{"ok":true}'])
    expect(await shop.orderStatus()).toBe('completed')
  })

  it('responds to refused requests, and accepts a delivery of the same connection', async () => {
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { client } = await open()
    const long = signPayload(BODY.padEnd(70_000), SECRET)
    const cases: [number, Sent][] = [
      [401, { body: BODY }],
      [401, { headers: deliveries.wrongSignature.headers, body: BODY }],
      [405, { method: 'GET' }],
      [405, { method: 'PUT', headers: SIGNED, body: BODY }],
      [413, { headers: long.headers, body: long.body }],
      [413, { headers: long.headers, body: long.body, isUnfinished: true }],
      [401, { body: BODY, isUnfinished: true }],
      [415, { headers: { ...SIGNED, 'content-encoding': 'gzip' }, body: BODY }],
      [400, signPayload('{}', SECRET)],
    ]
    for (const [status, sent] of cases) {
      const answer = await send(client, sent)
      expect([answer.status, answer.body]).toEqual([status, '{"ok":false}'])
      expect(answer.headers['allow']).toBe(status === 405 ? 'POST' : undefined)
    }
    expect((await send(client, { headers: SIGNED, body: BODY })).status).toBe(200)
    expect(warnings).toEqual([])
  })

  it('S20 ends with a sender that resets the stream in the middle of the body', async () => {
    const { client, app, shop } = await open()
    const stream = client.request({ ':method': 'POST', ':path': PATH, ...SIGNED })
    stream.on('error', () => undefined)
    stream.write(BODY.slice(0, 100))
    await once(app.server, 'request')
    await new Promise((resolve) => setImmediate(resolve))
    stream.destroy()
    await expect.poll(() => shop.receiver.stats()).toEqual({ body_incomplete: 1 })
    expect((await send(client, { headers: SIGNED, body: BODY })).status).toBe(200)
  })

  it('ends status streams after paid, and when the app closes', async () => {
    const { client, app, shop } = await open()
    const read = (path: string) => {
      const stream = client.request({ ':path': path })
      const seen = { text: '', isEnded: false }
      stream.setEncoding('utf8').on('data', (chunk: string) => (seen.text += chunk))
      stream.on('end', () => (seen.isEnded = true))
      return seen
    }
    const [one, other] = [read('/orders/order-1/events'), read('/orders/order-2/events')]
    await expect
      .poll(() => [one.text, other.text].every((text) => text.includes('waiting')))
      .toBe(true)
    const { data } = transferCompleted()
    await shop.payments.submit({ source: 'chain', merchant: '', rawBody: BODY, transfer: data })
    await expect.poll(() => one.isEnded).toBe(true)
    expect(one.text).toContain('id: paid\ndata: {"status":"paid"}\n\n')
    expect(other.isEnded).toBe(false)
    client.close()
    await app.close()
    await expect.poll(() => other.isEnded).toBe(true)
  })
})
