import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { internal, toNano } from '@ton/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createChainSimulator, type ChainSimulator, type SimulatedWallet } from '@tonplug/simulator'
import { startChain } from '../start-chain.js'

// Each test starts its own chain.
const NOW = 1_790_000_000

async function payJettons(chain: ChainSimulator): Promise<SimulatedWallet> {
  const from = await chain.createWallet()
  const to = await chain.createWallet({ balance: 0n })
  const usdt = await chain.deployJetton()
  await usdt.mint(from.address, 5n)
  const transfer = { amount: 2n, to: to.address, response: from.address, forwardCoins: 1n }
  await from.send([usdt.transferMessage({ from: from.address, ...transfer })])
  return from
}

function hashesOf({ transactions }: ChainSimulator): string[] {
  return transactions.map(({ transaction }) => transaction.hash().toString('hex'))
}

test('mines a block for each generation of a trace, in order of logical time', async () => {
  const chain = await startChain({ now: NOW, firstLt: 70_000_000_000_000n })
  const from = await payJettons(chain)

  const [root] = chain.index.ofAccount(from.address).slice(-2)
  const generations = chain.blocks.filter(({ seqno }) => seqno >= root!.seqno)
  expect(generations.map(({ transactions }) => transactions.length)).toEqual([1, 1, 1, 2])
  let lt = 70_000_000_000_000n
  for (const { startLt, endLt, transactions, utime } of chain.blocks) {
    expect(startLt).toBeGreaterThan(lt)
    lt = startLt - 1n
    for (const { transaction } of transactions) {
      expect(transaction.lt).toBeGreaterThan(lt)
      lt = transaction.lt
      for (const { info } of transaction.outMessages.values()) {
        const createdLt = info.type === 'external-in' ? 0n : info.createdLt
        expect(createdLt).toBeGreaterThan(lt)
        expect(createdLt).toBeLessThanOrEqual(endLt)
      }
    }
    expect(endLt).toBeGreaterThanOrEqual(lt)
    expect(utime).toBe(NOW)
    lt = endLt
  }
})

test('receives each message after it was sent, and links the transactions of each account', async () => {
  const chain = await startChain()
  await payJettons(chain)
  const last = new Map<string, { lt: bigint; hash: bigint }>()
  for (const { address, transaction, parent, inMessage, seqno } of chain.transactions) {
    const key = address.toRawString()
    const before = last.get(key) ?? { lt: 0n, hash: 0n }
    expect([transaction.prevTransactionLt, transaction.prevTransactionHash]).toEqual([
      before.lt,
      before.hash,
    ])
    const hash = BigInt(`0x${transaction.hash().toString('hex')}`)
    last.set(key, { lt: transaction.lt, hash })
    expect((await chain.account(address)).last.lt).toBeGreaterThanOrEqual(transaction.lt)
    if (parent === undefined) continue
    expect(parent.seqno).toBe(seqno - 1)
    const sent = parent.outMessages.map((cell) => cell.hash().toString('hex'))
    expect(sent).toContain(inMessage!.hash().toString('hex'))
  }
})

test('creates the same hashes for the same calls, and others for another time', async () => {
  const chains = await Promise.all(
    [NOW, NOW, NOW + 1].map(async (now) => {
      const chain = await startChain({ now })
      await payJettons(chain)
      return chain
    }),
  )
  const [one, other, later] = chains.map(hashesOf)
  expect(one).toHaveLength(9)
  expect(other).toEqual(one)
  expect(later).not.toEqual(one)
})

test('behaves after a reset like a new chain', async () => {
  const chain = await startChain({ now: NOW })
  const calls = async () => {
    await payJettons(chain)
    return { hashes: hashesOf(chain), head: chain.blocks.at(-1)!.seqno }
  }
  const first = await calls()
  chain.now += 60
  await chain.reset()
  expect([chain.transactions.length, chain.blocks.length, chain.now]).toEqual([0, 1, NOW])
  expect(await calls()).toEqual(first)
})

