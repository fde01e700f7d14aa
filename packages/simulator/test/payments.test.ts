import { Address, Cell, internal, SendMode, toNano } from '@ton/core'
import { TonClient, WalletContractV5R1 } from '@ton/ton'
import { keyPairFromSeed } from '@ton/crypto'
import { createFakeClock } from '@tonplug/testing'
import { MessageRejectedError } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { openShop } from './shop.js'

const NOTHING = { isDelivered: false, attempts: [] }

describe('a payment that differs from its transfer', () => {
  it('reports half of the amount as it arrived', async () => {
    const { simulator, order, calls, isCompleted } = await openShop()
    const reference = order({ rawAmount: 2_000_000_000n })
    const { report } = await simulator.pay(reference, { rawAmount: 1_000_000_000n })
    expect(report.isDelivered).toBe(true)
    expect(simulator.gateway.transfer(reference)).toMatchObject({ rawAmount: '1000000000' })
    expect(await calls(1)).toMatchObject([{ kind: 'amount_mismatch', reference }])
    expect(await isCompleted(reference)).toBe(false)
  })

  it('is not recognized when half of the amount is paid in a jetton, because the body differs', async () => {
    const { simulator, order } = await openShop()
    const { usdt, merchant, gateway } = simulator
    const reference = order({ rawAmount: 2_000_000n, asset: usdt.master.toString() })
    const { report } = await simulator.pay(reference, { rawAmount: 1_000_000n })
    expect(report).toEqual(NOTHING)
    expect(gateway.transfer(reference).status).toBe('pending')
    expect(await usdt.balanceOf(merchant.address)).toBe(1_000_000n)
  })

  it('is reported twice when it is paid by two transactions', async () => {
    const { simulator, order, calls } = await openShop()
    const reference = order({ rawAmount: 2_000_000_000n })
    await simulator.pay(reference)
    await calls(1)
    const { report } = await simulator.pay(reference)
    expect(report.attempts).toHaveLength(1)
    const [first, second] = await calls(2)
    expect([first?.kind, second?.kind]).toEqual(['paid', 'extra_payment'])
    expect(first?.txHash).not.toBe(second?.txHash)
    expect(simulator.gateway.transfer(reference).txHash).toBe(first?.txHash)
  })

  it('is reported twice when it is paid twice in one trace', async () => {
    const { simulator, order, calls } = await openShop()
    const reference = order({ rawAmount: 2_000_000_000n })
    const { report, transaction } = await simulator.pay(reference, { times: 2 })
    expect(report.attempts.map(({ status }) => status)).toEqual([200, 200])
    expect(transaction.outMessages).toHaveLength(2)
    const kinds = (await calls(2)).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['extra_payment', 'paid'])
  })

  it('is reported with the actual recipient', async () => {
    const { simulator, order, calls } = await openShop()
    const stranger = await simulator.chain.createWallet()
    await stranger.send([])
    const reference = order({ rawAmount: 2_000_000_000n })
    await simulator.pay(reference, { to: stranger.address })
    expect(await calls(1)).toMatchObject([{ kind: 'wallet_mismatch', reference }])
  })

  it('is reported with the master of another jetton with the same ticker', async () => {
    const { simulator, order, calls } = await openShop()
    const { usdt, buyer, chain, gateway } = simulator
    const other = await chain.deployJetton({ symbol: usdt.symbol, name: 'No Tether' })
    await other.mint(buyer.address, 2_000_000n)
    const reference = order({ rawAmount: 2_000_000n, asset: usdt.master.toString() })
    await simulator.pay(reference, { jetton: other })
    expect(gateway.transfer(reference)).toMatchObject({
      asset: other.master.toString(),
      assetTicker: 'USDT',
    })
    expect(await calls(1)).toMatchObject([{ kind: 'asset_mismatch', reference }])
  })

  it.each(['TON', 'USDT'])('is reported as failed when it bounces in %s', async (ticker) => {
    const { simulator, order, calls, isCompleted } = await openShop()
    const { usdt, gateway } = simulator
    const asset = ticker === 'TON' ? 'TON' : usdt.master.toString()
    const reference = order({ rawAmount: 2_000_000n, asset })
    const { report } = await simulator.pay(reference, { isBounced: true })
    expect(report.isDelivered).toBe(true)
    expect(await calls(1)).toMatchObject([{ kind: 'failed', reference }])
    expect(gateway.transfer(reference).status).toBe('error')
    await simulator.pay(reference)
    expect(await calls(2)).toMatchObject([{ kind: 'failed' }, { kind: 'paid' }])
    expect(await isCompleted(reference)).toBe(true)
  })

  it('is rejected when the wallet has no coins', async () => {
    const { simulator, order } = await openShop()
    const from = await simulator.chain.createWallet({ balance: toNano('0.1') })
    const reference = order({ rawAmount: 2_000_000_000n })
    const payment = simulator.pay(reference, { from })
    await expect(payment).rejects.toThrow(/sent nothing: its balance is 100000000 nanocoins/)
    expect(simulator.gateway.transfer(reference).status).toBe('pending')
  })
})

