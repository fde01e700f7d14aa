import { createV2Client, v2Endpoints, type V2EndpointName } from '@tonplug/core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ChainSimulatorOptions } from '@tonplug/testing/simulator'
import { hasDescription, readDescription, type Check } from './description.js'
import { parametersFor, startPaidChain, type PaidChain } from './paid-chain.js'

// Each test begins a chain of its own.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const NAMES = Object.keys(v2Endpoints) as V2EndpointName[]

/** What nothing without a network can answer. */
const UNAVAILABLE: V2EndpointName[] = [
  'dnsResolve',
  'getMasterchainBlockSignatures',
  'getShardBlockProof',
  'getOutMsgQueueSize',
]
const ANSWERED = NAMES.filter((name) => !UNAVAILABLE.includes(name))

/** Calls a method of our client, and gives what it made of the answer, and the answer as it came. */
async function call(
  name: V2EndpointName,
  options: { jsonRpc?: boolean } = {},
): Promise<{ decoded: unknown; answer: unknown; status: number }> {
  const answers: { status: number; answer: unknown }[] = []
  const v2 = createV2Client({
    baseUrl: paid.chain.url,
    rps: Infinity,
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      answers.push({ status: response.status, answer: await response.clone().json() })
      return response
    },
  })
  const params = (await parametersFor(paid))[name]
  // One call for any path: its own parameters are what it gets.
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

test('there are 38 paths, and each has an answer or none for a reason', () => {
  expect(NAMES).toHaveLength(38)
  expect(ANSWERED).toHaveLength(34)
})

describe.for([
  ['by REST', { jsonRpc: false }],
  ['by JSON-RPC', { jsonRpc: true }],
] as const)('our client %s', ([, options]) => {
  let check: Check = () => undefined
  beginPaidChain()
  beforeAll(async () => {
    if (hasDescription) check = await readDescription()
  })

  test.for(ANSWERED)('decodes %s, whose answer is as described', async (name) => {
    const { decoded, answer, status } = await call(name, options)
    expect(decoded).not.toBeInstanceOf(Error)
    expect(status).toBe(200)
    expect(check(`/${name}`, answer) ?? undefined).toBeUndefined()
  })

  test.runIf(hasDescription)('is checked by a description that refuses', async () => {
    const { answer } = await call('getAddressInformation', options)
    const wrong = structuredClone(answer) as { result: { balance?: string } }
    delete wrong.result.balance
    expect(check('/getAddressInformation', wrong)).toMatchObject([
      { message: "must have required property 'balance'" },
    ])
  })

  test.for(UNAVAILABLE)('is told that the simulator has no %s', async (name) => {
    const { answer, status } = await call(name, options)
    expect(status).toBe(501)
    expect(answer).toMatchObject({
      ok: false,
      code: 501,
      error: expect.stringMatching(/simulator/),
    })
  })
})

const ONE_SERVER = ANSWERED.filter((name) => v2Endpoints[name].servers === 'cpp')
const BOTH_SERVERS = ANSWERED.filter((name) => v2Endpoints[name].servers !== 'cpp')

describe('the Python server', () => {
  beginPaidChain({ dialect: 'python' })

  test.for(BOTH_SERVERS)('is decoded as well: %s', async (name) => {
    const { decoded, answer } = await call(name)
    expect(decoded).not.toBeInstanceOf(Error)
    const { ok, '@extra': extra = 'no @extra' } = answer as { ok: boolean; '@extra'?: string }
    expect([ok, extra]).toEqual([true, 'no @extra'])
  })

  test.for(ONE_SERVER)('does not have %s', async (name) => {
    const { status, answer } = await call(name)
    expect([status, answer]).toEqual([404, { ok: false, error: 'Not Found', code: 404 }])
  })
})