test('continues from a snapshot each time it is restored', async () => {
  const chain = await startChain({ now: NOW })
  const wallet = await chain.createWallet({ balance: toNano(10) })
  chain.isHolding = true
  await chain.send(await wallet.sign([internal({ to: wallet.address, value: 1n })]))
  await chain.mineBlock()
  const snapshot = await chain.snapshot()
  const goOn = async () => {
    await chain.mine()
    const { balance } = await chain.account(wallet.address)
    const children = chain.index.ofAccount(wallet.address)[1]!.children.length
    return { hashes: hashesOf(chain), balance, children }
  }

  const once = await goOn()
  expect(once.children).toBe(1)
  await chain.restore(snapshot)
  expect(chain.transactions).toHaveLength(2)
  expect(chain.index.ofAccount(wallet.address)).toHaveLength(2)
  expect(await goOn()).toEqual(once)
})

test('rejects an earlier time', async () => {
  const chain = await startChain({ now: NOW })
  chain.now = NOW + 5
  await chain.fund((await chain.createWallet()).address, 1n)
  expect(chain.blocks.at(-1)!.utime).toBe(NOW + 5)
  expect(() => {
    chain.now = NOW
  }).toThrow('cannot go back')
})

test('finds a transaction in the index by its hash, its messages and their bodies', async () => {
  const chain = await startChain()
  await payJettons(chain)
  for (const one of chain.transactions) {
    const { transaction, inMessage, outMessages } = one
    expect(chain.index.byHash(transaction.hash().toString('base64'))).toBe(one)
    for (const cell of [inMessage!, ...outMessages]) {
      expect(chain.index.byMessage(cell.hash().toString('base64'))).toContain(one)
    }
    const body = transaction.inMessage!.body.hash().toString('base64')
    expect(chain.index.byBody(body)).toContain(one)
  }
})

test('removes the oldest transactions with their blocks, also from every index', async () => {
  const chain = await startChain({ maxTransactions: 4 })
  const { address } = await chain.createWallet({ balance: 0n })
  const [first] = await Promise.all([1n, 2n].map((value) => chain.fund(address, value))).then(
    () => chain.transactions,
  )
  const { transaction, inMessage } = first!
  for (let value = 3n; value < 7n; value++) await chain.fund(address, value)

  expect(chain.transactions).toHaveLength(4)
  expect(chain.blocks).toHaveLength(4)
  expect(chain.index.ofAccount(address)).toEqual(chain.transactions)
  expect(chain.index.byHash(transaction.hash().toString('base64'))).toBeUndefined()
  expect(chain.index.byMessage(inMessage!.hash().toString('base64'))).toEqual([])
  expect((await chain.account(address)).balance).toBe(21n)
})

test('uses no more memory after 2000 more transactions', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = async (): Promise<number> => {
    // A weak reference keeps its target until the end of the current job.
    await nextTurn()
    collect()
    return process.memoryUsage().heapUsed
  }
  const chain = await startChain({ maxTransactions: 200 })
  const { address } = await chain.createWallet()
  const pay = async (times: number) => {
    for (let paid = 0; paid < times; paid++) await chain.fund(address, 1n)
  }
  await pay(400)
  const before = await heap()
  const seqno = chain.blocks.at(-1)!.seqno

  await pay(2000)

  expect(chain.blocks.at(-1)!.seqno - seqno).toBe(2000)
  expect(chain.transactions).toHaveLength(200)
  // A kept transaction takes some kilobytes. If all were kept, memory would grow ten times as much.
  expect((await heap()) - before).toBeLessThan(1_500_000)
})

test('follows the clock of this machine by default, and can be set forward', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  const chain = await createChainSimulator()
  onTestFinished(() => chain.close())
  expect(chain.now).toBe(NOW)

  vi.setSystemTime((NOW + 90) * 1000)
  expect(chain.now).toBe(NOW + 90)
  chain.now += 60
  vi.setSystemTime((NOW + 100) * 1000)
  expect(chain.now).toBe(NOW + 160)
  expect(() => (chain.now -= 1)).toThrow('now cannot go back')
  await chain.createWallet()
  expect(chain.transactions.at(-1)?.transaction.now).toBe(NOW + 160)
})

test('gives each transaction the time of its block while the clock moves on', async () => {
  let reads = 0
  const chain = await startChain({ now: () => NOW + reads++ })
  await payJettons(chain)
  const differences = chain.blocks.flatMap(({ utime, transactions }) =>
    transactions.map(({ transaction }) => transaction.now - utime),
  )
  expect(new Set(differences)).toEqual(new Set([0]))
})