describe('a payment', () => {
  it('is detected when another wallet sends it through TonClient', async () => {
    const { simulator, order, calls } = await openShop()
    const { chain, gateway, merchant } = simulator
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 7))
    const wallet = WalletContractV5R1.create({ publicKey })
    await chain.fund(wallet.address, toNano(10))
    const reference = order({ rawAmount: 2_000_000_000n })
    const { address, amount, payload } = gateway.message(reference)
    const client = new TonClient({ endpoint: `${simulator.urls.chain}/api/v2/jsonRPC` })
    await client.open(wallet).sendTransfer({
      seqno: 0,
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [
        internal({
          to: Address.parse(address),
          value: BigInt(amount),
          body: Cell.fromBase64(payload),
        }),
      ],
    })
    expect(await calls(1)).toMatchObject([{ kind: 'paid', reference }])
    expect(gateway.transfer(reference)).toMatchObject({
      senderAddr: wallet.address.toString({ bounceable: false }),
      recipientAddr: merchant.address.toString({ bounceable: false }),
    })
  })

  it('fails no transfer when the message of another sender bounces', async () => {
    const { simulator, order } = await openShop()
    const from = await simulator.chain.createWallet()
    const reference = order({ rawAmount: 2_000_000n })
    const { report } = await simulator.pay(reference, { from, isBounced: true })
    expect(report).toEqual(NOTHING)
    expect(simulator.gateway.transfer(reference).status).toBe('pending')
  })

  it('is only on the chain when isUnnoticed is true', async () => {
    const { simulator, order, v3 } = await openShop()
    const { gateway } = simulator
    const reference = order({ rawAmount: 2_000_000_000n })
    const { report } = await simulator.pay(reference, { isUnnoticed: true })
    expect(report).toEqual(NOTHING)
    const { status, bodyBase64Hash } = gateway.transfer(reference)
    expect([status, gateway.log()]).toEqual(['pending', []])
    const { messages } = await v3.messages({ body_hash: bodyBase64Hash, limit: 10 })
    expect(messages).toMatchObject([{ value: 2_000_000_000n }])
  })

  it('is reported when its trace is complete, not earlier', async () => {
    const { simulator, order, calls } = await openShop()
    const { chain, gateway, usdt } = simulator
    const reference = order({ rawAmount: 2_000_000n, asset: usdt.master.toString() })
    chain.isHolding = true
    const payment = simulator.pay(reference)
    await expect.poll(() => chain.pool.length).toBe(1)
    // The transactions of the wallet, its jetton wallet, the merchant's jetton wallet, and the notification.
    for (const status of ['pending', 'pending', 'pending', 'success']) {
      await chain.mineBlock()
      expect(gateway.transfer(reference).status).toBe(status)
    }
    expect((await payment).report.isDelivered).toBe(true)
    expect(await calls(1)).toMatchObject([{ kind: 'paid' }])
  })

  it('pays concurrent calls of one wallet one after another', async () => {
    const { simulator, order, calls } = await openShop()
    const references = Array.from({ length: 20 }, () => order({ rawAmount: 2_000_000n }))
    const payments = await Promise.all(references.map((reference) => simulator.pay(reference)))
    expect(payments.every(({ report }) => report.isDelivered)).toBe(true)
    const all = await calls(20)
    expect(new Set(all.map(({ txHash }) => txHash)).size).toBe(20)
    expect(all.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted())
  })
})

