import '../src/contract.js'
import { Address, type Contract, type ContractProvider } from '@ton/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { tonplugClients } from '../src/clients-middleware.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'

const ACCOUNT = {
  ok: true,
  result: {
    balance: '1234567890123456789',
    code: '',
    data: '',
    last_transaction_id: { lt: '1', hash: Buffer.alloc(32, 7).toString('base64') },
    sync_utime: 1,
    state: 'uninitialized',
  },
}

/** A contract wrapper for any provider. */
class Purse implements Contract {
  readonly address = Address.parse(`0:${'07'.repeat(32)}`)

  async getCoins(provider: ContractProvider): Promise<bigint> {
    return (await provider.getState()).balance
  }
}

const purseRoute: RequestHandler = async ({ tonplug }, response, next) => {
  try {
    const opened = await tonplug.open(new Purse()).getCoins()
    const { balance } = await tonplug.provider(new Purse().address).getState()
    response.json([opened, balance].map(String))
  } catch (error) {
    next(error)
  }
}

const onError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).send(error.message)
}

describe.each(expressVersions)('req.tonplug.open in %s', (_version, express) => {
  it('opens contracts with API v2 and the options of the middleware', async () => {
    const { baseUrl, requests } = await startMockApi(() => ({ body: ACCOUNT }))
    const clients = tonplugClients({ baseUrl, apiKey: 'k', rps: Infinity })
    const { url } = await listen(express().use(clients).get('/', purseRoute))
    expect(await (await fetch(url)).json()).toEqual(Array(2).fill('1234567890123456789'))
    expect(requests.map(({ apiKey }) => apiKey)).toEqual(['k', 'k'])
    expect(requests[0]?.url).toContain('/api/v2/getAddressInformation')
  })

  it('opens contracts with the client of the app, and throws when it is missing', async () => {
    const { baseUrl } = await startMockApi(() => ({ body: ACCOUNT }))
    const given = [
      tonplugClients({ v2: createV2Client({ baseUrl, rps: Infinity }) }),
      tonplugClients({ v3: createV3Client({ baseUrl }) }),
    ]
    const answers = given.map(async (clients) => {
      const { url } = await listen(express().use(clients).get('/', purseRoute).use(onError))
      return (await fetch(url)).text()
    })
    expect(await Promise.all(answers)).toEqual([
      '["1234567890123456789","1234567890123456789"]',
      expect.stringContaining('v2: is missing; pass it to tonplugClients'),
    ])
  })
})
