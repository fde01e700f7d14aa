import { createV3Client, parseTrace, type V3Client, type V3Result } from '@tonplug/core/toncenter'
import { beginCell, comment, internal, toNano, type Cell } from '@ton/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChainSimulator } from '@tonplug/simulator'
import { getV3, populate, postV3, type SampleChain } from './sample-chain.js'

let sample: SampleChain
let v3: V3Client

beforeAll(async () => {
  const chain = await createChainSimulator({ now: 1_800_000_000 })
  sample = await populate(chain)
  v3 = createV3Client({ baseUrl: chain.url, rps: Infinity, timeoutMs: 60_000, deadlineMs: 60_000 })
  return () => chain.close()
})

/** The effects of an emulation that must be complete. */
function effectsOf(emulated: V3Result<'emulateTrace'>) {
  if (emulated.is_incomplete) throw new Error('it is incomplete')
  return { ...emulated, all: Object.values(emulated.transactions) }
}

async function jettonPayment(): Promise<Cell> {
  const { alice, bob, usdt } = sample
  return await alice.sign([
    usdt.transferMessage({
      from: alice.address,
      to: bob.address,
      amount: 1_000_000n,
      response: alice.address,
      forwardCoins: toNano('0.01'),
    }),
  ])
}

describe('an emulated message', () => {
  it('has the effects that it has when it is sent, and changes nothing before', async () => {
    const { chain, alice } = sample
    const message = await jettonPayment()
    const before = chain.transactions.length
    const { balance } = await chain.account(alice.address)

    const emulated = effectsOf(
      await v3.emulateTrace({ boc: message, with_actions: true, include_code_data: true }),
    )

    expect(chain.transactions).toHaveLength(before)
    expect((await chain.account(alice.address)).balance).toBe(balance)
    await chain.send(message)
    const sent = chain.transactions.slice(before)
    const hashes = sent.map(({ transaction }) => transaction.hash().toString('base64'))
    expect(emulated.all.map(({ hash }) => hash)).toEqual(hashes)
    expect(emulated.all.map(({ total_fees }) => total_fees)).toEqual(
      sent.map(({ transaction }) => transaction.totalFees.coins),
    )
    expect(emulated.actions?.map(({ type }) => type)).toContain('jetton_transfer')
    expect(emulated.all.every((one) => one.emulated === true && one.finality === 'pending')).toBe(
      true,
    )
    const { data } = await chain.account(alice.address)
    expect(emulated.data_cells?.[data!.hash().toString('base64')]).toBe(
      data!.toBoc().toString('base64'),
    )
    expect(emulated.address_book).toBeUndefined()
    const { traces } = await v3.traces({ tx_hash: hashes[0]!, include_actions: true })
    const { fees, accounts, transfers } = parseTrace(traces[0]!)
    expect(parseTrace(emulated)).toMatchObject({ fees, accounts, transfers, isFinal: false })
  })

  it('shows that a payment would bounce', async () => {
    const { alice, usdt } = sample
    const body = beginCell().storeUint(0xdeadbeef, 32).storeUint(0, 64).endCell()
    const message = await alice.sign([
      internal({ to: usdt.master, value: toNano('0.1'), bounce: true, body }),
    ])
    const { all } = effectsOf(await v3.emulateTrace({ boc: message }))
    expect(all.filter(({ in_msg }) => in_msg?.bounced === true)).toHaveLength(1)
  })

  it('has the address book and the metadata on request', async () => {
    const boc = await jettonPayment()
    const more = { include_address_book: true, include_metadata: true }
    const { address_book, metadata } = await v3.emulateTrace({ boc, ...more })
    expect(Object.keys(address_book ?? {}).length).toBeGreaterThan(3)
    expect(Object.keys(metadata ?? {}).length).toBeGreaterThan(0)
  })

  it('is rejected when its contract does not accept it, unless signatures are ignored', async () => {
    const { alice, bob, chain } = sample
    const stranger = await chain.createWallet()
    const signed = await alice.sign([internal({ to: bob.address, value: 1n, bounce: false })])
    const old = await stranger.sign([internal({ to: bob.address, value: 1n, bounce: false })])
    await chain.send(signed)
    await expect(v3.emulateTrace({ boc: signed })).rejects.toMatchObject({
      name: 'MessageRejectedError',
      exitCode: 133,
    })
    expect(effectsOf(await v3.emulateTrace({ boc: old, ignore_chksig: true })).all).toHaveLength(2)
  })

  it('is incomplete with 256 transactions', async () => {
    const { alice, bob } = sample
    const messages = Array.from({ length: 255 }, () =>
      internal({ to: bob.address, value: toNano('0.01'), bounce: false }),
    )
    const emulated = await v3.emulateTrace({ boc: await alice.sign(messages) })
    if (!emulated.is_incomplete) throw new Error('it is complete')
    expect(Object.keys(emulated.partial.transactions)).toHaveLength(256)
    expect(emulated).not.toHaveProperty('transactions')
  })

  it('can be cut at a depth', async () => {
    const { chain } = sample
    const message = await jettonPayment()
    const limits = { transactions: 256, depth: 1 }
    const made = await chain.emulateTrace(message, false, limits)
    expect(made).toHaveLength(2)
    expect(await chain.emulateTrace(message)).not.toHaveLength(2)
  })

  it('runs on the newest block only', async () => {
    const boc = await jettonPayment()
    const { seqno } = sample.chain.blocks.at(-1)!
    await v3.emulateTrace({ boc, mc_block_seqno: seqno })
    await expect(v3.emulateTrace({ boc, mc_block_seqno: seqno - 1 })).rejects.toMatchObject({
      details: { status: 501, reason: expect.stringContaining('newest block only') },
    })
  })
})

