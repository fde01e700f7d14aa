import { createV3Client } from '@tonplug/core/toncenter'
import { beginCell, internal, loadMessage, toNano } from '@ton/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChainSimulator } from '@tonplug/simulator'
import { getV3, populate, postV3, type SampleChain } from './sample-chain.js'

/** The sample chain, which no test changes. */
let sample: SampleChain

beforeAll(async () => {
  const chain = await createChainSimulator({ now: 1_800_000_000 })
  sample = await populate(chain)
  return () => chain.close()
})

const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const address = `0:${'1'.repeat(64)}`

describe('an invalid request', () => {
  it.each([
    // Nothing found.
    ['/adjacentTransactions', { hash }, 404, 'adjacent transactions not found'],
    ['/transactions', { mc_seqno: 5 }, 404, 'masterchain block 5 not found'],
    ['/traces', { mc_seqno: 5 }, 404, 'masterchain block 5 not found'],
    ['/actions', { mc_seqno: 5 }, 404, 'masterchain block 5 not found'],
    ['/transactionsByMasterchainBlock', {}, 404, 'masterchain block 0 not found'],
    ['/masterchainBlockShards', { seqno: 5 }, 404, 'blocks not found'],
    ['/masterchainBlockShardState', {}, 404, 'blocks not found'],
    ['/balanceChanges', { trace_id: hash }, 404, 'trace not found'],
    ['/balanceChanges', { action_id: hash }, 404, 'not found'],
    ['/nothing', {}, 404, 'Not Found'],
    // Missing parameters.
    ['/accountStates', {}, 401, 'required'],
    ['/walletStates', {}, 401, 'required'],
    ['/addressInformation', {}, 401, 'address is required'],
    ['/walletInformation', {}, 401, 'address is required'],
    ['/addressBook', {}, 422, 'address is required'],
    ['/metadata', {}, 422, 'address is required'],
    ['/transactionsByMessage', { direction: 'in' }, 422, 'at least one of'],
    ['/pendingTransactions', { trace_id: hash }, 422, 'account is required'],
    ['/pendingTraces', {}, 422, 'account or ext_msg_hash'],
    ['/pendingActions', {}, 422, 'account or ext_msg_hash'],
    ['/decode', {}, 422, 'at least one of'],
    // Too much.
    ['/traces', { account: address, tx_hash: hash }, 422, 'only one of'],
    ['/balanceChanges', { trace_id: hash, action_id: hash }, 422, 'exactly one of'],
    // Malformed parameters.
    ['/transactions', { account: '1'.repeat(64) }, 422, 'account'],
    ['/transactions', { account: `${address},${address}` }, 422, 'account'],
    ['/transactions', { hash: hash.slice(0, -1) }, 422, 'hash'],
    ['/transactions', { sort: 'newest' }, 422, 'sort'],
    ['/transactions', { start_lt: 'soon' }, 422, 'start_lt'],
    ['/messages', { direction: 'up' }, 422, 'direction'],
    ['/messages', { exclude_externals: 'yes' }, 422, 'exclude_externals'],
    ['/messages', { opcode: 'transfer' }, 422, 'opcode'],
    ['/blocks', { shard: 'west' }, 422, 'shard'],
    ['/actions', { action_type: 'ton transfer' }, 422, 'action type'],
    // Limits. The status depends on the kind of list.
    ['/transactions', { limit: 5000 }, 500, 'limit is not allowed: 5000 > 1000'],
    ['/messages', { limit: 1001 }, 500, 'limit is not allowed: 1001 > 1000'],
    ['/traces', { limit: 1001 }, 500, 'limit is not allowed: 1001 > 1000'],
    ['/jetton/masters', { limit: 1001 }, 422, 'limit is not allowed: 1001 > 1000'],
    ['/topAccountsByBalance', { limit: 1001 }, 422, 'limit is not allowed: 1001 > 1000'],
  ] as const)('has a status: %s %o returns %i', async (path, query, status, text) => {
    const response = await getV3(sample, path, query)
    expect(response).toEqual({ status, body: { error: expect.stringContaining(text) } })
  })

  it('has status 405 when its HTTP method is unsupported', async () => {
    expect((await getV3(sample, '/message')).status).toBe(405)
    expect((await postV3(sample, '/transactions', {})).status).toBe(405)
    expect((await postV3(sample, '/message', {})).status).toBe(401)
    expect((await postV3(sample, '/message', { boc: 'x' })).status).toBe(422)
    expect((await postV3(sample, '/runGetMethod', { address })).status).toBe(401)
  })
})

