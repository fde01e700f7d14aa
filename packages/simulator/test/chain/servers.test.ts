import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { comment, external, internal, SendMode, toNano, type Cell } from '@ton/core'
import { TonClient, type WalletContractV4 } from '@ton/ton'
import { expect, test } from 'vitest'
import { type ChainSimulator, messageCell, type SignedWallet, walletV4 } from '@tonplug/simulator'
import { startChain } from '../start-chain.js'

// Each test starts its own chain.
const UNLIMITED = { rps: Infinity }

function clientsOf({ url: baseUrl }: ChainSimulator) {
  return {
    v2: createV2Client({ baseUrl, ...UNLIMITED }),
    v3: createV3Client({ baseUrl, ...UNLIMITED }),
  }
}

/** Sends 1 TON with a comment, and deploys the wallet with its first message. */
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

test('returns an account without messages as nonexistent in the format of each API', async () => {
  const chain = await startChain()
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

test('returns a payment as one trace, with the same transactions in both APIs', async () => {
  const chain = await startChain()
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

test('rejects a message that the wallet does not accept with the exit code, and changes nothing', async () => {
  const chain = await startChain()
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

test('keeps a message in the pool while isHolding is true, and a pending transaction while the index lags', async () => {
  const chain = await startChain()
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

test('drops a message that is no longer accepted when it is mined', async () => {
  const chain = await startChain()
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

test('paginates a history by API v2 and by API v3 with equal results', async () => {
  const chain = await startChain()
  const { v2, v3 } = clientsOf(chain)
  const { address } = walletV4(1).wallet
  for (let amount = 1n; amount <= 7n; amount++) await chain.fund(address, amount)
  const byV2 = []
  for await (const one of v2.getTransactions.paginate({ address }, { pageSize: 3 }))
    byV2.push(one.transaction_id.hash)
  const byV3 = []
  for await (const one of v3.transactions.paginate({ account: [address] }, { pageSize: 3 }))
    byV3.push(one.hash)

  expect(byV2).toHaveLength(7)
  expect(byV3).toEqual(byV2)
})

test('serves the client of @ton/ton through /jsonRPC', async () => {
  const chain = await startChain()
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
