import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  SendMode,
  toNano,
  type Sender,
  type SenderArguments,
} from '@ton/core'
import { expect, test } from 'vitest'
import { probeCode } from '../chain/probe.js'
import { serveChain, type ServedChain } from '../chain/served-chain.js'
import { walletV4 } from '@tonplug/simulator'
import { openers, ours, type Opener } from './openers.js'
import { historyOf, senderOf, stateOf, transactionsOf } from './scripts.js'

// Each test begins a chain of its own.
const TEN_YEARS = 10 * 365 * 86_400

/** A contract whose storage costs some 0.4 TON a year. */
function bulkyProbe() {
  const init = { code: probeCode(), data: bulk(4, 0) }
  return { address: contractAddress(0, init), init }
}

/** A tree of cells, four below each. */
function bulk(depth: number, salt: number): Cell {
  const builder = beginCell().storeUint(salt, 64).storeBuffer(Buffer.alloc(110, depth))
  if (depth === 0) return builder.endCell()
  for (let index = 1; index <= 4; index++) builder.storeRef(bulk(depth - 1, salt * 4 + index))
  return builder.endCell()
}

/** A sender that keeps what it is given. */
function recordingSender(): Sender & { sent: SenderArguments[] } {
  const sent: SenderArguments[] = []
  return { sent, send: async (message) => void sent.push(message) }
}

async function begin(name: keyof typeof openers): Promise<ServedChain & { opener: Opener }> {
  const served = await serveChain()
  return { ...served, opener: openers[name](served) }
}

test.each(ours)('an account without a payment is uninit over %s', async (name) => {
  const { opener } = await begin(name)
  expect(await opener.provider(walletV4(1).wallet.address).getState()).toEqual({
    balance: 0n,
    extracurrency: null,
    last: null,
    state: { type: 'uninit' },
  })
})

test.each(ours)('a frozen account has the hash of its state over %s', async (name) => {
  const { chain, opener } = await begin(name)
  const { wallet, keys } = walletV4(1)
  await chain.fund(wallet.address, toNano(5))
  const sender = await senderOf(opener, { wallet, keys })
  const { address, init } = bulkyProbe()
  await opener.provider(address, init).internal(sender, { value: '1', bounce: false })
  // An account with the state that made its address would be uninit again.
  const order = beginCell().storeUint(3, 32).endCell()
  await opener.provider(address).internal(sender, { value: '0.01', body: order })
  const { state: active } = await opener.provider(address).getState()
  const data = beginCell().storeRef(init.data).endCell()
  expect(active).toEqual({ type: 'active', code: init.code.toBoc(), data: data.toBoc() })
  chain.now += TEN_YEARS

  await chain.fund(address, 1n)

  const { state, balance } = await opener.provider(address).getState()
  // The state as it was, with neither depth, nor special, nor libraries.
  const frozen = beginCell().storeUint(6, 5).storeRef(init.code).storeRef(data).endCell()
  expect(state).toEqual({ type: 'frozen', stateHash: frozen.hash() })
  expect(balance).toBe(0n)
})

test.each(Object.keys(openers) as (keyof typeof openers)[])(
  'a message is sent unchanged over %s',
  async (name) => {
    const { chain, opener } = await begin(name)
    const { address, init } = bulkyProbe()
    const sender = recordingSender()
    const provider = opener.provider(address, init)

    await provider.internal(sender, { value: '1.5', body: 'Order 17' })
    await provider.internal(sender, {
      value: 7n,
      bounce: false,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      body: Cell.EMPTY,
    })
    await provider.internal(sender, { value: 0n, extracurrency: { 100: 5n } })

    const [first, second, third] = sender.sent
    expect(first).toMatchObject({ to: address, value: toNano('1.5'), bounce: true, init })
    expect(first?.body?.equals(comment('Order 17'))).toBe(true)
    expect(second).toMatchObject({
      value: 7n,
      bounce: false,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    })
    expect(second?.body?.equals(Cell.EMPTY)).toBe(true)
    expect(third).toMatchObject({ body: null, extracurrency: { 100: 5n } })
    expect(chain.transactions).toEqual([])
  },
)