describe('an emulated TON Connect request', () => {
  it.each(['v3r2', 'v4', 'v5'] as const)('needs no signature of a %s wallet', async (version) => {
    const { chain, bob, usdt } = sample
    const wallet = await chain.createWallet({ version })
    await wallet.send([])
    await usdt.mint(wallet.address, 7_000_000n)
    const transfer = usdt.transferMessage({
      from: wallet.address,
      to: bob.address,
      amount: 7_000_000n,
      response: wallet.address,
      forwardCoins: 1n,
    })
    if (transfer.info.type !== 'internal') throw new TypeError('not internal')

    const { all, actions } = effectsOf(
      await v3.emulateTonConnect({
        from: wallet.address,
        messages: [
          {
            address: bob.address.toString({ bounceable: false }),
            amount: 5n,
            payload: comment('A'),
          },
          { address: usdt.walletOf(wallet.address), amount: toNano('0.1'), payload: transfer.body },
        ],
        with_actions: true,
      }),
    )

    expect(all.every(({ in_msg }) => in_msg?.bounced !== true)).toBe(true)
    expect(actions?.map(({ type }) => type).toSorted()).toEqual(['jetton_transfer', 'ton_transfer'])
  })

  it('deploys a contract by its stateInit', async () => {
    const { chain, alice } = sample
    const { address, init } = await chain.createWallet({ balance: 0n })
    const stateInit = beginCell()
      .storeUint(0, 2)
      .storeMaybeRef(init.code)
      .storeMaybeRef(init.data)
      .storeBit(false)
      .endCell()
    const messages = {
      address: address.toString({ bounceable: false }),
      amount: toNano('0.1'),
      stateInit,
    }
    const { all } = effectsOf(await v3.emulateTonConnect({ from: alice.address, messages }))
    expect(all.at(-1)).toMatchObject({ end_status: 'active' })
  })

  it('is refused for an account that is not a deployed wallet', async () => {
    const { chain, usdt, bob } = sample
    const messages = [{ address: bob.address, amount: 1n }]
    const stranger = await chain.createWallet()
    for (const { address } of [stranger, { address: usdt.master }]) {
      const call = v3.emulateTonConnect({ from: address, messages })
      await expect(call).rejects.toMatchObject({ code: 'ERR_TONPLUG_CONFLICT' })
    }
  })
})

describe('the emulation service', () => {
  it('refuses invalid requests with its texts', async () => {
    const { chain } = sample
    const url = `${chain.url}/api/emulate/v1`
    const post = async (path: string, body: object) => {
      const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as unknown }
    }
    expect(await post('/emulateTrace', {})).toEqual({
      status: 400,
      body: { error: 'invalid request: boc is required' },
    })
    expect(await post('/emulateTrace', { boc: 'x' })).toMatchObject({ status: 400 })
    expect(await post('/emulateTonConnect', { from: 'x' })).toMatchObject({ status: 500 })
    const from = sample.alice.address.toString()
    expect(await post('/emulateTonConnect', { from, messages: [] })).toMatchObject({ status: 400 })
    expect((await fetch(`${url}/emulateTrace`)).status).toBe(405)
    expect(chain.emulationServer.requests.at(-1)).toMatchObject({ path: '/emulateTrace' })
  })

  it('is apart from API v3', async () => {
    expect((await getV3(sample, '/emulateTrace')).status).toBe(404)
    expect((await postV3(sample, '/emulateTrace', {})).status).toBe(404)
  })
})
