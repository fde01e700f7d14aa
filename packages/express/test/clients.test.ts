import { systemClock } from '@tonplug/core'
import {
  createRateLimiter,
  createTransferClient,
  createTransport,
  createV2Client,
  createV3Client,
} from '@tonplug/core/toncenter'
import type { V2Client, V3Client } from '@tonplug/core/toncenter'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import express5 from 'express'
import { describe, expect, it } from 'vitest'
import { tonplugClients, type ClientOptions } from '../src/clients-middleware.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const apiKey = 'key-of-the-tests-0123456789'
const BALANCE = { ok: true, result: '1234567890123456789', '@extra': 'x' }
const REFUSED = { ok: false, code: 401, error: `API key ${apiKey} does not exist` }

/** A route with types of both majors. */
const balanceRoute: RequestHandler = async (request, response, next) => {
  try {
    const balance = await request.tonplug.v2.getAddressBalance({ address })
    response.send(balance.toString())
  } catch (error) {
    next(error)
  }
}

const accountsRoute: RequestHandler = async (request, response, next) => {
  try {
    const [top] = await request.tonplug.v3.topAccountsByBalance({ limit: 1 })
    response.send(String(top?.balance))
  } catch (error) {
    next(error)
  }
}

const TOP = [{ account: `0:${'0'.repeat(64)}`, balance: '1234567890123456789' }]

async function read(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}

