import { toNano } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { serveChain } from '../chain/served-chain.js'
import { walletV4, walletV5 } from '@tonplug/simulator'
import { openers } from './openers.js'
import { useJetton, useWallet } from './scripts.js'

// Each test begins a chain of its own.
const NAMES = Object.keys(openers) as (keyof typeof openers)[]

/** Runs a script over a new chain for each way to reach it. */
async function runEach<Result>(
  script: (
    served: Awaited<ReturnType<typeof serveChain>>,
    name: keyof typeof openers,
  ) => Promise<Result>,
): Promise<Record<keyof typeof openers, Result>> {
  // One moment for all, or storage fees differ.
  const now = Math.floor(Date.now() / 1000)
  const results = []
  for (const name of NAMES) results.push([name, await script(await serveChain({ now }), name)])
  return Object.fromEntries(results) as Record<keyof typeof openers, Result>
}

describe.each([
  ['version 4', walletV4],
  ['version 5', walletV5],
])('the wallet of %s', (_version, walletOf) => {
  test('is deployed by its first transfer and returns the same over v2, over v3 and by TonClient', async () => {
    const results = await runEach((served, name) =>
      useWallet(served.chain, openers[name](served), walletOf(1)),
    )

    const { before, deployed, seqno, balance, received, history } = results['API v2']
    expect(before).toMatchObject({ balance: toNano(5), type: 'uninit' })
    expect(deployed).toMatchObject({ type: 'active', extracurrency: null })
    expect(deployed.balance).toBeLessThan(toNano('4.9'))
    expect(seqno).toBe(2)
    expect(balance).toBeLessThan(toNano('4.8'))
    expect(received).toBe(toNano('0.2'))
    expect(history.map(({ from, outMessagesCount }) => [from, outMessagesCount])).toEqual([
      ['external-in', 1],
      ['external-in', 1],
      ['internal', 0],
    ])
    expect(results.jsonRPC).toEqual(results['API v2'])
    expect(results['API v3']).toEqual(results['API v2'])
    expect(results.TonClient).toEqual(results['API v2'])
  })
})

test('a jetton is deployed, minted and paid alike over v2, over v3 and by TonClient', async () => {
  const results = await runEach((served, name) => useJetton(served.chain, openers[name](served)))

  expect(results['API v2']).toMatchObject({
    totalSupply: 1_000n,
    mintable: true,
    adminAddress: walletV4(1).wallet.address.toString(),
    before: [1_000n, 0n],
    after: [600n, 400n],
    shopCoins: 1n,
  })
  expect(results.jsonRPC).toEqual(results['API v2'])
  expect(results['API v3']).toEqual(results['API v2'])
  expect(results.TonClient).toEqual(results['API v2'])
})