test.each(ours)('a deployed contract gets no init over %s', async (name) => {
  const { chain, opener } = await begin(name)
  const { wallet, keys } = walletV4(1)
  await chain.fund(wallet.address, toNano(5))
  await senderOf(opener, { wallet, keys })
  const sender = recordingSender()
  await opener.provider(wallet.address, wallet.init).internal(sender, { value: 1n })
  await opener.provider(walletV4(2).wallet.address).internal(sender, { value: 1n })
  expect(sender.sent.map(({ init }) => init)).toEqual([null, null])
})

test.each(ours)(
  'a message that the contract does not accept is rejected with its exit code over %s',
  async (name) => {
    const { chain, opener } = await begin(name)
    const { wallet, keys } = walletV4(1)
    await chain.fund(wallet.address, toNano(5))
    await senderOf(opener, { wallet, keys })
    const body = wallet.createTransfer({ seqno: 7, secretKey: keys.secretKey, messages: [] })

    await expect(opener.provider(wallet.address).external(body)).rejects.toMatchObject({
      name: 'MessageRejectedError',
      exitCode: 33,
    })
  },
)

test.each(ours)('a contract opens another one over %s', async (name) => {
  const { chain, opener } = await begin(name)
  const { wallet } = walletV4(1)
  await chain.fund(wallet.address, toNano(5))
  const opened = opener.provider(Address.parse(`0:${'0'.repeat(64)}`)).open(wallet)
  expect(await opened.getBalance()).toBe(toNano(5))
})

test.each(ours)('reads the requested part of a history over %s', async (name) => {
  const { chain, opener } = await begin(name)
  const { address } = walletV4(1).wallet
  for (let amount = 1n; amount <= 130n; amount++) await chain.fund(address, amount)

  const all = await historyOf(opener, address, 1_000)
  expect(all).toHaveLength(130)
  expect(await historyOf(opener, address, 1)).toEqual(all.slice(0, 1))
  expect(await historyOf(opener, address)).toEqual(all.slice(0, 100))
  expect(await historyOf(opener, address, 120)).toEqual(all.slice(0, 120))
  expect(await historyOf(opener, address, 0)).toEqual([])
})

test.each(ours)('reads from a transaction in the middle of a history over %s', async (name) => {
  const { chain, opener } = await begin(name)
  const { address } = walletV4(1).wallet
  for (let amount = 1n; amount <= 5n; amount++) await chain.fund(address, amount)
  const provider = opener.provider(address)
  const all = await transactionsOf(provider, address)

  const rest = await provider.getTransactions(address, all[2]!.lt, all[2]!.hash())

  expect(rest.map(({ lt }) => lt)).toEqual(all.slice(2).map(({ lt }) => lt))
  const other = Buffer.alloc(32, 1)
  await expect(provider.getTransactions(address, all[2]!.lt, other)).rejects.toMatchObject({
    code: expect.stringMatching(/^ERR_TONPLUG_/) as string,
  })
})

test('API v3 returns no older transaction instead of one that its index lacks', async () => {
  const { chain, opener, v3Server } = await begin('API v3')
  const { address } = walletV4(1).wallet
  await chain.fund(address, 1n)
  await chain.fund(address, 2n)
  const last = chain.transactions[1]!.transaction
  v3Server.lagBlocks = 1

  const read = opener.provider(address).getTransactions(address, last.lt, last.hash())

  await expect(read).rejects.toMatchObject({ code: 'ERR_TONPLUG_CONTRACT_DATA' })
  v3Server.lagBlocks = 2
  await expect(
    opener.provider(address).getTransactions(address, last.lt, last.hash()),
  ).rejects.toMatchObject({ code: 'ERR_TONPLUG_CONTRACT_DATA' })
})

test('both APIs return the same state', async () => {
  const served = await serveChain()
  const { address } = walletV4(1).wallet
  await served.chain.fund(address, 5n)
  const [byV2, byV3] = [openers['API v2'](served), openers['API v3'](served)]
  expect(await stateOf(byV2, address)).toEqual(await stateOf(byV3, address))
  expect((await byV2.provider(address).getState()).last).toEqual(
    (await byV3.provider(address).getState()).last,
  )
})