describe.each(expressVersions)('tonplugClients in %s', (_version, express) => {
  it('sets a client of API v2 with its options', async () => {
    const { baseUrl, requests } = await startMockApi(() => ({ body: BALANCE }))
    const app = express().use(tonplugClients({ baseUrl, apiKey })).get('/balance', balanceRoute)
    const { url } = await listen(app)
    expect(await read(`${url}/balance`)).toEqual({ status: 200, text: '1234567890123456789' })
    expect(requests).toMatchObject([
      { url: `/api/v2/getAddressBalance?address=${address}`, apiKey },
    ])
  })

  it('sets a client of API v3 with the same options and the same transport', async () => {
    const { baseUrl, requests } = await startMockApi(() => ({ body: TOP }))
    const limited: string[] = []
    const limiter = {
      acquire: async () => void limited.push('acquired'),
      pause: () => undefined,
    }
    const clients: V3Client[] = []
    const app = express()
      .use(tonplugClients({ baseUrl, apiKey, limiter }))
      .use((request, _response, next) => {
        clients.push(request.tonplug.v3)
        next()
      })
      .get('/top', accountsRoute)
    const { url } = await listen(app)
    expect(await read(`${url}/top`)).toEqual({ status: 200, text: '1234567890123456789' })
    await read(`${url}/top`)
    const asked = { url: '/api/v3/topAccountsByBalance?limit=1', apiKey }
    expect(requests).toMatchObject([asked, asked])
    expect(limited).toHaveLength(2)
    expect(clients[1]).toBe(clients[0])
  })

  it('sends no requests for routes that do not use the clients', async () => {
    const { baseUrl, requests } = await startMockApi(() => ({ body: BALANCE }))
    const app = express()
      .use(tonplugClients({ baseUrl }))
      .get('/', (_request, response) => void response.send('hello'))
    const { url } = await listen(app)
    expect(await read(url)).toEqual({ status: 200, text: 'hello' })
    expect(requests).toEqual([])
  })

  it('sets a client of the gateway with its own API key', async () => {
    const api = await startMockApi(() => ({ body: BALANCE }))
    const gateway = await startMockApi(() => ({ body: { reference: 'ref 1', status: 'pending' } }))
    const options = { baseUrl: gateway.baseUrl, apiKey: 'key-of-the-gateway' }
    const route: RequestHandler = async (request, response, next) => {
      try {
        response.send((await request.tonplug.transfers.byReference('ref 1'))?.state)
      } catch (error) {
        next(error)
      }
    }
    const app = express()
      .use(tonplugClients({ baseUrl: api.baseUrl, apiKey, gateway: options }))
      .get('/status', route)
    const { url } = await listen(app)
    expect(await read(`${url}/status`)).toEqual({ status: 200, text: 'pending' })
    const path = '/api/merchant/v1/transfer?reference=ref+1'
    expect(gateway.requests).toMatchObject([{ url: path, apiKey: 'key-of-the-gateway' }])
    expect(api.requests).toEqual([])
  })

  it('shares one client and one transport between all requests and routers', async () => {
    let bothAreHere = (): void => undefined
    const isReady = new Promise<void>((resolve) => (bothAreHere = resolve))
    const { baseUrl, requests } = await startMockApi(async () => {
      await isReady
      return { body: BALANCE }
    })
    const clients: V2Client[] = []
    const router = express.Router().get(
      '/balance',
      (request, _response, next) => {
        if (clients.push(request.tonplug.v2) === 2) bothAreHere()
        next()
      },
      balanceRoute,
    )
    const app = express().use(tonplugClients({ baseUrl })).use('/a', router).use('/b', router)
    const { url } = await listen(app)
    const [one, other] = await Promise.all([read(`${url}/a/balance`), read(`${url}/b/balance`)])
    expect(one).toEqual({ status: 200, text: '1234567890123456789' })
    expect(other).toEqual(one)
    expect(clients[1]).toBe(clients[0])
    // Only one transport sends identical concurrent reads once.
    expect(requests).toHaveLength(1)
  })

  it('creates separate clients for each call', async () => {
    const one = await startMockApi(() => ({ body: BALANCE }))
    const other = await startMockApi(() => ({ body: BALANCE }))
    const app = express()
      .use('/one', tonplugClients({ baseUrl: one.baseUrl }), balanceRoute)
      .use('/other', tonplugClients({ baseUrl: other.baseUrl }), balanceRoute)
    const { url } = await listen(app)
    await read(`${url}/one`)
    expect([one.requests.length, other.requests.length]).toEqual([1, 0])
    await read(`${url}/other`)
    expect([one.requests.length, other.requests.length]).toEqual([1, 1])
  })

  it('sets a client that the app created', async () => {
    const { baseUrl } = await startMockApi(() => ({ body: BALANCE }))
    const v2 = createV2Client({ baseUrl, jsonRpc: true })
    const seen: V2Client[] = []
    const app = express()
      .use(tonplugClients({ v2 }))
      .use((request, _response, next) => {
        seen.push(request.tonplug.v2)
        next()
      })
      .get('/balance', balanceRoute)
    const { url } = await listen(app)
    expect((await read(`${url}/balance`)).status).toBe(200)
    expect(seen).toEqual([v2])
    expect(seen[0]).toBe(v2)
  })

  it("passes client errors unchanged to the app's error handler", async () => {
    const { baseUrl } = await startMockApi(() => ({ status: 401, body: REFUSED }))
    const caught: unknown[] = []
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      caught.push(error)
      response.status(502).send('upstream')
    }
    const app = express()
      .use(tonplugClients({ baseUrl, apiKey }))
      .get('/', balanceRoute)
      .use(onError)
    const { url } = await listen(app)
    expect(await read(url)).toEqual({ status: 502, text: 'upstream' })
    expect(caught).toEqual([expect.objectContaining({ code: 'ERR_TONPLUG_AUTHENTICATION' })])
    expect(caught[0]).toMatchObject({
      code: 'ERR_TONPLUG_AUTHENTICATION',
      endpoint: 'getAddressBalance',
    })
  })

  it('does not reveal the API key when the app has no error handler', async () => {
    const { baseUrl } = await startMockApi(() => ({ status: 401, body: REFUSED }))
    const app = express().use(tonplugClients({ baseUrl, apiKey })).get('/', balanceRoute)
    const { url } = await listen(app)
    const { status, text } = await read(url)
    expect(status).toBe(500)
    expect(text).toContain('the API key is missing or invalid')
    expect(text).not.toContain(apiKey)
  })
})

