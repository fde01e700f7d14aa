import { createV2Client, createV3Client } from '@tonplug/core'
import { comment, external, internal, SendMode, toNano, type Cell } from '@ton/core'
import { TonClient, type WalletContractV4 } from '@ton/ton'
import { expect, test, vi } from 'vitest'
import {
  type ChainSimulator,
  messageCell,
  type SignedWallet,
  walletV4,
} from '@tonplug/testing/simulator'
import { startSimulator } from './start-simulator.js'

// Each test begins a chain of its own.
vi.setConfig({ testTimeout: 60_000 })

const UNLIMITED = { rps: Infinity }

function clientsOf({ url: baseUrl }: ChainSimulator) {
  return {
    v2: createV2Client({ baseUrl, ...UNLIMITED }),
    v3: createV3Client({ baseUrl, ...UNLIMITED }),
  }
}

/** A payment of 1 TON with a comment, deploying the wallet with its first message. */
function payment(
  from: SignedWallet<WalletContractV4>,
  to: SignedWallet<WalletContractV4>,
  seqno = 0,
): Cell {
  const { wallet, keys } = from
  const body = wallet.createTransfer({
    seqno,
    secretKey: keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [
      internal({
        to: to.wallet.address,
        value: toNano(1),
        bounce: false,
        body: comment('Order 17'),
      }),
    ],
  })
  const init = seqno === 0 ? wallet.init : undefined
  return messageCell(external({ to: wallet.address, body, ...(init && { init }) }))
}

test('an account that nobody has paid does not exist, and both APIs say so in their own words', async () => {
  const chain = await startSimulator()
  const { v2, v3 } = clientsOf(chain)
  const { address } = walletV4(1).wallet

  expect(await v2.getAddressInformation({ address })).toMatchObject({
    balance: 0n,
    state: 'uninitialized',
    last_transaction_id: { lt: 0n },
  })
  expect((await v3.accountStates({ address: [address] })).accounts).toEqual([])
  await chain.fund(address, toNano(5))
  expect((await v3.accountStates({ address: [address] })).accounts).toMatchObject([
    { balance: toNano(5), status: 'uninit' },
  ])
})

test('a payment is one trace, the same transactions to both APIs', async () => {
  const chain = await startSimulator()
  const { v2, v3 } = clientsOf(chain)
  const [from, to] = [walletV4(1), walletV4(2)]
  await chain.fund(from.wallet.address, toNano(5))

  const { message_hash_norm } = await v3.message({ boc: payment(from, to) })

  const { traces } = await v3.traces({ msg_hash: [message_hash_norm!] })
  expect(traces).toMatchObject([
    { trace_info: { trace_state: 'complete', transactions: 2, pending_messages: 0 } },
  ])
  const [sent, received] = traces[0]!.transactions_order!
  const [ofSender] = await v2.getTransactions({ address: from.wallet.address, limit: 1 })
  const [ofReceiver] = await v2.getTransactions({ address: to.wallet.address, limit: 1 })
  expect([ofSender!.transaction_id.hash, ofReceiver!.transaction_id.hash]).toEqual([sent, received])
  expect(traces[0]!.transactions![received!]).toMatchObject({
    orig_status: 'nonexist',
    end_status: 'uninit',
    in_msg: { value: toNano(1), opcode: '0x00000000' },
  })
  expect(await v2.getAddressBalance({ address: to.wallet.address })).toBe(toNano(1))
})

test('a message that the wallet does not accept is refused with its exit code and changes nothing', async () => {
  const chain = await startSimulator()
  const { v2 } = clientsOf(chain)
  const [from, to] = [walletV4(1), walletV4(2)]
  await chain.fund(from.wallet.address, toNano(5))
  await v2.sendBoc({ boc: payment(from, to) })
  const before = await v2.getAddressInformation({ address: from.wallet.address })

  await expect(v2.sendBoc({ boc: payment(from, to) })).rejects.toMatchObject({
    name: 'MessageRejectedError',
    exitCode: 33,
  })

  expect(await v2.getAddressInformation({ address: from.wallet.address })).toEqual(before)
  expect(chain.transactions).toHaveLength(3)
})

test('a held chain keeps a message in the pool, and an index that lags has it pending', async () => {
  const chain = await startSimulator()
  const { v2, v3 } = clientsOf(chain)
  const [from, to] = [walletV4(1), walletV4(2)]
  await chain.fund(from.wallet.address, toNano(5))
  chain.isHolding = true
  const boc = payment(from, to)
  const { hash_norm } = await v2.sendBocReturnHash({ boc })
  await v2.sendBoc({ boc })
  expect(chain.pool).toHaveLength(1)
  expect((await v3.traces({ msg_hash: [hash_norm!] })).traces).toEqual([])

  await chain.mineBlock(1)
  expect((await v3.traces({ msg_hash: [hash_norm!] })).traces).toMatchObject([
    { trace_info: { trace_state: 'pending', transactions: 1, pending_messages: 1 } },
  ])
  await chain.mine()
  chain.v3Server.lagBlocks = 1
  expect((await v3.traces({ msg_hash: [hash_norm!] })).traces).toMatchObject([
    { trace_info: { trace_state: 'pending' } },
  ])
  chain.v3Server.lagBlocks = 2
  expect((await v3.traces({ msg_hash: [hash_norm!] })).traces).toEqual([])
  expect((await v3.pendingTraces({ ext_msg_hash: [hash_norm!] })).traces).toMatchObject([
    { trace_info: { trace_state: 'complete', transactions: 2 } },
  ])
})

test('a message that is no longer accepted when its turn comes is dropped', async () => {
  const chain = await startSimulator()
  const { v2 } = clientsOf(chain)
  const [from, to] = [walletV4(1), walletV4(2)]
  await chain.fund(from.wallet.address, toNano(5))
  await v2.sendBoc({ boc: payment(from, to) })
  chain.isHolding = true
  const [one, other] = [payment(from, to, 1), payment(from, walletV4(3), 1)]
  await v2.sendBoc({ boc: one })
  await v2.sendBoc({ boc: other })

  await chain.mine()

  expect(chain.pool).toEqual([])
  expect(await v2.getTransactions({ address: walletV4(3).wallet.address })).toEqual([])
})

test('walks back through a history by v2 and by v3 alike', async () => {
  const chain = await startSimulator()
  const { v2, v3 } = clientsOf(chain)
  const { address } = walletV4(1).wallet
  for (let amount = 1n; amount <= 7n; amount++) await chain.fund(address, amount)
  const byV2 = []
  for await (const one of v2.getTransactions.iterate({ address }, { pageSize: 3 }))
    byV2.push(one.transaction_id.hash)
  const byV3 = []
  for await (const one of v3.transactions.iterate({ account: [address] }, { pageSize: 3 }))
    byV3.push(one.hash)

  expect(byV2).toHaveLength(7)
  expect(byV3).toEqual(byV2)
})

test('the client of @ton/ton reads it through /jsonRPC', async () => {
  const chain = await startSimulator()
  const client = new TonClient({ endpoint: `${chain.url}/api/v2/jsonRPC` })
  const { address } = walletV4(1).wallet
  await chain.fund(address, toNano(5))

  const { latestSeqno } = await client.getMasterchainInfo()
  const [shard] = await client.getWorkchainShards(latestSeqno)
  const [inBlock] = await client.getShardTransactions(0, shard!.seqno, shard!.shard)
  expect(inBlock!.account.equals(address)).toBe(true)
  const transaction = await client.getTransaction(address, inBlock!.lt, inBlock!.hash)
  expect(transaction!.hash().toString('base64')).toBe(inBlock!.hash)
})
