import { beginCell, Cell, internal, toNano, type Transaction } from '@ton/core'
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from '@ton/ton'
import { expect, test } from 'vitest'
import type { ChainSimulator } from '@tonplug/simulator'
import { startChain } from '../start-chain.js'

// Each test starts its own chain.
/** The official client with its defaults. */
function clientOf({ url }: ChainSimulator): TonClient {
  return new TonClient({ endpoint: `${url}/api/v2/jsonRPC` })
}

function hashOf(transaction: Transaction | null): string | undefined {
  return transaction?.hash().toString('base64')
}

test('deploys a wallet, reads its state and get-methods, and pays from it', async () => {
  const chain = await startChain()
  const client = clientOf(chain)
  const from = await chain.createWallet({ version: 'v4' })
  const { publicKey, init, address } = from
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }))
  expect(wallet.address.equals(address)).toBe(true)
  expect(await client.isContractDeployed(address)).toBe(false)
  expect((await client.getContractState(address)).state).toBe('uninitialized')

  const { address: to } = await chain.createWallet({ balance: 0n })
  await client.sendFile(
    (await from.sign([internal({ to, value: toNano(2), bounce: false })])).toBoc(),
  )

  const state = await client.getContractState(address)
  expect(state.state).toBe('active')
  expect(Cell.fromBoc(state.code!)[0]!.equals(init.code!)).toBe(true)
  expect(await wallet.getSeqno()).toBe(1)
  expect(await wallet.getBalance()).toBe(state.balance)
  expect(await client.getBalance(to)).toBe(toNano(2))
})

test('paginates transactions by logical time and hash', async () => {
  const chain = await startChain()
  const client = clientOf(chain)
  const { address } = await chain.createWallet({ balance: 0n })
  for (let value = 1n; value <= 7n; value++) await chain.fund(address, value)
  const all = chain.index.ofAccount(address).map(({ transaction }) => hashOf(transaction))

  const walked: (string | undefined)[] = []
  let page = await client.getTransactions(address, { limit: 3 })
  while (page.length > 0) {
    walked.push(...page.map(hashOf))
    const last = page.at(-1)!
    page = await client.getTransactions(address, {
      limit: 3,
      lt: last.lt.toString(),
      hash: last.hash().toString('base64'),
    })
  }

  expect(walked).toEqual(all.toReversed())
})

test('sends jettons and locates both transactions of each message', async () => {
  const chain = await startChain()
  const client = clientOf(chain)
  const [from, to] = [await chain.createWallet(), await chain.createWallet({ balance: 0n })]
  const usdt = await chain.deployJetton()
  await usdt.mint(from.address, 12_000_000n)
  const master = client.open(JettonMaster.create(usdt.master))
  const source = await master.getWalletAddress(from.address)
  expect(source.equals(usdt.walletOf(from.address))).toBe(true)
  const transfer = { amount: 5n, to: to.address, response: from.address, forwardCoins: 1n }
  const order = await from.sign([usdt.transferMessage({ from: from.address, ...transfer })])

  await client.sendFile(order.toBoc())

  const destination = await master.getWalletAddress(to.address)
  expect(await client.open(JettonWallet.create(destination)).getBalance()).toBe(5n)
  const [sent] = chain.index.byMessage(order.hash().toString('base64'))
  for (const hop of sent!.children) {
    const { info } = hop.transaction.inMessage!
    if (info.type !== 'internal') throw new Error('not sent by an account')
    const message = [info.src, info.dest, info.createdLt.toString()] as const
    expect(hashOf(await client.tryLocateResultTx(...message))).toBe(hashOf(hop.transaction))
    expect(hashOf(await client.tryLocateSourceTx(...message))).toBe(hashOf(sent!.transaction))
  }
  await expect(client.tryLocateResultTx(source, destination, '1')).rejects.toThrow('404')
})

test('iterates over the blocks and finds every transaction once', async () => {
  const chain = await startChain()
  const client = clientOf(chain)
  const [from, to] = [await chain.createWallet(), await chain.createWallet()]
  await from.send([1n, 2n, 3n].map((value) => internal({ to: to.address, value, bounce: false })))

  const found: (string | undefined)[] = []
  const { latestSeqno } = await client.getMasterchainInfo()
  for (let seqno = chain.blocks[0]!.seqno; seqno <= latestSeqno; seqno++) {
    for (const { workchain, shard, seqno: shardSeqno } of await client.getWorkchainShards(seqno)) {
      for (const one of await client.getShardTransactions(workchain, shardSeqno, shard)) {
        found.push(hashOf(await client.getTransaction(one.account, one.lt, one.hash)))
      }
    }
  }

  expect(found).toEqual(chain.transactions.map(({ transaction }) => hashOf(transaction)))
})

test('estimates the exact fees of a message', async () => {
  const chain = await startChain()
  const client = clientOf(chain)
  const from = await chain.createWallet({ version: 'v4' })
  const { address: to } = await chain.createWallet({ balance: 0n })
  const order = () => [internal({ to, value: toNano(1), bounce: false })]
  await from.send(order())
  const unsigned = WalletContractV4.create({
    workchain: 0,
    publicKey: from.publicKey,
  }).createTransfer({ seqno: 1, secretKey: Buffer.alloc(64), messages: order() })

  const { source_fees } = await client.estimateExternalMessageFee(from.address, {
    body: unsigned,
    initCode: null,
    initData: null,
    ignoreSignature: true,
  })
  const { before, after } = await from.send(order())

  const { in_fwd_fee, storage_fee, gas_fee, fwd_fee } = source_fees
  const fees = before.balance - after.balance - toNano(1)
  expect(BigInt(in_fwd_fee + storage_fee + gas_fee + fwd_fee)).toBe(fees)
})

test('receives an error for a message that was sent before, and nothing changes', async () => {
  const chain = await startChain()
  const client = clientOf(chain)
  const from = await chain.createWallet()
  const message = await from.sign([internal({ to: from.address, value: 1n })])
  await client.sendFile(message.toBoc())
  const { length } = chain.transactions

  await expect(client.sendFile(message.toBoc())).rejects.toThrow('500')

  expect(chain.transactions).toHaveLength(length)
})

test('receives the exit code of a get-method that fails', async () => {
  const chain = await startChain()
  const usdt = await chain.deployJetton()
  const none = clientOf(chain).runMethod(usdt.master, 'seqno', [])
  await expect(none).rejects.toThrow('exit_code: 11')
  const cell = beginCell().storeAddress(usdt.master).endCell()
  const { stack } = await clientOf(chain).runMethod(usdt.master, 'get_wallet_address', [
    { type: 'slice', cell },
  ])
  expect(stack.readAddress().equals(usdt.walletOf(usdt.master))).toBe(true)
})
