import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { Cell, internal, loadMessage, loadTransaction, type Address } from '@ton/core'
import { expect, it } from 'vitest'
import { getV3, startSampleChain, type Row, type SampleChain } from './sample-chain.js'

// Each test starts its own chain.
async function allTransactions(sample: SampleChain): Promise<Row[]> {
  const { body } = await getV3(sample, '/transactions', { limit: 1000, sort: 'asc' })
  return [...body['transactions']!]
}

it('returns the same transactions as API v2 and the chain, with hash, lt and messages', async () => {
  const sample = await startSampleChain()
  const v2 = createV2Client({ baseUrl: sample.chain.url, rps: Infinity })
  const rows = await allTransactions(sample)
  expect(rows).toHaveLength(sample.chain.transactions.length)
  const byAccount = new Map<string, Row[]>()
  for (const row of rows) {
    const account = String(row['account'])
    byAccount.set(account, [...(byAccount.get(account) ?? []), row])
  }
  for (const [account, own] of byAccount) {
    const told = await v2.getTransactions({ address: account, limit: 100 })
    expect(told.map(({ transaction_id: { hash, lt } }) => [hash, `${lt}`]).toReversed()).toEqual(
      own.map(({ hash, lt }) => [hash, lt]),
    )
    let previous: Row = { hash: Buffer.alloc(32).toString('base64'), lt: '0' }
    for (const [at, row] of own.entries()) {
      const { data, in_msg, out_msgs } = told[own.length - 1 - at]!
      const cell = Cell.fromBase64(String(data))
      const transaction = loadTransaction(cell.beginParse())
      expect(cell.hash().toString('base64')).toBe(row['hash'])
      expect(row).toMatchObject({
        prev_trans_hash: previous['hash'],
        prev_trans_lt: previous['lt'],
        total_fees: transaction.totalFees.coins.toString(),
        account_state_after: { hash: transaction.stateUpdate.newHash.toString('base64') },
      })
      previous = row
      const [inside, outside] = [row['in_msg'] as Row, row['out_msgs'] as Row[]]
      expect(in_msg?.hash ?? inside['hash']).toBe(inside['hash'])
      expect(outside.map(({ hash }) => hash)).toEqual(
        out_msgs.map(({ hash, body_hash }, index) => {
          expect(body_hash).toBe((outside[index]!['message_content'] as Row)['hash'])
          return hash
        }),
      )
    }
    const { balance, last_transaction_id: last } = await v2.getAddressInformation({
      address: account,
    })
    const { body } = await getV3(sample, '/accountStates', { address: account })
    expect(body['accounts']).toMatchObject([
      {
        balance: `${balance}`,
        last_transaction_lt: `${last.lt}`,
        last_transaction_hash: last.hash,
        account_state_hash: (previous['account_state_after'] as Row)['hash'],
      },
    ])
  }
})

it('returns one hash of a message for its sender, its receiver and in every list', async () => {
  const sample = await startSampleChain()
  const rows = await allTransactions(sample)
  const received = new Map(
    rows.map((row) => [(row['in_msg'] as Row)['hash'], row['in_msg'] as Row]),
  )
  const { body } = await getV3(sample, '/messages', { limit: 1000 })
  const listed = new Map(body['messages']!.map((row) => [row['hash'], row]))
  let sent = 0
  for (const row of rows) {
    for (const message of row['out_msgs'] as Row[]) {
      expect(received.get(message['hash'])).toEqual(message)
      expect(listed.get(message['hash'])).toMatchObject(message)
      sent++
    }
  }
  expect(sent).toBeGreaterThan(10)
  expect(listed.size).toBe(received.size)
})

it('finds an external message by its normalized hash', async () => {
  const { chain, alice, bob } = await startSampleChain()
  const v2 = createV2Client({ baseUrl: chain.url, rps: Infinity })
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
  const message = await alice.sign([internal({ to: bob.address, value: 5n, bounce: false })])
  const told = await v3.message({ boc: message.toBoc() })
  expect(told.message_hash).toBe(message.hash().toString('base64'))
  const norm = told.message_hash_norm!
  const { body } = loadMessage(message.beginParse())

  const [trace] = (await v3.traces({ msg_hash: norm })).traces
  const root = trace!.transactions![trace!.trace_id!]!
  expect(root.in_msg).toMatchObject({
    hash: told.message_hash,
    hash_norm: norm,
    message_content: { hash: body.hash().toString('base64') },
  })
  expect(trace!.external_hash).toBe(told.message_hash)
  const [last] = await v2.getTransactions({ address: alice.address, limit: 1 })
  expect(last!.transaction_id.hash).toBe(trace!.trace_id)
  const bare = (await v3.messages({ msg_hash: norm })).messages
  expect(bare.map(({ hash }) => hash)).toEqual([told.message_hash])
})

it('returns a trace as a tree of its transactions', async () => {
  const sample = await startSampleChain()
  const { body } = await getV3(sample, '/traces', { limit: 1000 })
  for (const trace of body['traces']!) {
    const transactions = trace['transactions'] as Record<string, Row>
    const order = trace['transactions_order'] as string[]
    const [first, last] = [transactions[order[0]!]!, transactions[order.at(-1)!]!]
    const inTree: string[] = []
    const look = (node: Row): void => {
      const one = transactions[String(node['tx_hash'])]!
      inTree.push(String(one['hash']))
      expect((one['in_msg'] as Row)['hash']).toBe(node['in_msg_hash'])
      const sent = (one['out_msgs'] as Row[]).map(({ hash }) => hash)
      for (const child of node['children'] as Row[]) {
        expect(sent).toContain(child['in_msg_hash'])
        look(child)
      }
    }
    look(trace['trace'] as Row)
    expect(inTree.map(String).toSorted()).toEqual(Object.keys(transactions).map(String).toSorted())
    const lts = order.map((hash) => BigInt(String(transactions[hash]!['lt'])))
    expect(lts).toEqual(lts.toSorted((one, other) => (one < other ? -1 : 1)))
    expect(trace).toMatchObject({
      trace_id: first['hash'],
      external_hash: (first['in_msg'] as Row)['hash'],
      start_lt: first['lt'],
      start_utime: first['now'],
      end_lt: last['lt'],
      end_utime: last['now'],
      mc_seqno_start: String(first['mc_block_seqno']),
      mc_seqno_end: String(last['mc_block_seqno']),
      trace_info: {
        trace_state: 'complete',
        messages: order.length,
        transactions: order.length,
        pending_messages: 0,
      },
      is_incomplete: false,
    })
  }
})

