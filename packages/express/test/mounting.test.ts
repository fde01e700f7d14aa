import { signPayload, transferCompleted } from '@tonplug/testing'
import type { RequestHandler } from 'express'
import type { RequestListener } from 'node:http'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import type { Express } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { exchange, requestText } from '@tonplug/test-support/raw-socket'
import { createShop, deliver, deliveries, SECRET } from './support/shop.js'

type Mount = (express: Express, webhook: RequestHandler) => RequestListener

const mounts = {
  'app.post': (express, webhook) => express().post('/webhooks/ton', webhook),
  'app.all': (express, webhook) => express().all('/webhooks/ton', webhook),
  'app.use': (express, webhook) => express().use('/webhooks/ton', webhook),
  'router.post under a prefix': (express, webhook) => {
    const router = express.Router()
    router.post('/ton', webhook)
    return express().use('/webhooks', router)
  },
  'router.use under a prefix': (express, webhook) => {
    const router = express.Router()
    router.use('/ton', webhook)
    return express().use('/webhooks', router)
  },
  'another app': (express, webhook) =>
    express().use('/webhooks', express().post('/:merchant', webhook)),
  'a route with a handler ahead of it': (express, webhook) =>
    express().post('/webhooks/ton', (_request, _response, next) => next(), webhook),
  'a handler that calls it': (express, webhook) =>
    express().post('/webhooks/ton', (...parameters) => webhook(...parameters)),
} satisfies Record<string, Mount>

