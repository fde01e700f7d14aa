import { comment } from '@ton/core'
import {
  createPayments,
  createPaymentWatcher,
  memoryOrderRepository,
  proposeRefund,
  type Order,
} from '@tonplug/core'
import { walletV4 } from '@tonplug/simulator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SECRET } from '../shop.js'
import {
  gatewayBody,
  openPaidChain,
  orderOf,
  recipient,
  type PaidChain,
} from '../watcher/paid-chain.js'

const body = gatewayBody(1)

/** Opens a second name of Payments on the chain and in the inbox of a shop. */
function openOtherName({ v3, clock, logger, inbox }: PaidChain, orders: readonly Order[]) {
  const repository = memoryOrderRepository(orders)
  const shared = { orders: repository, inbox, wallets: [recipient], clock, logger }
  const payments = createPayments({ name: 'other', ...shared })
  const watcher = createPaymentWatcher({ payments, v3 })
  onTestFinished(async () => {
    await watcher.close()
    const closed = payments.close()
    await clock.advance(20_000)
    await closed
  })
  return { payments, watcher, orders: repository }
}

/** Delivers the webhook of the last payment of a chain, which names its first transaction. */
function deliver(shop: PaidChain) {
  const [first] = shop.chain.transactions.slice(-2)
  const traceId = first?.transaction.hash().toString('hex') ?? ''
  return deliverHash(shop, { txHash: traceId, traceId })
}

/** Delivers a webhook of the payer. @returns the kind of the decision */
async function deliverHash({ receiver }: PaidChain, hashes: { txHash: string; traceId: string }) {
  const payload = transferCompleted({
    reference: 'order-1',
    rawAmount: '1000000000',
    recipientAddr: recipient,
    senderAddr: walletV4(1).wallet.address.toRawString(),
    bodyBase64Hash: body.hash().toString('base64'),
    ...hashes,
  })
  const { body: rawBody, headers } = signPayload(payload, SECRET)
  return (await receiver.receive({ headers, rawBody })).decision.kind
}

const lastHash = ({ chain }: PaidChain): string =>
  chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''

/** Opens a wallet of two merchants that has received money without an order. */
async function openSharedWallet() {
  const orders = ['north', 'south'].map((merchant) =>
    orderOf(`of-${merchant}`, body, { merchant, bodyBase64Hash: undefined }),
  )
  const shop = await openPaidChain(orders)
  await shop.pay(1, { body: 'later' })
  await shop.wait(120)
  await shop.pay(9, { body: 'newer' })
  expect(await shop.look()).toMatchObject({ decisions: { unmatched: 1 } })
  const [listed] = await shop.payments.list()
  expect(listed?.merchant).toBe('')
  const asked = { payments: shop.payments, v3: shop.v3, transactionHash: listed?.txHash ?? '' }
  return { shop, asked }
}

