import type { ClientsOptions } from '@tonplug/core/bridge'
import {
  createTransferClient,
  createTransport,
  createV2Client,
  createV3Client,
  sendAndWait,
  type TransportOptions,
} from '@tonplug/core/toncenter'
import { startMockApi } from '@tonplug/test-support/mock-api'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import express5 from 'express'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { tonplugClients } from '../src/clients-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { BOC, TRACE } from '@tonplug/test-support/message'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const wallet = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
const apiKey = 'key-of-the-tests-0123456789'
const BALANCE = { ok: true, result: '1234567890123456789', '@extra': 'x' }
const REFUSED = { ok: false, code: 401, error: `API key ${apiKey} does not exist` }
const TOP = [{ account: `0:${'0'.repeat(64)}`, balance: '1234567890123456789' }]

/** Returns a middleware with clients of both APIs. */
function clientsOf(options: TransportOptions): RequestHandler {
  const transport = createTransport(options)
  return tonplugClients({ v2: createV2Client({ transport }), v3: createV3Client({ transport }) })
}

/** Returns a route with types of both majors. Express 4 does not pass on rejections. */
function route(respond: (...parameters: Parameters<RequestHandler>) => Promise<unknown>) {
  const handler: RequestHandler = async (req, res, next) => {
    try {
      await respond(req, res, next)
    } catch (error) {
      next(error)
    }
  }
  return handler
}

const showError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).send(error.message)
}

const balanceRoute = route(async ({ tonplug }, response) =>
  response.send(String(await tonplug.v2.getAddressBalance({ address }))),
)

