import { once } from 'node:events'
import { Readable } from 'node:stream'
import { signPayload } from '@tonplug/testing'
import { openConnection, requestText, exchange } from '@tonplug/test-support/raw-socket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import rawBody from 'fastify-raw-body'
import { describe, expect, it } from 'vitest'
import { tonplugFastify } from '../src/plugin.js'
import type { WebhookFailedError } from '@tonplug/core/bridge'
import { fastifyVersions } from './support/fastify-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, deliveries, PATH, type Shop } from './support/shop.js'

const { body: BODY, headers: SIGNED } = deliveries.valid
const REFUSED = { statusCode: 401 }

async function serve(app: FastifyInstance, { receiver }: Shop) {
  await app.register(tonplugFastify, { path: PATH, receiver })
  return listen(app)
}

describe.each(fastifyVersions)('the webhook in %s', (_version, createApp) => {
  it.each(['json', '', 'text', ';', 'application/json nonsense', 'a/b/c', '\u00e9/x', 'undefined'])(
    'S17 verifies the bytes of a delivery with the malformed content type %j',
    async (type) => {
      const shop = createShop()
      const { port } = await serve(createApp(), shop)
      const headers = { ...SIGNED, 'content-type': type }
      const put = requestText(PATH, { method: 'PUT', headers, body: BODY })
      expect(await exchange(port, put)).toMatch(/^HTTP\/1.1 405 /)
      const request = requestText(PATH, { headers, body: BODY })
      expect(await exchange(port, request)).toMatch(/^HTTP\/1.1 200 /)
      expect(await shop.orderStatus()).toBe('completed')
    },
  )

  it('shows the content type that was sent to all hooks of the app', async () => {
    const seen: (string | undefined)[] = []
    const note = async ({ headers }: FastifyRequest) => void seen.push(headers['content-type'])
    const app = createApp().addHook('onRequest', note).addHook('preValidation', note)
    app.addHook('preHandler', note).addHook('onResponse', note)
    const { url } = await serve(app, createShop())
    const headers = { ...SIGNED, 'content-type': 'json' }
    expect((await deliver(url, { body: BODY, headers })).status).toBe(200)
    expect(seen).toEqual(['json', 'json', 'json', 'json'])
  })

  it.each(['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const)(
    'is guarded by a hook %s of the app, which recognizes its route',
    async (name) => {
      const shop = createShop()
      const app = createApp()
      let isOpen = false
      app.addHook(name, async ({ routeOptions }: FastifyRequest) => {
        if (!isOpen && routeOptions.config.tonplug === true)
          throw Object.assign(new Error(), REFUSED)
      })
      const { url } = await serve(app, shop)
      expect((await deliver(url)).status).toBe(401)
      expect(await shop.orderStatus()).toBe('pending')
      isOpen = true
      expect((await deliver(url)).status).toBe(200)
    },
  )

  it('responds with the headers that a hook of the app has set', async () => {
    const app = createApp().addHook('onRequest', async (_request, reply) => {
      reply.header('x-request-id', '7')
    })
    const { url } = await serve(app, createShop())
    expect((await deliver(url)).headers.get('x-request-id')).toBe('7')
  })

  it('S23 responds with 405 and Allow: POST to every method that Fastify knows', async () => {
    const app = createApp()
    const { port } = await serve(app, createShop())
    // Fastify 4 does not list its methods.
    const known: string[] = 'supportedMethods' in app ? app.supportedMethods : ['PROPFIND']
    for (const method of new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', ...known])) {
      if (method === 'POST') continue
      const answer = await exchange(port, requestText(PATH, { method }))
      expect([method, answer.slice(9, 12), /^allow: (.*)\r$/m.exec(answer)?.[1]]).toEqual([
        method,
        '405',
        'POST',
      ])
    }
  })

  it('leaves the paths below and beside it to the app', async () => {
    const app = createApp()
    app.all('/webhooks', async () => 'above')
    app.all(`${PATH}/list`, async () => 'below')
    app.setNotFoundHandler(async (_request, reply) => reply.code(404).send('not found'))
    const { url } = await serve(app, createShop())
    const read = async (path: string) => (await fetch(url + path, { method: 'POST' })).text()
    expect(await read('/webhooks')).toBe('above')
    expect(await read(`${PATH}/list`)).toBe('below')
    for (const path of ['/', '/x', 's', '%20']) expect(await read(PATH + path)).toBe('not found')
  })

  it('leaves the parsers of the app unchanged', async () => {
    const app = createApp()
    const shop = createShop()
    await app.register(tonplugFastify, { path: PATH, receiver: shop.receiver })
    app.addContentTypeParser(
      'application/x-lines',
      { parseAs: 'string' },
      async (...[, text]: [unknown, string | Buffer]) => String(text).split('\n'),
    )
    app.post('/echo', async ({ body }) => ({ body }))
    const { url } = await listen(app)
    const send = async (type: string, body: string) => {
      const headers = { ...SIGNED, 'content-type': type }
      const response = await fetch(`${url}/echo`, { method: 'POST', headers, body })
      return [response.status, await response.json()]
    }
    expect(await send('application/json', '{"a":1}')).toEqual([200, { body: { a: 1 } }])
    expect(await send('text/plain', 'a')).toEqual([200, { body: 'a' }])
    expect(await send('application/x-lines', 'a\nb')).toEqual([200, { body: ['a', 'b'] }])
    expect(await send('image/png', 'a')).toMatchObject([415, { statusCode: 415 }])
    expect((await deliver(url)).status).toBe(200)
  })

  it('S18 has its own limit, whatever the bodyLimit of the app', async () => {
    const shop = createShop()
    const { url } = await serve(createApp({ bodyLimit: 10 }), shop)
    expect((await deliver(url)).status).toBe(200)
    const other = await serve(createApp({ bodyLimit: 10_000_000 }), createShop())
    const { status, body } = await deliver(other.url, signPayload(BODY.padEnd(70_000), 'whsec_x'))
    expect([status, body]).toEqual([413, '{"ok":false}'])
  })

  it('passes only a WebhookFailedError to the error handler, and no detail to the sender', async () => {
    const rule = () => {
      throw new TypeError('password of the database')
    }
    const errors: WebhookFailedError[] = []
    const app = createApp()
    app.addHook('onError', async (_request, _reply, error) => {
      errors.push(error as unknown as WebhookFailedError)
    })
    const { url } = await serve(app, createShop({ rules: [rule] }))
    expect((await deliver(url, deliveries.wrongSignature)).status).toBe(401)
    const { status, body } = await deliver(url)
    expect([status, body]).toEqual([500, expect.not.stringContaining('password')])
    expect(errors.map(({ name, cause }) => [name, String(cause)])).toEqual([
      ['WebhookFailedError', expect.stringContaining('RuleError')],
    ])
  })

  it('S20 ends with a sender that disconnects in the middle of the body', async () => {
    const shop = createShop()
    const { port } = await serve(createApp(), shop)
    const connection = await openConnection(port)
    connection.write(requestText(PATH, { headers: SIGNED, body: BODY }).slice(0, -10))
    await expect.poll(() => shop.receiver.stats()).toEqual({})
    connection.socket.destroy()
    await expect.poll(() => shop.receiver.stats()).toEqual({ body_incomplete: 1 })
  })

  it('S52 responds with 503 while the app closes', async () => {
    const shop = createShop()
    const app = createApp()
    let finish = (): void => undefined
    app.get('/slow', (_request, reply) => void (finish = () => void reply.send('done')))
    await app.register(tonplugFastify, { path: PATH, receiver: shop.receiver })
    const { port } = await listen(app)
    const connection = await openConnection(port)
    connection.write(requestText('/slow', { method: 'GET', isLast: false }))
    await once(app.server, 'request')
    connection.write(requestText(PATH, { headers: SIGNED, body: BODY }))
    const closed = app.close()
    await new Promise((resolve) => setImmediate(resolve))
    finish()
    await connection.receivedText('503')
    await closed
    expect(await shop.orderStatus()).toBe('pending')
  })

  it('S10 verifies each of two webhooks with its own secret', async () => {
    const [first, second] = [createShop(), createShop({}, 'whsec_second')]
    const app = createApp()
    await app.register(tonplugFastify, { path: PATH, receiver: first.receiver })
    await app.register(tonplugFastify, { path: '/second', receiver: second.receiver })
    const { url } = await listen(app)
    const send = async (path: string) =>
      (await fetch(url + path, { method: 'POST', headers: SIGNED, body: BODY })).status
    expect([await send('/second'), await send(PATH)]).toEqual([401, 200])
    expect([await first.orderStatus(), await second.orderStatus()]).toEqual([
      'completed',
      'pending',
    ])
  })

  it('accepts a delivery of app.inject', async () => {
    const app = createApp()
    await app.register(tonplugFastify, { path: PATH, receiver: createShop().receiver })
    const answer = await app.inject({ method: 'POST', url: PATH, headers: SIGNED, payload: BODY })
    expect([answer.statusCode, answer.body]).toEqual([200, '{"ok":true}'])
    const refused = await app.inject({ method: 'POST', url: PATH, payload: BODY })
    expect(refused.statusCode).toBe(401)
    await app.close()
  })
})

describe.each(fastifyVersions)(
  'the webhook behind hooks that read bodies, in %s',
  (_version, createApp) => {
    it('reads the stream that a hook returns instead of the body', async () => {
      const app = createApp().addHook('preParsing', async (_request, _reply, payload) => {
        const chunks: Uint8Array[] = []
        for await (const chunk of payload) chunks.push(chunk as Uint8Array)
        return Readable.from(chunks)
      })
      const { url } = await serve(app, createShop())
      expect((await deliver(url)).status).toBe(200)
    })

    it.each([
      ['a Buffer', (bytes: Buffer) => bytes],
      ['an ArrayBuffer', (bytes: Buffer) => Uint8Array.from(bytes).buffer],
      [
        'a DataView',
        ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length),
      ],
      ['a string', String],
    ])('uses the bytes that a hook has kept in rawBody as %s', async (_what, toKept) => {
      const app = createApp().addHook('preParsing', async (request, _reply, payload) => {
        const chunks: Uint8Array[] = []
        for await (const chunk of payload) chunks.push(chunk as Uint8Array)
        Object.assign(request, { rawBody: toKept(Buffer.concat(chunks)) })
        return payload
      })
      const { url } = await serve(app, createShop())
      expect((await deliver(url)).status).toBe(200)
    })

    it('S21 responds with 500 and logs the fix when a hook has read the body and kept nothing', async () => {
      const shop = createShop()
      const app = createApp().addHook('preParsing', async (_request, _reply, payload) => {
        for await (const _ of payload);
        return payload
      })
      const { url } = await serve(app, shop)
      const { status, body } = await deliver(url)
      expect([status, body]).toEqual([500, '{"ok":false}'])
      expect(shop.logger.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          message: expect.stringContaining('let the hook pass requests whose'),
        }),
      )
    })
  },
)

it('reads the body itself in an app with fastify-raw-body for all routes', async () => {
  const shop = createShop()
  const [, createApp] = fastifyVersions[1] as (typeof fastifyVersions)[number]
  const app = createApp()
  await app.register(rawBody, { global: true })
  // The body arrives while this hook waits.
  app.addHook('preHandler', () => new Promise((resolve) => setTimeout(resolve, 20)))
  app.post('/raw', async (request) => request.rawBody)
  await app.register(tonplugFastify, { path: PATH, receiver: shop.receiver })
  const { url, port } = await listen(app)
  const connection = await openConnection(port)
  const [head = '', body = ''] = requestText(PATH, { headers: SIGNED, body: BODY }).split(
    '\r\n\r\n',
  )
  connection.write(`${head}\r\n\r\n${body.slice(0, 50)}`)
  await once(app.server, 'request')
  await new Promise((resolve) => setImmediate(resolve))
  connection.write(body.slice(50))
  expect(await connection.received()).toMatch(/^HTTP\/1.1 200 /)
  const raw = await fetch(`${url}/raw`, { method: 'POST', body: 'text' })
  expect(await raw.text()).toBe('text')
})
