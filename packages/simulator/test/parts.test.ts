import { comment, internal } from '@ton/core'
import {
  createInvoice,
  createPaymentVerifier,
  createTransferReport,
  restInvoice,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import type { Fetch, V3Client } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

const ADD_UP: InvoiceShopOptions = {
  payments: { verifyOnChain: undefined, amounts: { partial: 'add-up' } },
}
const ANN = { by: 'ann@shop.example' }
const NOTE = { ...ANN, reason: 'ticket 7' }
const PRICE = 2_000_000_000n

type Shop = Awaited<ReturnType<typeof openInvoices>>
type Wallet = Awaited<ReturnType<Shop['payer']>>
type OffersShop = Awaited<ReturnType<typeof openOffers>>

/** Opens a shop with an invoice in coins and in USDT, at a rate that holds for 15 minutes. */
async function openOffers(options: InvoiceShopOptions = ADD_UP, lockMs = 900_000) {
  const shop = await openInvoices(options)
  const { v3, clock } = shop
  const usdt = shop.usdt.master.toString()
  const invoice = await createInvoice({
    price: '2',
    currency: 'USD',
    lockMs,
    accept: ['TON', usdt],
    rates: () => ({ price: '1', at: new Date(clock.nowMs()) }),
    decimals: { [usdt]: 6 },
    wallet: shop.merchant.address.toString({ bounceable: false }),
    v3,
    clock,
  })
  shop.orders.add(invoice.order)
  const { reference } = invoice.order
  const operator = createOperator({ payments: shop.payments, v3 })
  const rest = () => restInvoice({ payments: shop.payments, reference, v3 })
  const pay = async (value: bigint, payer?: Wallet): Promise<void> => {
    const body = comment(reference)
    const from = payer ?? (await shop.payer())
    await from.send([internal({ to: shop.merchant.address, value, bounce: false, body })])
  }
  const status = async () => {
    for await (const event of shop.payments.watchStatus(reference)) return event
    return undefined
  }
  const run = async (): Promise<void> => {
    await shop.pass(120)
    await shop.watcher.run()
    for (let step = 0; step < 20; step++) await shop.clock.advance(1000)
  }
  /** Runs the watcher, and waits for the decisions that follow. Those about a released refund ask the index. */
  const find = async (): Promise<void> => {
    await run()
    const undecided = async () => {
      const reports = await shop.inbox.reports.list({ state: ['parked', 'undecided'], limit: 10 })
      if (reports.length > 0) await shop.clock.advance(1000)
      return reports.filter(({ source }) => source !== 'webhook').length
    }
    await expect.poll(undecided).toBe(0)
    for (let step = 0; step < 5; step++) await shop.clock.advance(1000)
  }
  const order = async () => shop.orders.find({ reference })
  return {
    ...shop,
    reference,
    operator,
    usdtAsset: invoice.offers[1]!.asset,
    rest,
    pay,
    status,
    run,
    find,
    order,
  }
}

/** Opens an order with two halves. A refund of the first one was proposed before the second one arrived. */
async function openHalfRefunded(options: InvoiceShopOptions = ADD_UP) {
  const shop = await openOffers(options, 86_400_000)
  await shop.pay(PRICE / 2n)
  await shop.find()
  const [first] = await shop.operator.list({ reference: shop.reference })
  const half = { transactionHash: first!.txHash }
  const proposed = await shop.operator.refund(half, ANN)
  if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
  const { request } = proposed
  await shop.pay(PRICE / 2n)
  await shop.find()
  expect(shop.paid).toEqual([])
  const sign = async (): Promise<void> => {
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.pay(request)
  }
  const uses = async () => {
    const period = { fromUtime: 0, limit: 100 }
    const credits = await shop.inbox.credits.list(period)
    return credits
      .flatMap((one) => one.uses.map((use) => `${use.kind} ${use.rawAmount}`))
      .toSorted()
  }
  return { ...shop, half, request, sign, uses }
}

/** Opens an order with a half whose refund was released, then sent by a wallet that ignores the end of a request. */
async function openReturnedHalf(
  options: InvoiceShopOptions,
  pay: (shop: OffersShop) => Promise<void>,
) {
  const shop = await openOffers(options, 86_400_000)
  await pay(shop)
  await shop.find()
  const [first] = await shop.operator.list({ reference: shop.reference })
  const half = { transactionHash: first!.txHash }
  const proposed = await shop.operator.refund(half, ANN)
  if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
  await shop.pass(5000)
  await shop.find()
  expect(await shop.status()).toMatchObject({ status: 'partially_paid' })
  await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
  const send = () => shop.merchant.pay({ ...proposed.request, validUntil: 2 ** 31 })
  return { ...shop, half, send }
}

const ton = (units: bigint) => ({ asset: 'TON', rawAmount: `${units}` })

describe('the parts of a price', () => {
  it('S132 add up to one payment, of two payers, in whole credits', async () => {
    const shop = await openOffers()
    const statuses: string[] = []
    const watch = async (): Promise<void> => {
      for await (const { status } of shop.payments.watchStatus(shop.reference))
        statuses.push(status)
    }
    expect(await shop.rest()).toBeUndefined()
    const watched = watch()
    await shop.clock.advance(0)
    await shop.pay(PRICE / 4n)
    await shop.find()
    expect(await shop.status()).toEqual({
      status: 'partially_paid',
      received: [ton(PRICE / 4n)],
      missing: ton((PRICE * 3n) / 4n),
    })
    const rest = await shop.rest()
    expect(rest).toMatchObject({ rawAmount: (PRICE * 3n) / 4n, amount: '1.5' })
    await (await shop.payer()).pay(rest!.link)
    await shop.find()
    await watched
    expect([statuses.filter((one) => one !== 'detected'), shop.paid]).toEqual([
      ['waiting', 'partially_paid', 'paid'],
      [shop.reference],
    ])
    expect((await shop.order())?.payment).toMatchObject({ rawAmount: PRICE, asset: 'TON' })
    expect(await shop.rest()).toBeUndefined()
    const listed = await shop.operator.list({ reference: shop.reference })
    expect(listed).toMatchObject([
      { action: 'none', decision: { kind: 'paid', received: `${PRICE}`, parts: [{}, {}] } },
      { action: 'none', decision: { kind: 'duplicate' } },
    ])
    // No part is refunded or pays another order.
    for (const { txHash: transactionHash } of listed) {
      expect(await shop.operator.refund({ transactionHash }, ANN)).toMatchObject({
        state: 'rejected',
      })
    }
  })

  it('S122 are refunded once each after their order was cancelled', async () => {
    const shop = await openOffers()
    for (const part of [PRICE / 4n, PRICE / 2n]) {
      await shop.pay(part)
      await shop.find()
    }
    shop.orders.replace({ ...(await shop.order())!, status: 'cancelled' })
    const listed = await shop.operator.list({ reference: shop.reference })
    const states: string[] = []
    for (const { txHash: transactionHash } of [...listed, ...listed]) {
      const { state } = await shop.operator.refund({ transactionHash }, ANN)
      states.push(state)
    }
    expect(listed).toHaveLength(2)
    expect(states).toEqual(['proposed', 'proposed', 'waiting', 'waiting'])
    const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 100 })
    const uses = credits.flatMap((credit) => credit.uses)
    expect(uses.map(({ kind, rawAmount }) => [kind, rawAmount])).toEqual([
      ['refund', PRICE / 4n],
      ['refund', PRICE / 2n],
    ])
    expect(shop.paid).toEqual([])
  })

  it('S132 add up in a jetton, and a part that crosses the price leaves a surplus', async () => {
    const shop = await openOffers()
    const { usdtAsset } = shop
    const payer = await shop.payer()
    for (const amount of [1_500_000n, 700_000n]) await payer.pay(usdtLink(shop, amount))
    await shop.find()
    expect(await shop.status()).toEqual({ status: 'paid', surplus: '200000' })
    expect((await shop.order())?.payment).toMatchObject({
      rawAmount: 2_200_000n,
      asset: usdtAsset,
      surplus: '200000',
    })
    expect(shop.paid).toEqual([shop.reference])
    expect(shop.events).not.toContain(`extra ${shop.reference}`)
    const [paid, part] = await shop.operator.list({ reference: shop.reference })
    expect(await shop.operator.refund({ transactionHash: part!.txHash }, ANN)).toMatchObject({
      state: 'rejected',
    })
    const request = { transactionHash: paid!.txHash }
    const refunds = await Promise.all([1, 2, 3].map(() => shop.operator.refund(request, ANN)))
    expect(refunds.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting', 'waiting'])
    const proposed = refunds.find((one) => one.state === 'proposed')
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.pay(proposed!.request)
    expect(await shop.operator.refund(request, ANN)).toMatchObject({ state: 'refunded' })
    expect(await shop.usdt.balanceOf(payer.address)).toBe(998_000_000n)
    expect(await shop.status()).toEqual({ status: 'paid', surplus: '200000' })
    const [credit] = await shop.inbox.credits.find({ hashes: [paid!.txHash] })
    expect(credit?.uses.map(({ kind, rawAmount }) => [kind, rawAmount])).toEqual([
      ['order', 500_000n],
      ['refund', 200_000n],
    ])
    // Neither decided again nor assigned does the money have another use.
    await shop.operator.reprocess({ reference: shop.reference }, ANN)
    await shop.clock.advance(10_000)
    expect(await shop.operator.accept({ reference: shop.reference }, NOTE)).toMatchObject({
      state: 'refused',
    })
    const { order: other } = await shop.open({ asset: shop.usdtAsset, amount: '0.7' })
    const assigned = await shop.operator.assign({ ...request, reference: other.reference }, ANN)
    expect(assigned).toMatchObject({ decision: { kind: 'unverified', reason: 'reused' } })
    expect(shop.paid).toEqual([shop.reference])
  })

  it('S132 are extra payments when another payment has completed the order', async () => {
    const shop = await openOffers()
    await shop.pay(PRICE / 2n)
    await shop.find()
    await (await shop.payer()).pay(usdtLink(shop, 2_000_000n))
    await shop.find()
    expect(shop.paid).toEqual([shop.reference])
    expect(shop.events.filter((event) => event.startsWith('extra'))).toEqual([
      `extra ${shop.reference}`,
    ])
    const [extra, ...others] = await shop.operator.list({ decision: 'extra_payment' })
    expect([extra?.action, others]).toEqual(['refund', []])
    expect(await shop.operator.refund({ transactionHash: extra!.txHash }, ANN)).toMatchObject({
      state: 'proposed',
      request: { messages: [{ amount: `${PRICE / 2n}` }] },
    })
  })

  it.each([5n, 6n])(
    'S135 may lack the tolerance together, and no more: %s of 5',
    async (lacking) => {
      const amounts = { partial: 'add-up', tolerance: { TON: 5n } } as const
      const shop = await openOffers({ payments: { verifyOnChain: undefined, amounts } })
      await shop.pay(PRICE / 2n)
      await shop.find()
      await shop.pay(PRICE / 2n - lacking)
      await shop.find()
      expect(shop.paid).toEqual(lacking === 5n ? [shop.reference] : [])
    },
  )

  it('S136 are never added in two assets', async () => {
    const shop = await openOffers()
    await shop.pay(PRICE - 1n)
    const payer = await shop.payer()
    await payer.pay(usdtLink(shop, 1_999_999n))
    await shop.find()
    expect(await shop.status()).toMatchObject({
      status: 'partially_paid',
      received: [ton(PRICE - 1n), { asset: shop.usdtAsset, rawAmount: '1999999' }],
      missing: ton(1n),
    })
    expect(shop.paid).toEqual([])
  })

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
    await expect.poll(half, { timeout: 60_000 }).toBe(2)
    const uses = async () => {
      await shop.clock.advance(1000)
      const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 10 })
      return credits.flatMap((one) => one.uses.map(({ kind }) => kind))
    }
    await expect.poll(uses, { timeout: 60_000 }).not.toEqual([])
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

  it.each([false, true])(
    'S131 S132 are late together when one is, and the rule of the shop decides about the sum (%s)',
    async (isAccepted) => {
      const sums: bigint[] = []
      const shop = await openOffers({
        payments: {
          verifyOnChain: undefined,
          amounts: { partial: 'add-up' },
          acceptLate: ({ received }) => {
            sums.push(received)
            return isAccepted && received === PRICE
          },
        },
      })
      await shop.pay(PRICE / 2n)
      await shop.find()
      await shop.pass(1000)
      await shop.pay(PRICE / 2n)
      await shop.find()
      expect(sums).toContain(PRICE)
      expect(shop.paid).toEqual(isAccepted ? [`${shop.reference} late`] : [])
    },
  )

  it('S133 are accepted one by one by their credits, once', async () => {
    const shop = await openOffers({ payments: { verifyOnChain: undefined } })
    const { operator, reference } = shop
    for (const amount of [PRICE / 4n, PRICE / 2n]) {
      await shop.pay(amount)
      await shop.find()
    }
    const [, first] = await operator.list({ reference })
    const { decision } = first!
    const creditId = decision?.kind === 'amount_mismatch' ? decision.credit : undefined
    const results = [
      await operator.accept({ creditId }, NOTE),
      await operator.accept({ creditId }, { ...NOTE, by: 'bob@shop.example' }),
      await operator.accept({ reportId: first!.reportId }, NOTE),
    ]
    expect(results[0]).toMatchObject({
      state: 'decided',
      decision: { kind: 'paid', received: `${PRICE / 4n}`, accepted: [{}] },
    })
    expect(new Set(results.map((one) => JSON.stringify(one))).size).toBe(1)
    await shop.find()
    expect(shop.paid).toEqual([reference])
    expect(await operator.list({ reference })).toMatchObject([
      { action: 'none', decision: { kind: 'paid' } },
      {
        action: 'accept_or_refund',
        decision: { kind: 'amount_mismatch', received: `${PRICE / 2n}` },
      },
      { action: 'none', decision: { kind: 'duplicate' } },
    ])
    const unknown = { creditId: '0'.repeat(32) }
    const reason = 'no credit has this id'
    expect(await operator.accept(unknown, NOTE)).toEqual({ state: 'refused', reason })
  })

  describe('as two credits of one trace', () => {
    const AMOUNTS = [PRICE / 4n, PRICE / 8n] as const

    /** Sends both in one transaction of the payer. Webhooks name the trace and the amount of the first, or both credits. */
    async function openTrace(named: 'nothing' | 'trace' | 'credits') {
      const shop = await openOffers({ payments: { verifyOnChain: undefined } })
      const { operator, reference, payments } = shop
      const body = comment(reference)
      const to = shop.merchant.address
      const payer = await shop.payer()
      await payer.send(AMOUNTS.map((value) => internal({ to, value, bounce: false, body })))
      await shop.find()
      const listed = await operator.list({ reference })
      const transferOf = (amount: bigint) =>
        listed.find(({ transfer }) => transfer?.rawAmount === `${amount}`)!.transfer!
      const first = transferOf(AMOUNTS[0])
      const webhooks = {
        nothing: [],
        trace: [{ ...first, txHash: first.traceId }],
        credits: AMOUNTS.map(transferOf),
      }
      for (const transfer of webhooks[named]) {
        await payments.submit(createTransferReport(transfer, { source: 'webhook' }))
      }
      for (let step = 0; step < 5; step++) await shop.clock.advance(1000)
      const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 10 })
      const creditId = (amount: bigint) => credits.find((one) => one.rawAmount === amount)!.id
      const refund = (amount: bigint) =>
        operator.refund({ transactionHash: transferOf(amount).txHash }, NOTE)
      const uses = async () => {
        const stored = await shop.inbox.credits.find({ ids: AMOUNTS.map(creditId) })
        const kinds = new Map(stored.map((one) => [one.id, one.uses.map(({ kind }) => kind)]))
        return AMOUNTS.map((amount) => kinds.get(creditId(amount)))
      }
      return { ...shop, creditId, refund, uses }
    }

    it.each([
      [0, 'nothing'],
      [0, 'trace'],
      [0, 'credits'],
      [1, 'nothing'],
      [1, 'trace'],
      [1, 'credits'],
    ] as const)(
      'S133 are accepted alone: credit %i, when webhooks name: %s',
      async (place, named) => {
        const shop = await openTrace(named)
        const { operator, creditId, reference } = shop
        const [amount, other] = place === 0 ? AMOUNTS : AMOUNTS.toReversed()
        const acceptance = { creditId: creditId(amount!) }
        const result = await operator.accept(acceptance, NOTE)
        expect(result).toMatchObject({ decision: { kind: 'paid', received: `${amount}` } })
        const used = [['order'], []]
        expect(await shop.uses()).toEqual(place === 0 ? used : used.toReversed())
        expect(await operator.accept(acceptance, { ...NOTE, by: 'bob' })).toEqual(result)
        expect(await operator.accept({ creditId: creditId(other!) }, NOTE)).toEqual(result)
        await shop.find()
        expect(shop.paid).toEqual([reference])
        // The other one is refunded once, the accepted one never.
        expect(await shop.refund(amount!)).toMatchObject({ state: 'rejected' })
        const refunds = [await shop.refund(other!), await shop.refund(other!)]
        expect(refunds).toMatchObject([{ state: 'proposed' }, { state: 'waiting' }])
        expect(await shop.refund(amount!)).toMatchObject({ state: 'rejected' })
        const both = [['order'], ['refund']]
        expect(await shop.uses()).toEqual(place === 0 ? both : both.toReversed())
      },
    )

    it.each(['nothing', 'trace', 'credits'] as const)(
      'S133 are accepted together by their order, when webhooks name: %s',
      async (named) => {
        const shop = await openTrace(named)
        const { operator, reference } = shop
        const result = await operator.accept({ reference }, NOTE)
        expect(result).toMatchObject({ decision: { kind: 'paid' } })
        expect(await shop.uses()).toEqual([['order'], ['order']])
        await shop.find()
        for (const amount of AMOUNTS) {
          expect(await shop.refund(amount)).toMatchObject({ state: 'rejected' })
        }
        expect(await operator.accept({ reference }, NOTE)).toEqual(result)
      },
    )

    it.each(['nothing', 'trace', 'credits'] as const)(
      'S133 are accepted after the refund of the other one, when webhooks name: %s',
      async (named) => {
        const shop = await openTrace(named)
        const { operator, creditId } = shop
        const [amount, other] = AMOUNTS
        expect(await shop.refund(other)).toMatchObject({ state: 'proposed' })
        const refused = await operator.accept({ creditId: creditId(other) }, NOTE)
        expect(refused).toEqual({ state: 'refused', reason: 'a refund of the money was proposed' })
        const result = await operator.accept({ creditId: creditId(amount) }, NOTE)
        expect(result).toMatchObject({ decision: { kind: 'paid', received: `${amount}` } })
        expect(await shop.uses()).toEqual([['order'], ['refund']])
      },
    )
  })

  describe.each([
    ['mismatches', { payments: { verifyOnChain: undefined } }],
    ['parts that add up', ADD_UP],
  ] as const)('accepted as %s', (_, options) => {
    it('S133 exclude the half that was sent back, when the refund has arrived', async () => {
      const shop = await openHalfRefunded(options)
      const { operator, reference } = shop
      const all = { reference }
      expect(await operator.accept(all, NOTE)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('a refund of the money was proposed'),
      })
      await shop.sign()
      // Without a client of the chain it is not known whether the refund has arrived.
      const other = createOperator({ payments: shop.payments })
      expect(await other.accept(all, NOTE)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('a refund of the money was proposed'),
      })
      const result = await operator.accept(all, NOTE)
      expect(result).toMatchObject({
        state: 'decided',
        decision: { kind: 'paid', received: `${PRICE / 2n}`, accepted: [{}] },
      })
      expect(await operator.accept(all, NOTE)).toEqual(result)
      await shop.find()
      expect(shop.paid).toEqual([reference])
      expect(await shop.uses()).toEqual([`order ${PRICE / 2n}`, `refund ${PRICE / 2n}`])
      expect(await operator.refund(shop.half, ANN)).toMatchObject({ state: 'refunded' })
    })

    it('S133 are not accepted when everything was sent back', async () => {
      const shop = await openOffers(options, 86_400_000)
      const { operator, reference } = shop
      await shop.pay(PRICE / 2n)
      await shop.find()
      const [first] = await operator.list({ reference })
      const proposed = await operator.refund({ transactionHash: first!.txHash }, ANN)
      if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
      await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
      await shop.merchant.pay(proposed.request)
      expect(await operator.accept({ reference }, NOTE)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('was sent back'),
      })
    })

    it('S133 are accepted one by one by their credits', async () => {
      const shop = await openOffers(options)
      const { operator, reference } = shop
      for (const amount of [PRICE / 4n, PRICE / 2n]) {
        await shop.pay(amount)
        await shop.find()
      }
      const [first] = await shop.inbox.credits.list({ fromUtime: 0, limit: 2 })
      const result = await operator.accept({ creditId: first!.id }, NOTE)
      expect(result).toMatchObject({
        decision: { kind: 'paid', received: `${PRICE / 4n}`, accepted: [{}] },
      })
      await shop.find()
      expect(shop.paid).toEqual([reference])
      expect((await shop.order())?.payment?.rawAmount).toBe(PRICE / 4n)
      const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 2 })
      expect(credits.map(({ uses }) => uses.length)).toEqual([1, 0])
    })
  })

  it('S133 are not accepted by a credit that names no order', async () => {
    const shop = await openOffers({ payments: { verifyOnChain: undefined } })
    const { operator, merchant, chain } = shop
    await chain.fund(merchant.address, PRICE)
    await shop.find()
    const [credit] = await shop.inbox.credits.list({ fromUtime: 0, limit: 1 })
    const accepted = await operator.accept({ creditId: credit!.id }, NOTE)
    expect(accepted).toMatchObject({ state: 'refused', reason: expect.stringContaining('assign') })
  })

  it('S131 S132 are not requested after the end of the offers', async () => {
    const shop = await openOffers()
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(await shop.status()).toMatchObject({ missing: ton(PRICE / 2n) })
    await shop.pass(1000)
    expect(await shop.status()).toEqual({ status: 'partially_paid', received: [ton(PRICE / 2n)] })
    await expect(shop.rest()).rejects.toMatchObject({ code: 'ERR_TONPLUG_INVOICE_EXPIRED' })
  })

  it('S133 are mismatches by default, and nothing is missing', async () => {
    const shop = await openOffers({ payments: { verifyOnChain: undefined } })
    for (const value of [PRICE / 2n, PRICE / 2n]) {
      await shop.pay(value)
      await shop.find()
    }
    expect(await shop.status()).toEqual({ status: 'needs_shop', received: [ton(PRICE)] })
    expect(shop.paid).toEqual([])
  })
})

/** Returns the link of a payment in USDT. */
function usdtLink({ merchant, usdt, reference }: Shop & { reference: string }, amount: bigint) {
  return `ton://transfer/${merchant.address.toString()}?amount=${amount}&text=${reference}&jetton=${usdt.master.toString()}`
}