describe('a valid request', () => {
  it('has a default limit of ten rows, a minimum limit of one row, and no negative offset', async () => {
    const rows = async (query: Parameters<typeof getV3>[2]) =>
      (await getV3(sample, '/transactions', query)).body['transactions']!.map((row) => row['hash'])
    const ten = await rows({})
    expect(ten).toHaveLength(10)
    expect(await rows({ limit: 0 })).toEqual(ten.slice(0, 1))
    expect(await rows({ limit: -5, offset: -5 })).toEqual(ten.slice(0, 1))
    expect(await rows({ limit: 3, offset: 2 })).toEqual(ten.slice(2, 5))
    expect(await rows({ accounts: address })).toEqual(ten)
    expect(await rows({ sort: 'd', start_utime: '1.9' })).toEqual(ten)
  })

  it('returns nothing for an account without a contract', async () => {
    const { usdt, alice } = sample
    const v3 = createV3Client({ baseUrl: sample.chain.url, rps: Infinity })
    expect(await getV3(sample, '/walletInformation', { address: usdt.master.toString() })).toEqual({
      status: 409,
      body: { error: 'not a wallet' },
    })
    expect(await v3.walletInformation({ address })).toMatchObject({ balance: 0n, status: 'uninit' })
    expect(await v3.addressInformation({ address, use_v2: true })).toMatchObject({
      status: 'uninitialized',
    })
    expect(await v3.walletInformation({ address: alice.address })).toMatchObject({
      wallet_type: 'wallet v5 r1',
      status: 'active',
    })
    const states = await v3.walletStates({ address: [address, usdt.master, alice.address] })
    expect(states.wallets.map(({ is_wallet }) => is_wallet)).toEqual([false, true])
  })
})

describe('a message', () => {
  it('returns the exit code of a rejected message, and changes nothing', async () => {
    const { chain, alice, bob } = sample
    const message = await alice.sign([internal({ to: bob.address, value: 1n, bounce: false })])
    const boc = message.toBoc().toString('base64')
    await chain.send(message)
    const count = chain.transactions.length

    const { status, body } = await postV3(sample, '/message', { boc })

    expect(status).toBe(500)
    expect(body.error).toMatch(/^LITE_SERVER_UNKNOWN: cannot apply external message/)
    expect(body.error).toContain('exitcode=133')
    expect(chain.transactions).toHaveLength(count)
  })

  it('costs the estimated fees', async () => {
    const { chain, alice, bob } = sample
    const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
    const message = await alice.sign([
      internal({ to: bob.address, value: toNano('0.1'), bounce: false }),
    ])
    const { body } = loadMessage(message.beginParse())
    const boc = body.toBoc()
    const { source_fees: fees } = await v3.estimateFee({ address: alice.address, body: boc })
    // In version 5 the signature is at the end of the body.
    const slice = body.beginParse()
    const rest = slice.loadBits(slice.remainingBits - 1)
    const forged = beginCell().storeBits(rest).storeBit(!slice.loadBit()).storeSlice(slice)
    const requested = { address: alice.address, body: forged.endCell().toBoc() }
    await expect(v3.estimateFee(requested)).rejects.toMatchObject({ name: 'MessageRejectedError' })
    const ignoring = await v3.estimateFee({ ...requested, ignore_chksig: true })
    expect(ignoring.source_fees.gas_fee).toBe(fees.gas_fee)
    const { length } = chain.transactions
    await chain.send(message)

    const { totalFees, description } = chain.transactions[length]!.transaction
    if (description.type !== 'generic' || description.computePhase.type !== 'vm') throw new Error()
    expect(fees.gas_fee).toBe(description.computePhase.gasFees)
    expect(fees.fwd_fee).toBe(description.actionPhase!.totalFwdFees)
    expect(fees.in_fwd_fee + fees.gas_fee + fees.storage_fee).toBe(
      totalFees.coins - description.actionPhase!.totalActionFees!,
    )
  })
})

describe('decoding', () => {
  it('decodes known opcodes and bodies, and reports unknown ones, by GET and by POST', async () => {
    const opcodes = ['0x0f8a7ea5', 'd53276db', '0xdeadbeef']
    const comment = beginCell().storeUint(0, 32).storeStringTail('Order 17').endCell()
    const other = beginCell().storeUint(0xdeadbeef, 32).endCell()
    const bodies = [comment, other].map((cell) => cell.toBoc().toString('base64'))
    const expected = {
      opcodes: ['jetton_transfer', 'excess', expect.stringMatching(/^unknown/)],
      bodies: [
        { type: 'text_comment', comment: 'Order 17' },
        { error: expect.stringMatching(/^unknown/) },
      ],
    }
    expect((await getV3(sample, '/decode', { opcodes, bodies })).body).toEqual(expected)
    expect((await postV3(sample, '/decode', { opcodes, bodies })).body).toEqual(expected)
  })
})
