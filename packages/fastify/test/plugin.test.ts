import { createPayments, memoryInbox, memoryOrderRepository } from '@tonplug/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { tonplugDesk } from '@tonplug/desk'
import { describe, expect, it } from 'vitest'
import type { TonplugFastifyOptions } from '../src/options.js'
import { tonplugFastify } from '../src/plugin.js'
import { fastifyVersions } from './support/fastify-versions.js'
import { listen } from './support/listen.js'
import { createShop, PATH } from './support/shop.js'

const wallet = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'

describe.each(fastifyVersions)('health, in %s', (_version, createApp) => {
  it('responds with 200 while payments are accepted and with 503 afterwards, never cached', async () => {
    const { payments } = createShop()
    const app = createApp()
    await app.register(tonplugFastify, { payments, health: '/ready' })
    const { url } = await listen(app)
    const up = await fetch(`${url}/ready`)
    expect([up.status, up.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await up.json()).toMatchObject({ status: 'up', inbox: 'memory', undecided: 0 })
    expect((await fetch(`${url}/ready`, { method: 'HEAD' })).status).toBe(200)
    await payments.close()
    const down = await fetch(`${url}/ready`)
    expect([down.status, await down.json()]).toMatchObject([503, { status: 'down' }])
  })

  it('responds with the health of several sources', async () => {
    const stats = () => Promise.reject(new Error('ECONNREFUSED'))
    const { payments } = createShop({ inbox: { ...memoryInbox(), stats } })
    const watcher = { health: async () => ({ status: 'degraded' as const }) }
    const app = createApp()
    const health = { '/ready': payments, '/watcher': watcher }
    await app.register(tonplugFastify, { prefix: '/health', health })
    const { url } = await listen(app)
    expect((await fetch(`${url}/health/ready`)).status).toBe(503)
    const other = await fetch(`${url}/health/watcher`)
    expect([other.status, await other.json()]).toEqual([200, { status: 'degraded' }])
  })
})

describe.each(fastifyVersions)('the desk, in %s', (_version, createApp) => {
  it('responds below its path to operators, and reads bodies itself', async () => {
    const { payments } = createShop()
    const authorize = ({ headers }: Request) =>
      headers.get('authorization') === 'Bearer token' && { operator: 'ann' }
    const handler = tonplugDesk({ payments, authorize, actions: true })
    const app = createApp()
    await app.register(tonplugFastify, { prefix: '/admin', desk: { path: '/tonplug', handler } })
    const { url } = await listen(app)
    const headers = { authorization: 'Bearer token' }
    for (const path of ['/admin/tonplug', '/admin/tonplug/']) {
      const page = await fetch(url + path, { headers })
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringMatching(/^<!doctype html>/i),
      ])
    }
    expect((await fetch(`${url}/admin/tonplug/api/transfers`)).status).toBe(403)
    const session = await fetch(`${url}/admin/tonplug/api/session`, { headers })
    const { csrfToken } = (await session.json()) as { csrfToken: string }
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const redecide = await fetch(`${url}/admin/tonplug/api/reprocess`, {
      method: 'POST',
      headers: {
        ...headers,
        cookie,
        origin: url,
        'content-type': 'application/json',
        'x-csrf-token': csrfToken,
      },
      body: '{"reportId":"unknown"}',
    })
    expect([redecide.status, await redecide.json()]).toMatchObject([422, { code: 'INVALID' }])
    expect((await fetch(`${url}/admin/tonplugs`, { headers })).status).toBe(404)
  })
})

