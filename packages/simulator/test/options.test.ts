import { Server } from 'node:net'
import { ConfigurationError, systemClock } from '@tonplug/core'
import {
  createChainSimulator,
  startSimulator,
  type ChainSimulatorOptions,
  type SimulatorOptions,
} from '@tonplug/simulator'
import { expect, it, vi } from 'vitest'
import { openShop } from './shop.js'

it.for([
  ['maxTransactions', { maxTransactions: 0 }],
  ['maxTransactions', { maxTransactions: Number.NaN }],
  ['now', { now: Number.NaN }],
  ['now', { now: () => Number.NaN }],
  ['now', { now: 1_795_272_063_330 }],
  ['firstLt', { firstLt: -1n }],
  ['firstLt', { firstLt: 2n ** 64n }],
  ['port', { port: 70_000 }],
  // Values that TypeScript would not allow.
  ['dialect', { dialect: 'pyhton' as 'python' }],
] as const)('createChainSimulator rejects %s of %o', async ([option, options]) => {
  const error = await createChainSimulator(options).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(error).toHaveProperty('message', expect.stringMatching(`^${option}: must be `))
})

it.for([
  ['secret', { secret: '' }],
  ['secret', { secret: undefined as unknown as string }],
  ['maxTransfers', { secret: 'whsec', maxTransfers: 0 }],
  ['ports.gateway', { secret: 'whsec', ports: { gateway: 70_000 } }],
] as const)('startSimulator rejects %s and leaves no port open', async ([, options]) => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  await expect(startSimulator(options)).rejects.toThrow(ConfigurationError)
  // Every listening handle is a server.
  const servers = listen.mock.contexts as Server[]
  expect(servers.filter(({ listening }) => listening)).toEqual([])
  listen.mockRestore()
})

it.for([
  ['maxTransaction: is not an option here; did you mean maxTransactions?', { maxTransaction: 1 }],
  ['ports.Chain: is not an option here; did you mean chain?', { ports: { Chain: 0 } }],
  // The simulator sets the merchant.
  ['recipientAddr: is not an option here; it takes url, ', { recipientAddr: 'EQ' }],
] as const)('startSimulator rejects an unknown option: %s', async ([message, options]) => {
  const started = startSimulator({ secret: 'whsec', ...options } as SimulatorOptions)
  await expect(started).rejects.toThrow(ConfigurationError)
  await expect(started).rejects.toThrow(message)
})

it('createChainSimulator rejects an unknown option', async () => {
  const misspelt: object = { firstLT: 1n }
  await expect(createChainSimulator(misspelt)).rejects.toThrow(
    'firstLT: is not an option here; did you mean firstLt?',
  )
})

it('both simulators accept all of their options', async () => {
  const ofChain: Required<ChainSimulatorOptions> = {
    now: 1_795_272_063,
    firstLt: 1_000_000n,
    maxTransactions: 1000,
    port: 0,
    dialect: 'cpp',
  }
  const chain = await createChainSimulator(ofChain)
  await chain.close()
  const all: Required<SimulatorOptions> = {
    url: 'http://127.0.0.1:9/webhooks/ton',
    secret: 'whsec',
    clock: systemClock,
    header: 'x-pay-signature',
    apiKey: 'key',
    assets: [],
    maxTransfers: 1,
    maxAttempts: 1,
    fetch,
    maxTransactions: 1000,
    dialect: 'cpp',
    ports: { chain: 0, gateway: 0 },
  }
  const simulator = await startSimulator(all)
  expect(simulator.chain.url).not.toBe(chain.url)
  await simulator.close()
})

it('startSimulator passes the dialect to API v2', async () => {
  const { simulator } = await openShop({ dialect: 'python' })
  const response = await fetch(`${simulator.urls.chain}/api/v2/getAddressBalance?address=nobody`)
  expect(response.status).toBe(416)
  const init = { method: 'POST', body: '{' }
  const unreadable = await fetch(`${simulator.urls.chain}/api/v2/jsonRPC`, init)
  expect(unreadable.status).toBe(422)
  expect(await unreadable.json()).toMatchObject({ ok: false, code: 422 })
})

it('pay rejects fewer or more messages than the wallet can send at once', async () => {
  const { simulator, order } = await openShop()
  const reference = order({ rawAmount: 2_000_000n })
  const from = await simulator.chain.createWallet({ version: 'v4' })
  for (const how of [{ times: 0 }, { times: 1.5 }, { times: 256 }, { times: 5, from }]) {
    await expect(simulator.pay(reference, how)).rejects.toThrow(/^times must be a whole number/)
  }
})

it('pay rejects an unknown option before it sends anything', async () => {
  const { simulator, order } = await openShop()
  const reference = order({ rawAmount: 2_000_000n })
  const [corrupt, drop] = [{ corrupt: true }, { delivery: 'drop' }] as never[]
  await expect(simulator.pay(reference, corrupt)).rejects.toThrow(
    'corrupt: is not an option here; it takes from, times, isUnnoticed, delivery,',
  )
  await expect(simulator.pay(reference, drop)).rejects.toThrow('delivery: is drop; give')
  expect(simulator.gateway.transfer(reference)).toMatchObject({ status: 'pending' })
})

it('pay names the missing coins of a wallet without a balance', async () => {
  const { simulator, order } = await openShop()
  const from = await simulator.chain.createWallet({ balance: 0n })
  const payment = simulator.pay(order({ rawAmount: 2_000_000n }), { from })
  await expect(payment).rejects.toThrow(
    /sent nothing: its balance is 0 nanocoins; add coins with chain.fund/,
  )
})
