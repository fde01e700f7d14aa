import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { comment, internal, toNano } from '@ton/core'
import { JettonMaster, JettonWallet, TonClient } from '@ton/ton'
import { expect, test } from 'vitest'
import { startChain } from '../start-chain.js'

// Each test starts its own chain.
test('serves both APIs on one address, and API v2 to TonClient', async () => {
  const chain = await startChain()
  const { address } = await chain.createWallet({ balance: toNano(3) })
  const v2 = createV2Client({ baseUrl: chain.url, rps: Infinity })
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
  const client = new TonClient({ endpoint: `${chain.url}/api/v2/jsonRPC` })

  expect(await v2.getAddressBalance({ address })).toBe(toNano(3))
  expect((await v3.accountStates({ address: [address] })).accounts).toMatchObject([
    { balance: toNano(3) },
  ])
  expect(await client.getBalance(address)).toBe(toNano(3))
  expect(chain.v2Server.requests).toHaveLength(2)
  expect(chain.v3Server.requests).toHaveLength(1)
})

test.for(['v3r2', 'v4', 'v5'] as const)(
  'deploys a %s wallet with its first message and pays with each',
  async (version) => {
    const chain = await startChain()
    const from = await chain.createWallet({ version })
    const to = await chain.createWallet({ balance: 0n })
    const payment = () => [
      internal({ to: to.address, value: toNano(1), bounce: false, body: comment('Order 17') }),
    ]

    const { after, before } = await from.send(payment())
    expect([before.status, after.status]).toEqual(['uninit', 'active'])
    await from.send(payment())
    expect((await chain.account(to.address)).balance).toBe(toNano(2))
  },
)

test('completes a payment when its block is mined while isHolding is true', async () => {
  const chain = await startChain()
  const [from, to] = [await chain.createWallet(), await chain.createWallet({ balance: 0n })]
  chain.isHolding = true
  const sent = from.send([internal({ to: to.address, value: 7n, bounce: false })])
  await expect.poll(() => chain.pool).toHaveLength(1)

  await chain.mine()

  expect((await sent).address.equals(from.address)).toBe(true)
  expect((await chain.account(to.address)).balance).toBe(7n)
})

test('mints, owns and transfers a jetton that its contracts confirm', async () => {
  const chain = await startChain()
  const [from, to] = [await chain.createWallet(), await chain.createWallet({ balance: 0n })]
  const usdt = await chain.deployJetton()

  await usdt.mint(from.address, 12_000_000n)
  const transfer = { amount: 2_500_000n, to: to.address, response: from.address, forwardCoins: 1n }
  await from.send([usdt.transferMessage({ from: from.address, ...transfer })])

  expect(await usdt.balanceOf(from.address)).toBe(9_500_000n)
  expect(await usdt.balanceOf(to.address)).toBe(2_500_000n)
  const client = new TonClient({ endpoint: `${chain.url}/api/v2/jsonRPC` })
  const master = client.open(JettonMaster.create(usdt.master))
  const wallet = await master.getWalletAddress(to.address)
  expect(wallet.equals(usdt.walletOf(to.address))).toBe(true)
  expect(await client.open(JettonWallet.create(wallet)).getBalance()).toBe(2_500_000n)
  expect((await master.getJettonData()).totalSupply).toBe(12_000_000n)
})

test('calls each listener once per block until it unsubscribes', async () => {
  const chain = await startChain()
  const seqnos: number[] = []
  const stop = chain.onBlock(({ seqno }) => seqnos.push(seqno))
  const { address } = await chain.createWallet()
  stop()
  await chain.fund(address, 1n)

  expect(seqnos).toEqual([chain.blocks.at(-2)!.seqno])
})