it('sets both clients of the app, and throws when a route uses a missing one', () => {
  const transport = createTransport({ network: 'testnet' })
  const v2 = createV2Client({ transport })
  const v3 = createV3Client({ transport })
  const clientsOf = (options: Parameters<typeof tonplugClients>[0]) => {
    // The middleware reads no other field.
    const request = {} as Parameters<ReturnType<typeof tonplugClients>>[0]
    tonplugClients(options)(request, {}, () => undefined)
    return request.tonplug
  }
  const both = clientsOf({ v2, v3 })
  expect(both?.v2).toBe(v2)
  expect(both?.v3).toBe(v3)
  expect(clientsOf({ v3 })?.v3).toBe(v3)
  expect(() => clientsOf({ v3 })?.v2).toThrow(
    'v2: is missing; pass it to tonplugClients together with the other client: v2: createV2Client({ transport })',
  )
  expect(() => clientsOf({ v2 })?.v3).toThrow(
    expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', details: { option: 'v3' } }),
  )
})

it('lets Express 5 pass on the error of an async route', async () => {
  const refused = { ok: false, code: 404, error: 'transaction was not found' }
  const { baseUrl } = await startMockApi(() => ({ status: 404, body: refused }))
  const message = { source: address, destination: address, created_lt: 1n }
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(404).send(error.code)
  }
  const app = express5()
    .use(tonplugClients({ baseUrl }))
    .get('/', async (request, response) => {
      response.json(await request.tonplug.v2.tryLocateTx(message))
    })
    .use(onError)
  const { url } = await listen(app)
  expect(await read(url)).toEqual({ status: 404, text: 'ERR_TONPLUG_NOT_FOUND' })
})

it('rejects options next to a client, where they would have no effect', () => {
  const v2 = createV2Client()
  // @ts-expect-error both
  expect(() => tonplugClients({ v2, apiKey })).toThrow(
    expect.objectContaining({ details: { option: 'apiKey' } }),
  )
  // @ts-expect-error a misspelled option
  expect(() => tonplugClients({ apikey: apiKey })).toThrow('did you mean apiKey?')
})

it.each<[object, string]>([
  [{ apikey: apiKey }, 'apikey: is not an option here; did you mean apiKey?'],
  [{ gatway: {} }, 'gatway: is not an option here; did you mean gateway?'],
  [{ V3: {} }, 'V3: is not an option here; did you mean v3?'],
  [
    { v2: createV2Client(), transfer: {} },
    'transfer: is not an option here; did you mean transfers?',
  ],
  [{ gateway: { apikey: apiKey } }, 'apikey: is not an option here; did you mean apiKey?'],
  [{ proxyServerAddress: '' }, 'is not an option here; it takes v2, v3, transfers, network, '],
])('rejects the unknown option of %j', (options, message) => {
  expect(() => tonplugClients(options)).toThrow(
    expect.objectContaining({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining(message),
    }),
  )
})

it('accepts all its options', async () => {
  const { baseUrl } = await startMockApi(() => ({ body: BALANCE }))
  // Two pairs of options exclude each other.
  const options: Required<Omit<ClientOptions, 'network' | 'rps'>> = {
    baseUrl,
    apiKey,
    limiter: createRateLimiter({ rps: 10 }),
    retry: {},
    timeoutMs: 1000,
    deadlineMs: 1000,
    maxBodyBytes: 1000,
    fetch,
    clock: systemClock,
    random: Math.random,
    hooks: {},
    instrumentation: {},
    gateway: { network: 'testnet' },
  }
  expect(() => tonplugClients(options)).not.toThrow()
  expect(() => tonplugClients({ network: 'testnet', rps: 1 })).not.toThrow()
  const v2 = createV2Client()
  const transfers = createTransferClient()
  expect(() => tonplugClients({ v2, v3: createV3Client(), transfers })).not.toThrow()
})

it('rejects invalid options when it is created, not in a request', () => {
  expect(() => tonplugClients({ baseUrl: 'no address' })).toThrow(
    expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }),
  )
})
