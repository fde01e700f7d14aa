import { createV3Client } from '@tonplug/core/toncenter'
import { comment, internal, loadMessage, toNano } from '@ton/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { describedPaths, startDescription } from './description.js'
import { getV3, postV3, startSampleChain, type SampleChain } from './sample-chain.js'

type Query = Parameters<typeof getV3>[2]

/** The parameters for each path of the sample chain. */
function requestsOf({ chain, alice, bob, usdt }: SampleChain): Record<string, Query> {
  const address = alice.address.toString()
  const { transaction, seqno } = chain.transactions.at(-1)!
  const hash = transaction.hash().toString('base64')
  const wallet = usdt.walletOf(alice.address).toString()
  const addresses = [address, usdt.master.toString(), wallet, bob.address.toString()]
  return {
    '/accountStates': { address: addresses },
    '/actions': { limit: 100, include_accounts: true, include_transactions: true },
    '/addressBook': { address: addresses },
    '/addressInformation': { address },
    '/adjacentTransactions': { hash },
    '/blocks': { limit: 100 },
    '/decode': { opcodes: ['0x0f8a7ea5', '0xdeadbeef'], bodies: ['te6cckEBAQEAAgAAAEysuc0='] },
    '/jetton/burns': {},
    '/jetton/masters': {},
    '/jetton/transfers': {},
    '/jetton/wallets': {},
    '/masterchainBlockShardState': { seqno },
    '/masterchainBlockShards': { seqno },
    '/masterchainInfo': {},
    '/messages': { limit: 100 },
    '/metadata': { address: addresses },
    '/pendingActions': { account: address },
    '/pendingTraces': { account: address },
    '/pendingTransactions': { account: address },
    '/topAccountsByBalance': {},
    '/traces': { limit: 100, include_actions: true },
    '/transactions': { limit: 100 },
    '/transactionsByMasterchainBlock': { seqno },
    '/transactionsByMessage': { opcode: '0x0f8a7ea5' },
    '/walletInformation': { address },
    '/walletStates': { address: addresses },
  }
}

/** Paths that the chain does not index. */
const NOT_INDEXED = [
  '/dns/activeAuctions',
  '/dns/records',
  '/multisig/orders',
  '/multisig/wallets',
  '/nft/collections',
  '/nft/items',
  '/nft/sales',
  '/nft/transfers',
  '/staking/nominatorPools/nominator',
  '/staking/nominatorPools/nominatorEvents',
  '/staking/nominatorPools/nominatorRewards',
  '/staking/nominatorPools/pool',
  '/staking/nominatorPools/validatorEvents',
  '/staking/nominatorPools/validatorRewards',
  '/validators/complaints',
  '/validators/cycles',
  '/validators/elections',
  '/validators/events',
  '/vesting',
]

describe('the responses, checked by the official description', () => {
  let problemsOf: Awaited<ReturnType<typeof startDescription>>

  beforeAll(async () => {
    problemsOf = await startDescription()
  })

  it('match the description of every path', async () => {
    const sample = await startSampleChain()
    const { chain, alice, bob } = sample
    const requested = requestsOf(sample)
    for (const [path, query] of Object.entries(requested)) {
      const { status, body } = await getV3(sample, path, query)
      expect({ path, status, problems: problemsOf(path, body) }).toEqual({
        path,
        status: 200,
        problems: null,
      })
      const [rows] = Object.values(body)
      const isThere = Object.keys(rows!).length > 0
      expect({ path, isThere }).toEqual({ path, isThere: !path.startsWith('/pending') })
    }

    const message = await alice.sign([
      internal({ to: bob.address, value: toNano(1), body: comment('Order 19') }),
    ])
    const boc = message.toBoc().toString('base64')
    const bodies = {
      '/estimateFee': {
        address: alice.address.toString(),
        body: loadMessage(message.beginParse()).body.toBoc().toString('base64'),
        ignore_chksig: true,
      },
      '/runGetMethod': { address: alice.address.toString(), method: 'seqno', stack: [] },
      '/message': { boc },
    }
    for (const [path, parameters] of Object.entries(bodies)) {
      const { status, body } = await postV3(sample, path, parameters)
      expect({ path, status, body, problems: problemsOf(path, body) }).toMatchObject({
        status: 200,
        problems: null,
      })
    }

    chain.v3Server.lagBlocks = 2
    for (const path of ['/pendingActions', '/pendingTraces', '/pendingTransactions']) {
      const { body } = await getV3(sample, path, requested[path]!)
      expect(problemsOf(path, body)).toBeNull()
      expect(Object.values(body)[0]).not.toEqual([])
    }
    expect(
      [...Object.keys(requested), ...Object.keys(bodies), ...NOT_INDEXED].map(String).toSorted(),
    ).toEqual(describedPaths().map(String).toSorted())
  })

  it('fail the check with an extra field or another type', async () => {
    const sample = await startSampleChain()
    const { body } = await getV3(sample, '/transactions')
    const [row] = body['transactions']!
    expect(problemsOf('/transactions', { transactions: [{ ...row, paid: true }] })).not.toBeNull()
    expect(problemsOf('/transactions', { transactions: [{ ...row, lt: 5 }] })).not.toBeNull()
  })
})

describe('our client', () => {
  it('gets a response from every endpoint', async () => {
    const sample = await startSampleChain()
    const { chain } = sample
    const requested: Record<string, Query> = {
      ...requestsOf(sample),
      '/account': { address: sample.alice.address.toString() },
      '/wallet': { address: sample.alice.address.toString() },
      '/events': {},
      '/balanceChanges': {
        trace_id: chain.transactions[0]!.transaction.hash().toString('base64'),
      },
    }
    const client = createV3Client({ baseUrl: chain.url, rps: Infinity })
    const paths = new Map(Object.entries(requested).map(([path, query]) => [methodOf(path), query]))
    const refused: string[] = []
    for (const name of Object.keys(client)) {
      if (APART.has(name) || typeof Reflect.get(client, name) !== 'function') continue
      const query = paths.get(name)
      if (query === undefined) {
        refused.push(name)
        continue
      }
      const call = Reflect.get(client, name) as (parameters: object) => Promise<unknown>
      await call(query)
    }
    expect(refused.map(String).toSorted()).toEqual(NOT_INDEXED.map(methodOf).map(String).toSorted())
    for (const path of NOT_INDEXED) {
      const { status, body } = await getV3(sample, path)
      expect({ path, status, body }).toMatchObject({
        status: 501,
        body: { error: expect.stringContaining('the simulated chain does not index') },
      })
    }
  })
})

/** Paths with a body are requested above, paths of emulation in their own tests; `request` is not an endpoint. */
const APART = new Set([
  'message',
  'estimateFee',
  'runGetMethod',
  'request',
  'emulateTrace',
  'emulateTonConnect',
])

function methodOf(path: string): string {
  return path.slice(1).replaceAll(/\/(.)/g, (_, letter: string) => letter.toUpperCase())
}