describe.each(expressVersions)('tonplugClients in %s', (_version, express) => {
  it('sets the given clients, the same ones for all requests and routers', async () => {
    const transport = createTransport({ network: 'testnet' })
    const given = {
      v2: createV2Client({ transport }),
      v3: createV3Client({ transport }),
      transfers: createTransferClient({ network: 'testnet' }),
    }
    const seen: unknown[] = []
    const router = express.Router().get('/', ({ tonplug: { v2, v3, transfers } }, response) => {
      seen.push(v2 === given.v2, v3 === given.v3, transfers === given.transfers)
      response.end()
    })
    const app = express().use(tonplugClients(given)).use('/a', router).use('/b', router)
    await request(app).get('/a').expect(200)
    await request(app).get('/b').expect(200)
    expect(seen).toEqual(Array(6).fill(true))
  })

  it('has one transport for the clients of both APIs', async () => {
    const { baseUrl, requests } = await startMockApi(({ url }) => ({
      body: url?.includes('/v3/') ? TOP : BALANCE,
    }))
    const limited: string[] = []
    const limiter = { acquire: async () => void limited.push('acquired'), pause: () => undefined }
    const top = route(async ({ tonplug }, response) =>
      response.send(String((await tonplug.v3.topAccountsByBalance({ limit: 1 }))[0]?.balance)),
    )
    const app = express()
      .use(clientsOf({ baseUrl, apiKey, limiter }))
      .get('/balance', balanceRoute)
      .get('/top', top)
    await request(app).get('/balance').expect(200, '1234567890123456789')
    await request(app).get('/top').expect(200, '1234567890123456789')
    expect(requests).toMatchObject([
      { url: `/api/v2/getAddressBalance?address=${address}`, apiKey },
      { url: '/api/v3/topAccountsByBalance?limit=1', apiKey },
    ])
    expect(limited).toHaveLength(2)
  })

  it.each<[keyof Express.Request['tonplug'], string]>([
    ['v2', 'v2: is missing; add it to the clients: { v2: createV2Client({ transport }) }'],
    ['v3', 'v3: is missing; add it to the clients: { v3: createV3Client({ transport }) }'],
    ['transfers', 'transfers: is missing; add it to the clients: { transfers: create'],
    ['invoices', "wallet: is missing; add it to the clients: { wallet: 'UQ…your wallet' }"],
  ])('throws when a route reads %s, which was not passed', async (name, message) => {
    const caught: unknown[] = []
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      caught.push(error)
      response.status(500).end()
    }
    const app = express()
      .use(tonplugClients({}))
      .get('/', ({ tonplug }, response) => void response.json(typeof tonplug[name]))
      .use(onError)
    await request(app).get('/').expect(500)
    expect(caught).toEqual([
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        message: expect.stringContaining(message),
      }),
    ])
  })

  it('creates invoices for its wallet', async () => {
    const app = express()
      .use(tonplugClients({ wallet }), express.json())
      .post(
        '/',
        route(async ({ tonplug, body }, response) =>
          response.json(await tonplug.invoices.create({ ...body, asset: 'TON' })),
        ),
      )
    const { body } = await request(app).post('/').send({ amount: '10.5', reference: 'order-1' })
    expect(body).toMatchObject({
      reference: 'order-1',
      rawAmount: '10500000000',
      recipient: wallet,
      link: `ton://transfer/${wallet}?amount=10500000000&text=order-1`,
    })
  })

  it('creates invoices in jettons with its client of API v3', async () => {
    const jetton = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
    const create = (options: ClientsOptions, decimals?: number) =>
      express()
        .use(tonplugClients(options))
        .get(
          '/',
          route(async ({ tonplug }, response) => {
            const asset = { asset: jetton, decimals }
            response.json(await tonplug.invoices.create({ amount: '1.5', ...asset }))
          }),
        )
        .use(showError)
    const { body } = await request(create({ wallet }, 6)).get('/')
    expect(body).toMatchObject({ rawAmount: '1500000', amount: '1.5' })
    await request(create({ wallet }))
      .get('/')
      .expect(500, /^v3: is required for a jetton/)
  })

  it('has clients that sendAndWait accepts', async () => {
    const { baseUrl, requests } = await startMockApi(({ url }) => ({
      body: url.startsWith('/api/v2')
        ? { ok: true, result: { '@type': 'ok' } }
        : {
            traces: url.startsWith('/api/v3/traces') ? [TRACE] : [],
            address_book: {},
            metadata: {},
          },
    }))
    const app = express()
      .use(clientsOf({ baseUrl, rps: Infinity }))
      .post(
        '/',
        route(async ({ tonplug }, response) => {
          const { outcome, status } = await sendAndWait(tonplug, BOC, { pollMs: 1 })
          response.json({ outcome, status })
        }),
      )
    await request(app).post('/').expect(200, { outcome: 'success', status: 'finalized' })
    expect(requests[0]?.url).toBe('/api/v2/sendBoc')
  })

  it("passes client errors unchanged to the app's error handler", async () => {
    const { baseUrl } = await startMockApi(() => ({ status: 401, body: REFUSED }))
    const caught: unknown[] = []
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      caught.push(error)
      response.status(502).send('upstream')
    }
    const app = express().use(clientsOf({ baseUrl, apiKey })).get('/', balanceRoute).use(onError)
    await request(app).get('/').expect(502, 'upstream')
    expect(caught).toEqual([
      expect.objectContaining({
        code: 'ERR_TONPLUG_AUTHENTICATION',
        endpoint: 'getAddressBalance',
      }),
    ])
  })

  it('does not reveal the API key when the app has no error handler', async () => {
    const { baseUrl } = await startMockApi(() => ({ status: 401, body: REFUSED }))
    const app = express().use(clientsOf({ baseUrl, apiKey })).get('/', balanceRoute)
    const { status, text } = await request(app).get('/')
    expect(status).toBe(500)
    expect(text).toContain('the API key is missing or invalid')
    expect(text).not.toContain(apiKey)
  })
})

it('lets Express 5 pass on the error of an async route', async () => {
  const refused = { ok: false, code: 404, error: 'transaction was not found' }
  const { baseUrl } = await startMockApi(() => ({ status: 404, body: refused }))
  const message = { source: address, destination: address, created_lt: 1n }
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(404).send(error.code)
  }
  const app = express5()
    .use(clientsOf({ baseUrl }))
    .get('/', async ({ tonplug }, response) => {
      response.json(await tonplug.v2.tryLocateTx(message))
    })
    .use(onError)
  expect(await request(app).get('/')).toMatchObject({ status: 404, text: 'ERR_TONPLUG_NOT_FOUND' })
})

it.each<[object, string]>([
  [{ network: 'testnet' }, 'network: is not an option here; it takes v2, v3, transfers, wallet.'],
  [{ gateway: {} }, 'gateway: is not an option here; it takes'],
  [{ V3: {} }, 'V3: is not an option here; it takes'],
  [{ wallet: 'UQ' }, 'wallet: must be a TON address'],
  [{ wallet: 5 }, 'wallet: must be a TON address'],
])('rejects %j when it is created, not in a request', (options, message) => {
  expect(() => tonplugClients(options as ClientsOptions)).toThrow(
    expect.objectContaining({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining(message),
    }),
  )
})

it.each([undefined, null, 'testnet'])('rejects %j instead of options', (options) => {
  expect(() => tonplugClients(options as never)).toThrow(
    /^clients: must be an object with v2, v3, transfers, wallet; received (undefined|null|a string.*)$/,
  )
})