describe('a credit', () => {
  it('S119 pays one order when two names of Payments watch one wallet', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain(orders)
    const other = openOtherName(shop, orders)
    await shop.pay(1, { body })
    await shop.wait(120)
    const reports = await Promise.all([shop.watcher.run(), other.watcher.run()])
    const decisions = reports.map((one) => one.decisions)
    expect(decisions).toContainEqual({ paid: 1 })
    expect(decisions).toContainEqual({ unverified: 1 })
    const statuses = [...shop.orders.all(), ...other.orders.all()].map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['completed', 'pending'])
  })

  it('S119 is neither used nor refunded by a name after a webhook of another name has used it', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain(orders)
    const other = openOtherName(shop, orders)
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await deliver(shop)).toBe('paid')
    expect((await other.watcher.run()).decisions).toEqual({ unverified: 1 })
    const asked = { payments: other.payments, v3: shop.v3, transactionHash: lastHash(shop) }
    expect(await proposeRefund(asked)).toMatchObject({ state: 'rejected' })
    expect(other.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it('S119 raises an alarm when a webhook of another name pays its order with it, too', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain(orders)
    const other = openOtherName(shop, orders)
    await shop.pay(1, { body })
    await shop.wait(120)
    expect((await other.watcher.run()).decisions).toEqual({ paid: 1 })
    expect(await deliver(shop)).toBe('paid')
    expect((await shop.watcher.run()).decisions).toEqual({ unverified: 1 })
    expect(await shop.payments.list({ decision: 'unverified' })).toMatchObject([
      { txHash: lastHash(shop), decision: { reason: 'reused' } },
    ])
  })

  it('S119 pays no order of a name after another name has refunded it', async () => {
    const shop = await openPaidChain([orderOf('order-2', gatewayBody(2))])
    await shop.pay(1, { body: 'order-1' })
    await shop.wait(120)
    await shop.pay(9, { body: 'later' })
    expect(await shop.look()).toMatchObject({ decisions: { unmatched: 1 } })
    const [listed] = await shop.payments.list({ decision: 'unmatched' })
    const transactionHash = listed?.txHash ?? ''
    const asked = { payments: shop.payments, v3: shop.v3, transactionHash }
    expect(await proposeRefund(asked)).toMatchObject({ state: 'proposed' })
    const order = { ...orderOf('order-1', comment('order-1')), bodyBase64Hash: undefined }
    const other = openOtherName(shop, [order])
    expect((await other.watcher.run()).decisions).toEqual({ unverified: 1 })
    expect(other.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it('S118 without an order is attached to an order of one of two merchants, once', async () => {
    const { shop, asked } = await openSharedWallet()
    const attach = (merchant: string) =>
      shop.payments.attach(asked.transactionHash, { reference: `of-${merchant}`, merchant })
    expect(await attach('north')).toMatchObject({ kind: 'paid' })
    expect(await attach('south')).toMatchObject({ kind: 'unverified', reason: 'reused' })
    for (const merchant of ['', 'south']) {
      expect(await proposeRefund({ ...asked, merchant })).toMatchObject({ state: 'rejected' })
    }
  })

  it('S118 without an order pays no order of any merchant after its refund', async () => {
    const { shop, asked } = await openSharedWallet()
    expect(await proposeRefund(asked)).toMatchObject({ state: 'proposed' })
    const key = { reference: 'of-north', merchant: 'north' }
    const attached = await shop.payments.attach(asked.transactionHash, key)
    expect(attached).toMatchObject({ kind: 'unverified', reason: 'reused' })
    // Its order appears later.
    const later = orderOf('later', body, { merchant: 'south', bodyBase64Hash: undefined })
    shop.orders.add(later)
    const restarted = await shop.restart()
    expect((await restarted.run()).decisions).toMatchObject({ unverified: 1 })
    expect(await shop.orders.find(later)).toMatchObject({ status: 'pending' })
  })

  it('S121 has one refund, whichever of its hashes two operators ask for', async () => {
    const shop = await openPaidChain([orderOf('order-1', body)])
    await shop.pay(1, { body })
    await shop.wait(10)
    expect(await deliver(shop)).toBe('paid')
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await deliver(shop)).toBe('extra_payment')
    expect(await shop.look()).toMatchObject({ decisions: { extra_payment: 1 } })
    const extra = await shop.payments.list({ decision: 'extra_payment' })
    const hashes = extra.map(({ txHash }) => txHash)
    expect(new Set(hashes).size).toBe(2)
    const ask = (transactionHash: string) =>
      proposeRefund({ payments: shop.payments, v3: shop.v3, transactionHash })
    const refunds = await Promise.all([...hashes, ...hashes].map(ask))
    const states = refunds.map(({ state }) => state).toSorted()
    expect(states).toEqual(['proposed', 'waiting', 'waiting', 'waiting'])
    await shop.wait(1200)
    await shop.pay(9, { body: 'newer' })
    const again = await Promise.all(hashes.map(ask))
    expect(again.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting'])
  })
})

describe('two equal payments in one transaction of the payer', () => {
  const hashesOf = ({ chain }: PaidChain): string[] =>
    chain.transactions.slice(-3).map(({ transaction }) => transaction.hash().toString('hex'))

  it.each(['webhook', 'watcher', 'both'])(
    'S117 are one payment and one extra payment for both sources, when the first is: %s',
    async (first) => {
      const shop = await openPaidChain([orderOf('order-1', body)])
      await shop.pay(1, { body }, { body })
      await shop.wait(120)
      const hashes = hashesOf(shop)
      const [traceId = ''] = hashes
      const webhook = () => deliverHash(shop, { txHash: traceId, traceId })
      const kinds = first === 'webhook' ? [await webhook()] : []
      const [kind] = await Promise.all([first === 'both' ? webhook() : 'none', shop.look()])
      if (first === 'watcher') kinds.push(await webhook())
      expect([...kinds, kind].filter((one) => one !== 'none')).toEqual([
        first === 'watcher' ? 'duplicate' : 'paid',
      ])
      await shop.wait(60)
      await shop.look()
      const extra = await shop.payments.list({ decision: 'extra_payment' })
      expect(extra).toHaveLength(1)
      expect(shop.events.map((event) => event.split(' ')[0]).toSorted()).toEqual([
        'onExtraPayment',
        'onPaid',
      ])
      const ask = (transactionHash = '') =>
        proposeRefund({ payments: shop.payments, v3: shop.v3, transactionHash })
      expect(await ask(extra[0]?.txHash)).toMatchObject({ state: 'proposed' })
      const others = hashes.filter((hash) => hash !== extra[0]?.txHash)
      const states = await Promise.all(
        others.map((hash) =>
          ask(hash).then(
            ({ state }) => state,
            () => 'unknown',
          ),
        ),
      )
      expect(states).not.toContain('proposed')
    },
  )

  it('S117 of which one is smaller: the one of the price is the payment', async () => {
    const shop = await openPaidChain([orderOf('order-1', body)])
    await shop.pay(1, { body, value: 300_000_000n }, { body })
    await shop.wait(120)
    const [traceId = ''] = hashesOf(shop)
    expect(await deliverHash(shop, { txHash: traceId, traceId })).toBe('paid')
    await shop.look()
    expect(await shop.payments.list({ decision: 'extra_payment' })).toMatchObject([
      { transfer: { rawAmount: '300000000' } },
    ])
  })
})