describe.each(fastifyVersions)('fastify.tonplug, in %s', (_version, createApp) => {
  it('has the clients, visible to the app and to its other plugins', async () => {
    const clients = { v2: createV2Client(), v3: createV3Client(), wallet }
    const app = createApp()
    await app.register(tonplugFastify, { clients })
    let seen: unknown
    await app.register(async (scope) => {
      seen = scope.tonplug.v2
    })
    expect([seen, app.tonplug.v3]).toEqual([clients.v2, clients.v3])
    const invoice = await app.tonplug.invoices.create({ amount: '1', asset: 'TON' })
    expect(invoice.link).toContain('ton://transfer/')
    expect(() => app.tonplug.transfers).toThrow(
      'transfers: is missing; add it to the clients: { transfers: createTransferClient({ apiKey }) }',
    )
  })

  it('is absent without clients', async () => {
    const app = createApp()
    await app.register(tonplugFastify, { path: PATH, receiver: createShop().receiver })
    expect(app.hasDecorator('tonplug')).toBe(false)
  })

  it('has the clients of a second shop by its name, registered first or last', async () => {
    const [one, two] = [{ v2: createV2Client() }, { v2: createV2Client() }]
    const app = createApp()
    await app.register(tonplugFastify, { clients: two, name: 'berlin' })
    expect(Reflect.get(app.tonplug, 'berlin')).toMatchObject(two)
    expect(() => app.tonplug.v2).toThrow('v2: is missing')
    const other = createApp()
    await other.register(tonplugFastify, { clients: one })
    await other.register(tonplugFastify, { clients: two, name: 'berlin' })
    expect(other.tonplug.v2).toBe(one.v2)
    expect(Reflect.get(Reflect.get(other.tonplug, 'berlin'), 'v2')).toBe(two.v2)
  })

  it.each([
    [undefined, 'name: is missing; this app has clients without a name'],
    ['v2', "name: must differ from the names that fastify.tonplug has; received 'v2'"],
    ['__proto__', 'name: must differ from the names'],
  ])('rejects a second shop with the name %j', async (name, message) => {
    const app = createApp()
    await app.register(tonplugFastify, { clients: {} })
    await expect(app.register(tonplugFastify, { clients: {}, name })).rejects.toThrow(message)
  })

  it('is separate in two scoped plugins', async () => {
    const seen: unknown[] = []
    const app = createApp()
    const given = [{ v2: createV2Client() }, { v2: createV2Client() }]
    for (const clients of given) {
      await app.register(async (scope) => {
        await scope.register(tonplugFastify, { clients })
        seen.push(scope.tonplug.v2)
      })
    }
    expect(seen).toEqual(given.map(({ v2 }) => v2))
    expect(seen[0]).not.toBe(seen[1])
    expect(app.hasDecorator('tonplug')).toBe(false)
  })
})

describe('tonplugFastify', () => {
  const payments = createPayments({ orders: memoryOrderRepository() })
  const receiver = { receive: () => Promise.reject(new Error('unused')) }
  const health = { health: async () => ({ status: 'up' as const }) }

  it.each<[string, object]>([
    ['tonplugFastify.receivers: is not an option here; did you mean receiver?', { receivers: [] }],
    ['path: is missing; set the path of the webhook', { receiver }],
    ["path: must be a path that begins with '/'", { path: 'webhooks', receiver }],
    ["path: must be a path that begins with '/'", { path: 5, receiver }],
    [
      'receiver: must be a receiver from createWebhookReceiver(); received undefined',
      { path: PATH },
    ],
    [
      'receiver: must be a receiver from createWebhookReceiver()',
      { path: PATH, receiver: payments },
    ],
    [
      'payments: must be the result of createPayments(); received undefined',
      { orderStatusStream: '/:reference' },
    ],
    [
      'orderStatusStream: must be a path with :reference, or have a key',
      { orderStatusStream: '/:id', payments },
    ],
    ["orderStatusStream: must be a path that begins with '/'", { orderStatusStream: {}, payments }],
    [
      'orderStatusStream.key: must be a function',
      { orderStatusStream: { path: '/', key: 'id' }, payments },
    ],
    ...[0, -1, 1.5, NaN, '2', null].map((maxStreams): [string, object] => [
      'orderStatusStream.maxStreams: must be a whole number above zero, or Infinity',
      { orderStatusStream: { path: '/:reference', maxStreams }, payments },
    ]),
    [
      'orderStatusStream.maxStream: is not an option here; did you mean maxStreams?',
      { orderStatusStream: { path: '/:reference', maxStream: 5 }, payments },
    ],
    ['orderStatusStream: must be an object', { orderStatusStream: null, payments }],
    ['health: must be a path with payments, or paths', { health: '/ready' }],
    ['health: must be a path with payments, or paths', { health: 5 }],
    ["health: must be a path that begins with '/'", { health: { ready: health } }],
    ["desk.path: must be a path that begins with '/'", { desk: { handler: () => undefined } }],
    ['desk: must be an object', { desk: null }],
    ['desk.paths: is not an option here; did you mean path?', { desk: { paths: [] } }],
    ['desk.handler: must be tonplugDesk(…)', { desk: { path: '/desk' } }],
    ['name: must be a non-empty string', { name: '' }],
    ['name: requires clients', { name: 'berlin' }],
    ['network: is not an option here', { clients: { network: 'testnet' } }],
    ['clients: must be an object', { clients: null }],
  ])('rejects the app at its start: %s', async (message, options) => {
    const [, createApp] = fastifyVersions[1] as (typeof fastifyVersions)[number]
    const app = createApp()
    void app.register(tonplugFastify, options as TonplugFastifyOptions)
    await expect(app.ready()).rejects.toThrow(message)
  })
})