describe.each(expressVersions)('the middleware in %s', (_version, express) => {
  it.each(Object.entries(mounts))('S1 processes deliveries of %s', async (_name, mount) => {
    const shop = createShop()
    const { url } = await listen(mount(express, tonplugWebhook(shop.receiver)))
    expect(await deliver(`${url}/webhooks/ton?source=gateway`, deliveries.valid)).toEqual({
      status: 200,
      contentType: 'application/json',
      body: '{"ok":true}',
    })
    expect(await shop.orderStatus()).toBe('completed')
  })

  it('passes on longer paths, also after a route that calls next()', async () => {
    const shop = createShop()
    const app = express()
    app.all(/.*/, (_request, _response, next) => next())
    app.use('/webhooks/ton', tonplugWebhook(shop.receiver))
    app.get('/webhooks/ton/health', (_request, response) => void response.send('fine'))
    const { url } = await listen(app)
    expect((await request(url).get('/webhooks/ton/health')).text).toBe('fine')
    expect((await deliver(`${url}/webhooks/ton`, deliveries.valid)).status).toBe(200)
  })

  it('passes on unsigned requests after a POST route that calls next()', async () => {
    const shop = createShop()
    const app = express()
    app.post(/.*/, (_request, _response, next) => next())
    app.use('/webhooks', tonplugWebhook(shop.receiver))
    app.post('/webhooks/other', (_request, response) => void response.send('fine'))
    const { url } = await listen(app)
    const answer = await request(url).post('/webhooks/other').type('text').send('{}')
    expect(answer.text).toBe('fine')
    expect(shop.receiver.stats()).toEqual({})
  })

  it('S10 passes the whole original path to a secret resolver', async () => {
    const urls: (string | undefined)[] = []
    const { receiver } = createShop({
      receiver: {
        secrets: ({ url }) => {
          urls.push(url)
          return { merchant: '', secrets: SECRET }
        },
      },
    })
    for (const mount of Object.values(mounts)) {
      const { url } = await listen(mount(express, tonplugWebhook(receiver)))
      await deliver(`${url}/webhooks/ton?a=1`, deliveries.valid)
    }
    expect(new Set(urls)).toEqual(new Set(['/webhooks/ton?a=1']))
  })

  describe.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('S23 %s', (method) => {
    it.each(['app.use', 'app.all', 'router.use under a prefix'] as const)(
      'gets 405 and Allow: POST from %s, and the connection stays open',
      async (name) => {
        const shop = createShop()
        const { port } = await listen(mounts[name](express, tonplugWebhook(shop.receiver)), {
          rejectNonStandardBodyWrites: true,
        })
        const one = requestText('/webhooks/ton', { method, isLast: false })
        const received = await exchange(port, one + requestText('/webhooks/ton', { method }))
        const answers = received.split('HTTP/1.1 ').slice(1)
        expect(answers).toHaveLength(2)
        for (const answer of answers) {
          expect(answer).toMatch(/^405 Method Not Allowed\r\n/)
          expect(answer).toMatch(/^allow: POST\r$/m)
          expect(answer.endsWith(method === 'HEAD' ? '\r\n\r\n' : '\r\n\r\n{"ok":false}')).toBe(
            true,
          )
        }
        expect(shop.receiver.stats()).toEqual({ method_not_allowed: 2 })
      },
    )
  })

  it('S23 passes on other methods with app.post', async () => {
    const webhook = tonplugWebhook(createShop().receiver)
    const { url } = await listen(mounts['app.post'](express, webhook))
    expect((await request(url).get('/webhooks/ton')).status).toBe(404)
    const options = await request(url).options('/webhooks/ton')
    expect([options.status, options.headers['allow']]).toEqual([200, 'POST'])
  })

  it.each(['/webhooks/ton/more', '/webhooks/ton/more?x=1', '/webhooks/tonic', '/webhooks', '/'])(
    'S23 leaves %s to the app with app.use',
    async (path) => {
      const shop = createShop()
      const app = express()
        .use('/webhooks/ton', tonplugWebhook(shop.receiver))
        .use((_request, response) => {
          response.status(204).end()
        })
      const { url } = await listen(app)
      expect(await deliver(`${url}${path}`, deliveries.valid)).toMatchObject({ status: 204 })
      expect(shop.receiver.stats()).toEqual({})
    },
  )

  it('S23 accepts a trailing slash with app.use, as Express does', async () => {
    const shop = createShop()
    const { url } = await listen(express().use('/webhooks/ton', tonplugWebhook(shop.receiver)))
    expect(await deliver(`${url}/webhooks/ton/`, deliveries.valid)).toMatchObject({ status: 200 })
  })

  const routes: Record<string, Mount> = {
    'a route of the app': (express, webhook) =>
      express().post('/webhooks/:merchant', (...parameters) => webhook(...parameters)),
    'a route of a router': (express, webhook) => {
      const router = express.Router()
      router.post('/:merchant', (...parameters) => webhook(...parameters))
      return express().use('/webhooks', router)
    },
  }
  it.each(Object.entries(routes))(
    'responds inside a function of the app in %s, with any signature header',
    async (_where, mount) => {
      const shop = createShop({ receiver: { signatureHeaders: ['X-Forwarded-Pay-Signature'] } })
      const { url } = await listen(mount(express, tonplugWebhook(shop.receiver)))
      const { body, headers } = signPayload(transferCompleted(), SECRET, {
        header: 'x-forwarded-pay-signature',
      })
      expect((await deliver(`${url}/webhooks/ton`, { body, headers })).status).toBe(200)
      expect(shop.receiver.stats()).toEqual({ paid: 1 })
    },
  )

  it('S10 separates two merchants with a route and a secret each', async () => {
    const app = express()
    for (const merchant of ['one', 'two']) {
      const { receiver } = createShop({ receiver: { secrets: `whsec_${merchant}` } })
      app.post(`/${merchant}`, tonplugWebhook(receiver))
    }
    const { url } = await listen(app)
    const signedByOne = signPayload(transferCompleted(), 'whsec_one')
    expect(await deliver(`${url}/one`, signedByOne)).toMatchObject({ status: 200 })
    expect(await deliver(`${url}/two`, signedByOne)).toMatchObject({ status: 401 })
  })
})
