import { comment, internal } from '@ton/core'
import { createPaymentVerifier } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import type { Fetch, V3Client } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import {
  ADD_UP,
  ANN,
  NOTE,
  PRICE,
  openOffers,
  openHalfRefunded,
  openReturnedHalf,
  ton,
  type Wallet,
  type OffersShop,
} from './parts-shop.js'

describe('the parts of a price', () => {
  it('S137 are missing again when their refund is proposed', async () => {
    const shop = await openOffers()
    await shop.pay(PRICE / 2n)
    await shop.find()
    await shop.pay(PRICE / 4n)
    await shop.find()
    expect(await shop.status()).toMatchObject({ missing: ton(PRICE / 4n) })
    const [newest] = await shop.operator.list({ reference: shop.reference })
    const proposed = await shop.operator.refund({ transactionHash: newest!.txHash }, ANN)
    expect(proposed).toMatchObject({ state: 'proposed' })
    expect(await shop.status()).toEqual({
      status: 'partially_paid',
      received: [ton(PRICE / 2n)],
      missing: ton(PRICE / 2n),
    })
    await shop.pay(PRICE / 4n)
    await shop.find()
    expect(shop.paid).toEqual([])
    await shop.pay(PRICE / 4n)
    await shop.find()
    expect(shop.paid).toEqual([shop.reference])
    expect((await shop.order())?.payment).toMatchObject({ rawAmount: PRICE })
  })

  it('S137 are counted again when the refund has expired unsent', async () => {
    const shop = await openHalfRefunded()
    expect(await shop.status()).toMatchObject({
      status: 'partially_paid',
      received: [ton(PRICE / 2n)],
      missing: ton(PRICE / 2n),
    })
    // Time alone releases nothing: the index has no block that ends the proposal.
    await shop.clock.advance(2_000_000)
    await shop.watcher.run()
    await shop.clock.advance(20_000)
    expect(shop.paid).toEqual([])
    await shop.pass(5000)
    await shop.find()
    expect(shop.paid).toEqual([shop.reference])
    expect((await shop.order())?.payment).toMatchObject({ rawAmount: PRICE })
    expect(await shop.uses()).toEqual([`order ${PRICE / 2n}`, `order ${PRICE / 2n}`])
    expect(await shop.operator.refund(shop.half, ANN)).toMatchObject({ state: 'rejected' })
  })

  it('S137 do not count after a refund that was signed at the last moment', async () => {
    const shop = await openHalfRefunded()
    await shop.pass(420)
    await shop.sign()
    await shop.pass(5000)
    await shop.find()
    expect(shop.paid).toEqual([])
    expect(await shop.status()).toMatchObject({ missing: ton(PRICE / 2n) })
    expect(await shop.operator.refund(shop.half, ANN)).toMatchObject({ state: 'refunded' })
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(await shop.uses()).toEqual([
      `order ${PRICE / 2n}`,
      `order ${PRICE / 2n}`,
      `refund ${PRICE / 2n}`,
    ])
  })

  it('S137 do not count while the index lacks a transaction of the wallet', async () => {
    let isHidden = true
    const shop = await openHalfRefunded({
      ...ADD_UP,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (!isHidden || !/\/transactions\?/.test(String(url))) return response
        const body = (await response.json()) as { transactions: { out_msgs: unknown[] }[] }
        body.transactions = body.transactions.filter(({ out_msgs }) => out_msgs.length === 0)
        return Response.json(body)
      },
    })
    await shop.sign()
    await shop.pass(5000)
    // The next transaction names the missing one.
    await shop.chain.fund(shop.merchant.address, 1n)
    await shop.find()
    expect(shop.paid).toEqual([])
    isHidden = false
    await shop.find()
    expect(shop.paid).toEqual([])
    expect(await shop.uses()).toEqual([`refund ${PRICE / 2n}`])
  })

  it('S137 are counted or refunded when an operator asks again at that moment', async () => {
    const outcomes = new Set<string>()
    for (const lookFirst of [true, false]) {
      const shop = await openHalfRefunded()
      await shop.pass(5000)
      const ask = async () => (await shop.operator.refund(shop.half, ANN)).state
      const look = async () => (await shop.watcher.run(), '')
      const states = await Promise.all(lookFirst ? [look(), ask(), ask()] : [ask(), ask(), look()])
      await shop.find()
      const isPaid = shop.paid.length > 0
      expect(isPaid).not.toBe(states.includes('proposed'))
      expect(shop.paid.length + states.filter((state) => state === 'proposed').length).toBe(1)
      outcomes.add(isPaid ? 'paid' : 'proposed')
    }
    expect(outcomes.size).toBeGreaterThan(0)
  })

  it('S137 shows a refund that was sent long after its end as an alarm of the books', async () => {
    const shop = await openHalfRefunded()
    await shop.pass(5000)
    await shop.find()
    expect(shop.paid).toEqual([shop.reference])
    // A wallet that ignores the end of a request.
    const [{ address, amount } = { address: '', amount: '' }] = shop.request.messages
    const body = comment(`refund ${shop.half.transactionHash}`)
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.send([internal({ to: address, value: BigInt(amount), body })])
    await shop.find()
    const { state, accounts } = await shop.operator.balance(shop.merchant.address.toString())
    expect([state, accounts[0]?.alarms]).toMatchObject(['alarm', [{ kind: 'late_refund' }]])
    expect(await shop.operator.refund(shop.half, ANN)).toMatchObject({ state: 'refunded' })
  })

  it('S137 shows a second transfer with the comment of a refund as an alarm of the books', async () => {
    const shop = await openHalfRefunded()
    const [{ address, amount } = { address: '', amount: '' }] = shop.request.messages
    const body = comment(`refund ${shop.half.transactionHash}`)
    await shop.chain.fund(shop.merchant.address, 10_000_000_000n)
    const send = async () => {
      await shop.merchant.send([internal({ to: address, value: BigInt(amount), body })])
      await shop.find()
      return shop.operator.balance(shop.merchant.address.toString())
    }
    expect((await send()).accounts[0]?.alarms).toEqual([])
    const { state, accounts } = await send()
    expect([state, accounts[0]?.alarms]).toMatchObject(['alarm', [{ kind: 'second_refund' }]])
  })

  it('S137 do not count after a refund that was sent after its end, and after its release', async () => {
    const shop = await openOffers(ADD_UP, 86_400_000)
    const { reference, operator } = shop
    await shop.pay(PRICE / 2n)
    await shop.find()
    const [first] = await operator.list({ reference })
    const half = { transactionHash: first!.txHash }
    const proposed = await operator.refund(half, ANN)
    if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
    await shop.pass(5000)
    await shop.find()
    expect(await shop.status()).toMatchObject({ missing: ton(PRICE / 2n) })
    // A wallet that ignores the end of a request.
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.pay({ ...proposed.request, validUntil: 2 ** 31 })
    await shop.find()
    expect(await shop.status()).toMatchObject({ status: 'waiting' })
    await shop.pass(3600)
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(shop.paid).toEqual([])
    expect(await operator.refund(half, ANN)).toMatchObject({ state: 'refunded' })
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(shop.paid).toEqual([reference])
  })

  it('S137 do not count when their late refund and the other half are found in one look', async () => {
    const shop = await openOffers(ADD_UP, 86_400_000)
    const { reference, operator } = shop
    await shop.pay(PRICE / 2n)
    await shop.find()
    const [first] = await operator.list({ reference })
    const half = { transactionHash: first!.txHash }
    const proposed = await operator.refund(half, ANN)
    if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
    await shop.pass(5000)
    await shop.find()
    expect(await shop.status()).toMatchObject({ missing: ton(PRICE / 2n) })
    // A wallet that ignores the end of a request, before the other half is paid.
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.pay({ ...proposed.request, validUntil: 2 ** 31 })
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(shop.paid).toEqual([])
    expect(await operator.refund(half, ANN)).toMatchObject({ state: 'refunded' })
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(shop.paid).toEqual([reference])
  })

  it('S137 do not count after a late refund when a webhook of the other half is proven first', async () => {
    const clients: V3Client[] = []
    const client = () => clients[0]!
    // The proof calls these methods only, and pages none.
    const v3 = {
      traces: (...query: Parameters<V3Client['traces']>) => client().traces(...query),
      runGetMethod: (...query: Parameters<V3Client['runGetMethod']>) =>
        client().runGetMethod(...query),
    } as unknown as Pick<V3Client, 'traces' | 'runGetMethod'>
    const verifyOnChain = createPaymentVerifier({ v3 })
    const options = { payments: { ...ADD_UP.payments, verifyOnChain } }
    const payers: Wallet[] = []
    const payHalf = async (shop: OffersShop): Promise<void> => {
      clients[0] = shop.v3
      const wallet = (payers[0] ??= await shop.payer())
      const url = new URL(`ton://transfer/${shop.merchant.address.toString()}`)
      url.search = `amount=1000000&text=${shop.reference}&jetton=${shop.usdt.master.toString()}`
      await wallet.pay(url.href)
    }
    const shop = await openReturnedHalf(options, payHalf)
    const { reference, operator } = shop
    await shop.send()
    await payHalf(shop)
    const account = [payers[0]!.address.toRawString()]
    const { transactions } = await shop.v3.transactions({ account, sort: 'desc', limit: 5 })
    const sent = transactions.find(({ out_msgs }) => out_msgs.length > 0)!
    const txHash = Buffer.from(sent.hash, 'base64').toString('hex')
    const transfer = {
      amount: '1',
      rawAmount: '1000000',
      senderAddr: account[0]!,
      recipientAddr: shop.merchant.address.toRawString(),
      asset: shop.usdtAsset,
      status: 'success' as const,
      reference,
      bodyBase64Hash: sent.out_msgs[0]!.message_content!.hash!,
      txHash,
      traceId: txHash,
      date: new Date(shop.clock.nowMs()).toISOString(),
    }
    const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
    await shop.payments.submit({ source: 'webhook', rawBody, transfer })
    const half = async () => {
      await shop.clock.advance(1000)
      return (await shop.inbox.credits.list({ fromUtime: 0, limit: 10 })).length
    }
    await expect.poll(half).toBe(2)
    const uses = async () => {
      await shop.clock.advance(1000)
      const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 10 })
      return credits.flatMap((one) => one.uses.map(({ kind }) => kind))
    }
    await expect.poll(uses).not.toEqual([])
    expect([await uses(), shop.paid]).toEqual([['refund'], []])
    expect(await operator.refund(shop.half, ANN)).toMatchObject({ state: 'refunded' })
    await payHalf(shop)
    await shop.find()
    await expect.poll(async () => (await shop.find(), shop.paid)).toEqual([reference])
  })

  it('S137 cannot be accepted after a refund that was sent after its release', async () => {
    const shop = await openReturnedHalf(ADD_UP, ({ pay }) => pay(PRICE / 2n))
    const { reference, payments } = shop
    await shop.send()
    expect(await shop.operator.accept({ reference }, NOTE)).toMatchObject({
      state: 'refused',
      reason: 'the money was sent back',
    })
    // Without a client of its own, it has the client of the watcher.
    const other = await openReturnedHalf(ADD_UP, ({ pay }) => pay(PRICE / 2n))
    await other.send()
    const operator = createOperator({ payments: other.payments })
    expect(await operator.accept({ reference: other.reference }, NOTE)).toMatchObject({
      state: 'decided',
      decision: { kind: 'unverified', reason: 'reused' },
    })
    expect([payments.state(), shop.paid, other.paid]).toEqual(['started', [], []])
  })

  it('S137 wait for a client of API v3 that shows whether a released refund was sent', async () => {
    const shop = await openReturnedHalf(ADD_UP, ({ pay }) => pay(PRICE / 2n))
    const { reference, payments } = shop
    await shop.watcher.close()
    const accept = (v3?: V3Client) => createOperator({ payments, v3 }).accept({ reference }, NOTE)
    await expect(accept()).rejects.toThrow('v3')
    expect(shop.paid).toEqual([])
    expect(await accept(shop.v3)).toMatchObject({ state: 'decided', decision: { kind: 'paid' } })
  })

  it('S137 delay no other order while the index cannot show whether a refund was sent', async () => {
    let isDown = false
    const answer: Fetch = async (url, init) =>
      isDown && String(url).includes('/messages')
        ? Response.json({ error: 'down' }, { status: 500 })
        : fetch(url, init)
    const shop = await openReturnedHalf({ ...ADD_UP, fetch: answer }, ({ pay }) => pay(PRICE / 2n))
    isDown = true
    await shop.pay(PRICE / 2n)
    const { order } = await shop.open({ asset: 'TON', amount: '1' })
    const value = 1_000_000_000n
    const body = comment(order.reference)
    const to = shop.merchant.address
    await (await shop.payer()).send([internal({ to, value, bounce: false, body })])
    await shop.run()
    expect(shop.paid).toEqual([order.reference])
    isDown = false
    await shop.find()
    expect(shop.paid).toEqual([order.reference, shop.reference])
  })

  it('S137 are counted when a refund failed before its proposal', async () => {
    const shop = await openOffers(ADD_UP, 86_400_000)
    const { v3, payments, reference } = shop
    const problem = 'the index limits requests'
    const { paginate, watch } = v3.messages
    const messages = Object.assign(() => Promise.reject(new Error(problem)), { paginate, watch })
    const operator = createOperator({ payments, v3: { ...v3, messages } })
    await shop.pay(PRICE / 2n)
    await shop.find()
    const [first] = await operator.list({ reference })
    const half = { transactionHash: first!.txHash }
    await expect(operator.refund(half, ANN)).rejects.toThrow(problem)
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(shop.paid).toEqual([reference])
  })
})
