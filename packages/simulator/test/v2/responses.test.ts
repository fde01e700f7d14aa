import { createV2Client } from '@tonplug/core/toncenter'
import { Address, beginCell, Cell, loadShardAccount, loadTransaction, toNano } from '@ton/core'
import { expect, onTestFinished, test } from 'vitest'
import type { ChainSimulator, ChainSimulatorOptions } from '@tonplug/simulator'
import { startChain } from '../start-chain.js'
import { startPaidChain as begin } from './paid-chain.js'

// Each test starts its own chain.
async function startPaidChain(options?: ChainSimulatorOptions) {
  const paid = await begin(options)
  onTestFinished(() => paid.chain.close())
  return { ...paid, v2: clientOf(paid.chain) }
}

function clientOf({ url: baseUrl }: ChainSimulator) {
  return createV2Client({ baseUrl, rps: Infinity })
}

async function read({ url }: ChainSimulator, path: string, body?: object) {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v2${path}`, init)
  const text = await response.text()
  return { status: response.status, text, response: JSON.parse(text) as Record<string, unknown> }
}

test('returns consistent hashes, logical times and messages for coins and jettons', async () => {
  const { from, to, usdt, v2 } = await startPaidChain()
  const wallets = [from.address, to.address].map((owner) => usdt.walletOf(owner))
  const received = new Map<string, string>()
  const sent = new Map<string, string>()
  for (const address of [from.address, to.address, usdt.master, ...wallets]) {
    const state = await v2.getAddressInformation({ address })
    let expected: { lt: bigint; hash: string } = state.last_transaction_id
    for (const one of await v2.getTransactions({ address, limit: 100 })) {
      expect(one.transaction_id).toMatchObject({ lt: expected.lt, hash: expected.hash })
      const cell = Cell.fromBase64(one.data)
      expect(cell.hash().toString('base64')).toBe(one.transaction_id.hash)
      const { prevTransactionLt, prevTransactionHash, inMessage } = loadTransaction(
        cell.beginParse(),
      )
      const hash = Buffer.from(prevTransactionHash.toString(16).padStart(64, '0'), 'hex')
      expected = { lt: prevTransactionLt, hash: hash.toString('base64') }
      expect(one.in_msg?.body_hash).toBe(inMessage!.body.hash().toString('base64'))
      if (one.in_msg && one.in_msg.source !== '') received.set(one.in_msg.hash!, address.toString())
      for (const { hash: sentHash, destination } of one.out_msgs) sent.set(sentHash!, destination)
    }
    expect(expected.lt).toBe(0n)
  }
  // The rest of the fees is burned, and the faucet creates coins.
  for (const [hash, destination] of sent) {
    expect(received.get(hash)).toBe(Address.parse(destination).toString())
  }
  expect(sent.size).toBeGreaterThanOrEqual(5)
})

test('returns the supply and metadata of a jetton, the owner of its wallet, and an error for other contracts', async () => {
  const { from, usdt, v2 } = await startPaidChain()
  expect(await v2.getTokenData({ address: usdt.master })).toMatchObject({
    contract_type: 'jetton_master',
    total_supply: 12_000_000n,
    mintable: true,
    jetton_content: {
      type: 'onchain',
      data: { name: 'Tether USD', symbol: 'USDT', decimals: '6' },
    },
  })
  expect(await v2.getTokenData({ address: usdt.walletOf(from.address) })).toMatchObject({
    contract_type: 'jetton_wallet',
    balance: 9_500_000n,
    owner: from.address.toString(),
    jetton: usdt.master.toString(),
  })
  await expect(v2.getTokenData({ address: from.address })).rejects.toMatchObject({
    code: 'ERR_TONPLUG_CONFLICT',
  })
})

test.for([
  ['v3r2', 'wallet v3 r2', 'wallet.v3.accountState'],
  ['v4', 'wallet v4 r2', 'wallet.v4.accountState'],
  ['v5', 'wallet v5 r1', 'raw.accountState'],
] as const)('detects a %s wallet', async ([version, wallet_type, type]) => {
  const chain = await startChain()
  const v2 = clientOf(chain)
  const wallet = await chain.createWallet({ version })
  const { address } = wallet
  expect(await v2.getWalletInformation({ address })).toMatchObject({ wallet: false })
  await wallet.send([])

  expect(await v2.getWalletInformation({ address })).toMatchObject({
    wallet: true,
    wallet_type,
    seqno: 1,
    ...(version === 'v5' && { is_signature_allowed: true }),
  })
  const { account_state } = await v2.getExtendedAddressInformation({ address })
  expect(account_state['@type']).toBe(type)
})

test('returns an account at any kept block', async () => {
  const chain = await startChain({ maxTransactions: 3 })
  const v2 = clientOf(chain)
  const { address } = await chain.createWallet({ balance: 0n })
  for (let value = 1n; value <= 5n; value++) await chain.fund(address, value)
  const [third, , fifth] = chain.blocks.map(({ seqno }) => seqno)

  expect(await v2.getAddressBalance({ address, seqno: third! })).toBe(6n)
  expect(await v2.getAddressBalance({ address, seqno: fifth! })).toBe(15n)
  const gone = await read(
    chain,
    `/getAddressBalance?address=${address.toString()}&seqno=${third! - 1}`,
  )
  expect([gone.status, gone.response['error']]).toEqual([
    500,
    'LITE_SERVER_UNKNOWN: block not found',
  ])
  const early = await read(
    chain,
    `/getAddressBalance?address=${address.toString()}&seqno=${fifth! + 1}`,
  )
  expect(early.response['error']).toMatch(/^LITE_SERVER_NOTREADY/)
})

test('responds to requests for discarded history like a node without it', async () => {
  const chain = await startChain({ maxTransactions: 3 })
  const v2 = clientOf(chain)
  const { address } = await chain.createWallet({ balance: 0n })
  for (let value = 1n; value <= 5n; value++) await chain.fund(address, value)

  const kept = await v2.getTransactions({ address })
  expect(kept).toHaveLength(3)
  const { prevTransactionLt: lt, prevTransactionHash } =
    chain.index.ofAccount(address)[0]!.transaction
  const hash = prevTransactionHash.toString(16).padStart(64, '0')
  await expect(v2.getTransactions({ address, lt, hash })).rejects.toMatchObject({
    code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
  })
})

test('finds blocks by seqno, logical time and time, and returns their neighbors', async () => {
  const { chain, native, v2 } = await startPaidChain({ now: 1_790_000_000 })
  const block = { workchain: 0, shard: '-9223372036854775808' }
  chain.now += 60
  await chain.fund(native.address, 1n)
  const newest = chain.blocks.at(-1)!

  const byLt = await v2.lookupBlock({ ...block, lt: native.transaction.lt })
  expect(byLt.seqno).toBe(native.seqno)
  const byTime = await v2.lookupBlock({ ...block, unixtime: 1_790_000_001 })
  expect(byTime.seqno).toBe(newest.seqno)
  const header = await v2.getBlockHeader({ ...block, seqno: newest.seqno })
  expect(header).toMatchObject({ gen_utime: 1_790_000_060, start_lt: newest.startLt })
  const before = await v2.lookupBlock({ ...block, seqno: newest.seqno - 1 })
  expect(header.prev_blocks).toMatchObject([{ root_hash: before.root_hash }])
  await expect(
    v2.getBlockHeader({ ...block, seqno: newest.seqno, root_hash: before.root_hash }),
  ).rejects.toMatchObject({ message: expect.stringMatching(/block not found/) })
})

test('paginates the transactions of a block by account', async () => {
  const chain = await startChain()
  const v2 = clientOf(chain)
  const from = await chain.createWallet()
  const wallets = await Promise.all(
    Array.from({ length: 6 }, () => chain.createWallet({ balance: 0n })),
  )
  const usdt = await chain.deployJetton()
  await from.send(
    wallets.slice(0, 4).map(({ address }) =>
      usdt.transferMessage({
        from: address,
        amount: 1n,
        to: address,
        response: address,
        forwardCoins: 0n,
      }),
    ),
  )
  const { seqno, transactions } = chain.blocks.find((one) => one.transactions.length === 4)!
  const block = { workchain: 0, shard: '-9223372036854775808', seqno }

  const walked: string[] = []
  for await (const { hash } of v2.getBlockTransactions.paginate(block, { pageSize: 3 }))
    walked.push(hash)

  const all = transactions.map(({ transaction }) => transaction.hash().toString('base64'))
  expect(walked.toSorted()).toEqual(all.toSorted())
  expect(chain.v2Server.requests).toHaveLength(2)
})

test('returns the cell of an account that matches its state', async () => {
  const { chain, from, v2 } = await startPaidChain()
  const { bytes } = await v2.getShardAccountCell({ address: from.address })
  const account = Cell.fromBase64(bytes)
  const { last } = await chain.account(from.address)
  const shard = beginCell().storeRef(account).storeUint(last.hash, 256).storeUint(last.lt, 64)
  const stored = loadShardAccount(shard.endCell().beginParse()).account!
  expect(stored.addr.equals(from.address)).toBe(true)
  expect(stored.storage.balance.coins).toBe((await chain.account(from.address)).balance)
})

test.for<[string, object | undefined, number]>([
  ['/getAddressBalance', undefined, 422],
  ['/getAddressBalance?address=nobody', undefined, 422],
  ['/getAddressBalance', { address: `0:${'0'.repeat(64)}`, adress: 1 }, 422],
  ['/getTransactions?limit=1001&address=0:'.padEnd(102, '0'), undefined, 422],
  ['/getTransactions?lt=5&address=0:'.padEnd(96, '0'), undefined, 422],
  ['/detectHash?hash=abc', undefined, 422],
  ['/sendBoc', { boc: 'te6' }, 422],
  ['/sendBoc?boc=te6', undefined, 405],
  ['/jsonRPC', undefined, 405],
  ['/jsonRPC', { method: 'getNothing' }, 404],
  ['/nothing', undefined, 404],
  ['/runGetMethod', { address: `0:${'0'.repeat(64)}`, method: 'seqno', stack: [['odd', 1]] }, 542],
  [
    '/runGetMethod',
    { address: `0:${'0'.repeat(64)}`, method: 'seqno', stack: [['num', 'x']] },
    400,
  ],
])('returns for %s with %s the status %i', async ([path, body, status]) => {
  const chain = await startChain()
  const reply = await read(chain, path, body)
  expect(reply.status).toBe(status)
  expect(reply.response).toEqual({
    ok: false,
    error: expect.any(String),
    code: status,
    '@extra': '_',
  })
})

test('returns the formats of the Python server', async () => {
  const { chain, usdt, from } = await startPaidChain({ dialect: 'python' })
  const nobody = new Address(0, Buffer.alloc(32, 7))
  expect((await read(chain, '/getAddressBalance?address=nobody')).response).toEqual({
    ok: false,
    error: 'Incorrect address',
    code: 416,
  })
  const unused = await read(chain, `/getAddressInformation?address=${nobody.toRawString()}`)
  expect(unused.response['result']).toMatchObject({ balance: 0, '@extra': expect.any(String) })
  const token = await read(chain, `/getTokenData?address=${usdt.master.toString()}`)
  expect(token.text).toContain('"total_supply":12000000,')
  const raw = from.address.toRawString()
  const packed = await read(chain, `/packAddress?address=${raw}`)
  expect(packed.response['result']).toBe(from.address.toString({ urlSafe: false }))
  const unpacked = await read(chain, `/unpackAddress?address=${raw}`)
  expect(unpacked.response['result']).toBe(raw)
  const history = await read(chain, `/getTransactions?address=${raw}`)
  expect(history.response['result']).toContainEqual(
    expect.objectContaining({ '@type': 'raw.transaction' }),
  )
  expect(history.text).not.toContain('"account":')
  const rpc = await read(chain, '/jsonRPC', { id: 1, jsonrpc: '2.0', method: 'getMasterchainInfo' })
  expect(rpc.response).toMatchObject({ ok: true, id: '1', jsonrpc: '2.0' })
  const unknown = await read(chain, '/jsonRPC', { method: 'getShards', params: { seqno: 1 } })
  expect(unknown.response).toMatchObject({ error: 'Unknown method', code: 422 })
})

test('returns a message with a comment as text, any other as cells', async () => {
  const { native, jetton, v2, to, usdt, from } = await startPaidChain()
  const [text] = await v2.getTransactions({
    address: native.address,
    lt: native.transaction.lt,
    hash: native.transaction.hash().toString('base64'),
    limit: 1,
  })
  expect(text!.out_msgs[0]).toMatchObject({
    destination: to.address.toString(),
    value: toNano(1),
    message: 'Order 17',
    msg_data: { '@type': 'msg.dataText', text: Buffer.from('Order 17').toString('base64') },
  })
  const [cells] = await v2.getTransactions({
    address: jetton.address,
    limit: 1,
    lt: jetton.transaction.lt,
    hash: jetton.transaction.hash().toString('base64'),
  })
  const sent = cells!.out_msgs[0]!
  expect(sent.destination).toBe(usdt.walletOf(from.address).toString())
  expect(sent.msg_data['@type']).toBe('msg.dataRaw')
  // The bits of the root: the opcode first.
  expect(Buffer.from(sent.message!, 'base64').subarray(0, 4).toString('hex')).toBe('0f8a7ea5')
})
