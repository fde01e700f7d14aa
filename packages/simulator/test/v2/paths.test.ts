import { createV2Client, type V2EndpointName } from '@tonplug/core/toncenter'
import { v2Endpoints } from '@tonplug/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChainSimulatorOptions } from '@tonplug/simulator'
import { readDescription, type Check } from './description.js'
import { parametersFor, startPaidChain, type PaidChain } from './paid-chain.js'

// Each test starts its own chain.
const NAMES = Object.keys(v2Endpoints) as V2EndpointName[]

/** Methods that need a network. */
const UNAVAILABLE: V2EndpointName[] = [
  'dnsResolve',
  'getMasterchainBlockSignatures',
  'getShardBlockProof',
  'getOutMsgQueueSize',
]
const SUPPORTED = NAMES.filter((name) => !UNAVAILABLE.includes(name))

/** Calls a method of the client. Returns the decoded result and the raw response. */
async function call(
  name: V2EndpointName,
  options: { jsonRpc?: boolean } = {},
): Promise<{ decoded: unknown; response: unknown; status: number }> {
  const answers: { status: number; response: unknown }[] = []
  const v2 = createV2Client({
    baseUrl: paid.chain.url,
    rps: Infinity,
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      answers.push({ status: response.status, response: await response.clone().json() })
      return response
    },
  })
  const params = (await parametersFor(paid))[name]
  // Passes the parameters of any path.
  const method = v2[name] as (params: unknown) => Promise<unknown>
  const decoded = await method(params).catch((error: unknown) => error)
  return { decoded, ...answers.at(-1)! }
}

let paid: PaidChain

function beginPaidChain(options?: ChainSimulatorOptions): void {
  beforeAll(async () => {
    paid = await startPaidChain(options)
  })
  afterAll(() => paid.chain.close())
}

test('supports each of the 38 paths, or states why not', () => {
  expect(NAMES).toHaveLength(38)
  expect(SUPPORTED).toHaveLength(34)
})

describe.for([
  ['by REST', { jsonRpc: false }],
  ['by JSON-RPC', { jsonRpc: true }],
] as const)('our client %s', ([, options]) => {
  let check: Check = () => undefined
  beginPaidChain()
  beforeAll(async () => {
    check = await readDescription()
  })

  test.for(SUPPORTED)('decodes the response of %s, which matches the description', async (name) => {
    const { decoded, response, status } = await call(name, options)
    expect(decoded).not.toBeInstanceOf(Error)
    expect(status).toBe(200)
    expect(check(`/${name}`, response) ?? undefined).toBeUndefined()
  })

  test('uses a description that rejects an invalid response', async () => {
    const { response } = await call('getAddressInformation', options)
    const wrong = structuredClone(response) as { result: { balance?: string } }
    delete wrong.result.balance
    expect(check('/getAddressInformation', wrong)).toMatchObject([
      { message: "must have required property 'balance'" },
    ])
  })

  test.for(UNAVAILABLE)('receives status 501 for %s', async (name) => {
    const { response, status } = await call(name, options)
    expect(status).toBe(501)
    expect(response).toMatchObject({
      ok: false,
      code: 501,
      error: expect.stringMatching(/simulator/),
    })
  })
})

const ONE_SERVER = SUPPORTED.filter((name) => v2Endpoints[name].servers === 'cpp')
const BOTH_SERVERS = SUPPORTED.filter((name) => v2Endpoints[name].servers !== 'cpp')

describe('the Python server', () => {
  beginPaidChain({ dialect: 'python' })

  test.for(BOTH_SERVERS)('returns a response that the client decodes: %s', async (name) => {
    const { decoded, response } = await call(name)
    expect(decoded).not.toBeInstanceOf(Error)
    const { ok, '@extra': extra = 'no @extra' } = response as { ok: boolean; '@extra'?: string }
    expect([ok, extra]).toEqual([true, 'no @extra'])
  })

  test.for(ONE_SERVER)('does not have %s', async (name) => {
    const { status, response } = await call(name)
    expect([status, response]).toEqual([404, { ok: false, error: 'Not Found', code: 404 }])
  })
})