describe('a reset', () => {
  it('restores a working chain and gateway', async () => {
    const { simulator, order, calls } = await openShop()
    const { chain, gateway, usdt, merchant, buyer } = simulator
    const blocks = chain.blocks.length
    const asset = usdt.master.toString()
    const before = order({ rawAmount: 2_000_000n, asset })
    await simulator.pay(before)
    await calls(1)
    await chain.deployJetton({ symbol: 'OTHER' })
    await simulator.reset()
    expect(() => gateway.transfer(before)).toThrow('does not exist')
    expect([gateway.transfers(), gateway.log(), chain.jettons]).toEqual([[], [], [usdt]])
    expect(chain.blocks).toHaveLength(blocks)
    expect(await usdt.balanceOf(merchant.address)).toBe(0n)
    expect(await usdt.balanceOf(buyer.address)).toBe(1_000_000_000_000n)
    const after = order({ rawAmount: 2_000_000n, asset })
    await simulator.pay(after)
    expect((await calls(2)).map(({ reference }) => reference)).toEqual([before, after])
  })

  it('ends running deliveries', async () => {
    const clock = createFakeClock()
    const { simulator, order } = await openShop({ clock })
    const { chain } = simulator
    const dropped = simulator.pay(order({ rawAmount: 2n }), { delivery: { drop: true } })
    await clock.waitForTimer(({ delayMs }) => delayMs === 10_000)
    await simulator.reset()
    expect((await dropped).report.isDelivered).toBe(false)
    chain.isHolding = true
    const pending = simulator.pay(order({ rawAmount: 2_000_000n })).catch((error: unknown) => error)
    await expect.poll(() => chain.pool.length).toBe(1)
    await simulator.reset()
    expect(await pending).toMatchObject({ message: 'the simulator was reset' })
    expect(chain.pool).toEqual([])
  })
})

describe('the clock', () => {
  it('is shared by chain and gateway', async () => {
    const clock = createFakeClock()
    const { simulator, order } = await openShop({ clock })
    const { chain, gateway } = simulator
    await clock.advance(3_600_000)
    const reference = order({ rawAmount: 2_000_000_000n })
    const { transaction } = await simulator.pay(reference)
    expect(chain.now).toBe(clock.nowMs() / 1000)
    expect(transaction.transaction.now).toBe(clock.nowMs() / 1000)
    expect(gateway.transfer(reference).date).toBe(new Date(clock.nowMs()).toISOString())
    expect(() => (chain.now += 1)).toThrow('now cannot be set')
  })

  it('lets messages expire that were signed long ago', async () => {
    const clock = createFakeClock()
    const { simulator } = await openShop({ clock })
    const { chain, buyer } = simulator
    const signed = await buyer.sign([])
    await clock.advance(3_600_000)
    await expect(chain.send(signed)).rejects.toThrow(MessageRejectedError)
  })

  it('controls the retries of a dropped webhook', async () => {
    const clock = createFakeClock()
    const { simulator, order, calls } = await openShop({ clock })
    const reference = order({ rawAmount: 2_000_000_000n })
    const payment = simulator.pay(reference, { delivery: { drop: true, faultyAttempts: 1 } })
    await clock.waitForTimer(({ delayMs }) => delayMs === 10_000)
    await clock.advance(10_000)
    await clock.waitForTimer(({ delayMs }) => delayMs === 1000)
    await clock.advance(1000)
    expect((await payment).report.attempts.map(({ status }) => status)).toEqual([undefined, 200])
    expect(await calls(1)).toMatchObject([{ kind: 'paid', reference }])
  })

  it('reports a payment once when the webhook is delivered twice', async () => {
    const { simulator, order, calls } = await openShop()
    const reference = order({ rawAmount: 2_000_000_000n })
    const { report } = await simulator.pay(reference, { delivery: { times: 5 } })
    expect(report.attempts.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await calls(1)).toMatchObject([{ kind: 'paid', reference }])
  })
})
