import { createV3Client } from '@tonplug/core/toncenter'
import { toNano, type Address } from '@ton/core'
import { expect, it } from 'vitest'
import { getV3, startSampleChain, type Row } from './sample-chain.js'

// Each test starts its own chain.
function raw(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}

it('returns an action with its details for each operation', async () => {
  const sample = await startSampleChain()
  const { alice, bob, dave, carol, usdt } = sample
  const { body } = await getV3(sample, '/actions', { limit: 1000, sort: 'asc' })
  const actions = body['actions']!
  const brief = (wanted: string): Row[] =>
    actions
      .filter(({ type }) => type === wanted)
      .map(({ success, details }) => ({ success, ...(details as Row) }))
  const jettons = {
    asset: raw(usdt.master),
    sender: raw(alice.address),
    receiver: raw(bob.address),
    sender_jetton_wallet: raw(usdt.walletOf(alice.address)),
    is_encrypted_comment: false,
    query_id: '0',
    response_destination: raw(alice.address),
    custom_payload: null,
    forward_amount: '1',
  }
  expect(brief('jetton_transfer')).toMatchObject([
    {
      ...jettons,
      success: true,
      receiver_jetton_wallet: raw(usdt.walletOf(bob.address)),
      amount: '2500000',
      comment: 'Order 18',
      forward_payload: expect.any(String),
    },
    { ...jettons, success: false, amount: '99000000', comment: null, forward_payload: null },
  ])
  expect(brief('jetton_mint')).toEqual([
    {
      success: true,
      asset: raw(usdt.master),
      receiver: raw(alice.address),
      receiver_jetton_wallet: raw(usdt.walletOf(alice.address)),
      amount: '12000000',
      ton_amount: expect.stringMatching(/^\d+$/),
    },
  ])
  expect(brief('jetton_burn')).toEqual([
    {
      success: true,
      owner: raw(bob.address),
      owner_jetton_wallet: raw(usdt.walletOf(bob.address)),
      asset: raw(usdt.master),
      amount: '500000',
    },
  ])
  const transfer = { value_extra_currencies: {}, comment: null, encrypted: false, success: true }
  expect(brief('ton_transfer').filter(({ source }) => !String(source).startsWith('-1:'))).toEqual([
    {
      ...transfer,
      source: raw(alice.address),
      destination: raw(bob.address),
      value: `${toNano(1)}`,
      comment: 'Order 17',
    },
    {
      ...transfer,
      source: raw(alice.address),
      destination: raw(dave),
      value: `${toNano('0.5')}`,
    },
    { ...transfer, source: raw(carol.address), destination: raw(alice.address), value: '7' },
  ])
  const called = brief('call_contract').find(({ opcode }) => opcode === '0x12345678')
  expect(called).toEqual({
    success: false,
    opcode: '0x12345678',
    source: raw(bob.address),
    destination: raw(usdt.master),
    value: `${toNano('0.2')}`,
    extra_currencies: {},
  })
  // Wallets by their first external message, jetton wallets by their incoming messages.
  const deployed = brief('contract_deploy').map(({ destination }) => destination)
  expect(deployed.map(String).toSorted()).toEqual(
    [alice.address, bob.address, carol.address, usdt.master]
      .concat([usdt.walletOf(alice.address), usdt.walletOf(bob.address)])
      .map(raw)
      .map(String)
      .toSorted(),
  )
})

it('returns the trace and the transactions of an action, with the sender of its message first', async () => {
  const sample = await startSampleChain()
  const { chain, alice, bob, usdt } = sample
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
  const { actions } = await v3.actions({
    action_type: 'jetton_transfer',
    account: alice.address,
    include_accounts: true,
    include_transactions: true,
    sort: 'asc',
  })
  const [action] = actions
  const [trace] = (await v3.traces({ trace_id: action!.trace_id!, include_actions: true })).traces
  const order = action!.transactions!.map((hash) => trace!.transactions![hash]!)
  expect(order.map(({ in_msg }) => in_msg?.decoded_opcode ?? null)).toEqual([
    null,
    'jetton_transfer',
    'jetton_internal_transfer',
    'jetton_notify',
    'excess',
  ])
  expect(action!.transactions_full!.map(({ hash }) => hash)).toEqual(action!.transactions)
  expect(action).toMatchObject({
    start_lt: order[1]!.in_msg!.created_lt,
    end_lt: order.at(-1)!.lt,
    trace_end_lt: trace!.end_lt,
    trace_mc_seqno_end: trace!.mc_seqno_end,
    trace_external_hash: trace!.external_hash,
    trace_external_hash_norm: order[0]!.in_msg!.hash_norm,
    finality: 'finalized',
  })
  expect(action!.accounts!.map(String).toSorted()).toEqual(
    [alice.address, bob.address, usdt.master]
      .concat([usdt.walletOf(alice.address), usdt.walletOf(bob.address)])
      .map(raw)
      .map(String)
      .toSorted(),
  )
  expect(trace!.actions!.map(({ action_id }) => action_id)).toContain(action!.action_id)
  expect(trace!.trace_info.classification_state).toBe('ok')
  for (const query of [
    { action_id: action!.action_id },
    { tx_hash: action!.transactions![2]! },
    { msg_hash: order[2]!.in_msg!.hash },
    { trace_id: action!.trace_id! },
  ]) {
    const found = (await v3.actions({ ...query, action_type: 'jetton_transfer' })).actions
    expect(found.map(({ action_id }) => action_id)).toEqual([action!.action_id])
  }
  const excluded = await v3.actions({
    trace_id: action!.trace_id!,
    exclude_action_type: 'jetton_transfer',
  })
  expect(excluded.actions.map(({ type }) => type)).toEqual(['contract_deploy'])
})

it('returns balance changes in coins and in jettons', async () => {
  const sample = await startSampleChain()
  const { chain, alice, bob, usdt } = sample
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
  const { actions } = await v3.actions({ action_type: 'jetton_transfer', sort: 'asc' })
  const [action] = actions
  const { changes, fees, jettons } = await v3.balanceChanges({ trace_id: action!.trace_id! })
  expect(jettons).toEqual({
    [raw(alice.address)]: { [raw(usdt.master)]: -2_500_000n },
    [raw(bob.address)]: { [raw(usdt.master)]: 2_500_000n },
  })
  const before = new Map<string, bigint>()
  for (const one of chain.transactions) {
    let root = one
    while (root.parent !== undefined) root = root.parent
    if (root.transaction.hash().toString('base64') !== action!.trace_id) continue
    const key = raw(one.address)
    before.set(key, (before.get(key) ?? 0n) + one.after.balance - one.before.balance)
  }
  expect(changes).toEqual(Object.fromEntries([...before].filter(([, value]) => value !== 0n)))
  expect(fees![raw(alice.address)]).toBeGreaterThan(0n)
  const part = await v3.balanceChanges({ action_id: action!.action_id })
  expect(part.jettons).toEqual(jettons)
})