it('returns an address book of all addresses, with non-bounceable wallets', async () => {
  const sample = await startSampleChain()
  const { chain, alice, dave, usdt } = sample
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
  const raw = (address: Address) =>
    `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
  const { body } = await getV3(sample, '/traces', { account: alice.address.toString(), limit: 100 })
  const text = JSON.stringify(body['traces'])
  const inRows = new Set(text.match(/-?\d+:[0-9A-F]{64}(?=")/g))
  expect(Object.keys(body['address_book']!).map(String).toSorted()).toEqual(
    [...inRows].map(String).toSorted(),
  )
  const book = body['address_book'] as unknown as Record<string, Row>
  const wallet = usdt.walletOf(alice.address)
  expect(book[raw(alice.address)]).toEqual({
    user_friendly: alice.address.toString({ bounceable: false }),
    domain: null,
    interfaces: ['wallet_v5r1'],
  })
  expect(book[raw(dave)]).toMatchObject({
    user_friendly: dave.toString({ bounceable: false }),
    interfaces: [],
  })
  expect(book[raw(wallet)]).toMatchObject({
    user_friendly: wallet.toString(),
    interfaces: ['jetton_wallet'],
  })
  const metadata = {
    [raw(wallet)]: {
      is_indexed: true,
      token_info: [
        {
          valid: true,
          type: 'jetton_wallets',
          extra: { balance: '9500000', jetton: raw(usdt.master), owner: raw(alice.address) },
        },
      ],
    },
    [raw(usdt.master)]: {
      is_indexed: true,
      token_info: [
        {
          valid: true,
          type: 'jetton_masters',
          name: 'Tether USD',
          symbol: 'USDT',
          extra: { decimals: '6' },
        },
      ],
    },
  }
  expect(body['metadata']).toMatchObject(metadata)
  // The master is listed with its wallet; accounts without tokens are not.
  expect(await v3.metadata({ address: [wallet, alice.address] })).toEqual(metadata)
  const requested = [alice.address.toString(), raw(alice.address), 'nobody', `0:${'1'.repeat(64)}`]
  const response = await getV3(sample, '/addressBook', { address: requested })
  const nobody = { user_friendly: null, domain: null, interfaces: [] }
  expect(response.body).toEqual({
    [requested[0]!]: book[raw(alice.address)],
    [requested[1]!]: book[raw(alice.address)],
    nobody,
    [requested[3]!]: nobody,
  })
})

it('returns transactions of blocks that are not indexed as pending', async () => {
  const sample = await startSampleChain()
  const { chain, alice, bob, usdt } = sample
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
  const before = await v3.accountStates({ address: [alice.address, bob.address] })
  const blocks = chain.blocks.length
  const message = await alice.sign([
    usdt.transferMessage({
      from: alice.address,
      amount: 1n,
      to: bob.address,
      response: alice.address,
      forwardCoins: 1n,
    }),
  ])
  const { message_hash_norm } = await v3.message({ boc: message.toBoc() })
  chain.v3Server.lagBlocks = chain.blocks.length - blocks

  expect(await v3.accountStates({ address: [alice.address, bob.address] })).toEqual(before)
  expect((await v3.traces({ msg_hash: message_hash_norm! })).traces).toEqual([])
  const [trace] = (await v3.pendingTraces({ ext_msg_hash: message_hash_norm! })).traces
  expect(trace).toMatchObject({
    mc_seqno_start: 0,
    mc_seqno_end: 0,
    trace_info: { transactions: 5, trace_state: 'complete' },
  })
  for (const one of Object.values(trace!.transactions!)) {
    expect(one).toMatchObject({
      emulated: true,
      finality: 'pending',
      mc_block_seqno: 0,
      trace_external_hash: message_hash_norm,
    })
  }
  const { actions } = await v3.pendingActions({ ext_msg_hash: message_hash_norm! })
  expect(actions).toMatchObject([{ type: 'jetton_transfer', success: true, finality: 'pending' }])
  const pending = await v3.pendingTransactions({ account: bob.address })
  expect(pending.transactions).toHaveLength(1)
  expect((await v3.jettonTransfers({ limit: 1000 })).jetton_transfers).toHaveLength(2)

  // The first block of the trace is indexed, the others are not.
  chain.v3Server.lagBlocks--
  const [begun] = (await v3.traces({ msg_hash: message_hash_norm! })).traces
  expect(begun).toMatchObject({
    trace_info: { transactions: 1, pending_messages: 1, trace_state: 'pending' },
  })
  chain.v3Server.lagBlocks = 0
  const [done] = (await v3.traces({ msg_hash: message_hash_norm! })).traces
  expect(done!.transactions_order).toEqual(trace!.transactions_order)
  expect((await v3.pendingTraces({ ext_msg_hash: message_hash_norm! })).traces).toEqual([])
})
