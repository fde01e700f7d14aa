import { comment } from '@ton/core'
import {
  createPayments,
  createPaymentWatcher,
  createTransferReport,
  createWebhookReceiver,
  memoryOrderRepository,
  type Order,
  type TransferData,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
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
const ANN = { by: 'ann' }

/** Returns the operator of a shop. */
function operatorOf({ payments, v3 }: Pick<PaidChain, 'payments' | 'v3'>) {
  return createOperator({ payments, v3 })
}

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

/** Returns the facts of a webhook about the payer's money. */
function webhookOf(given: Pick<TransferData, 'txHash' | 'traceId'>): Partial<TransferData> {
  return {
    reference: 'order-1',
    rawAmount: '1000000000',
    recipientAddr: recipient,
    senderAddr: walletV4(1).wallet.address.toRawString(),
    bodyBase64Hash: body.hash().toString('base64'),
    ...given,
  }
}

/** Delivers a webhook of the payer. @returns the kind of the decision */
async function deliverHash(
  { receiver }: Pick<PaidChain, 'receiver'>,
  given: Partial<TransferData> & Pick<TransferData, 'txHash' | 'traceId'>,
) {
  const payload = transferCompleted(webhookOf(given))
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
  expect(await shop.look()).toMatchObject({ decisions: { unknown_order: 1 } })
  const [listed] = await operatorOf(shop).list()
  expect(listed?.merchant).toBe('')
  return { shop, asked: { transactionHash: listed?.txHash ?? '' } }
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

  it('S119 is not reported as unknown by a name after an order of another name has used it', async () => {
    const { bodyBase64Hash: _, ...order } = orderOf('order-1', body)
    const shop = await openPaidChain([order])
    const other = openOtherName(shop, [orderOf('order-2', gatewayBody(2))])
    await shop.pay(1, { body: 'order-1' })
    await shop.look()
    expect(shop.events).toEqual(['onPaid order-1 chain'])
    await shop.wait(120)
    await shop.pay(9, { body: 'newer' })
    expect((await other.watcher.run()).decisions).toEqual({})
    const { payments } = other
    expect(await operatorOf({ payments, v3: shop.v3 }).list()).toEqual([])
  })

  it('S119 is neither used nor refunded by a name after a webhook of another name has used it', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain(orders)
    const other = openOtherName(shop, orders)
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await deliver(shop)).toBe('paid')
    expect((await other.watcher.run()).decisions).toEqual({ unverified: 1 })
    const { payments } = other
    const asked = { transactionHash: lastHash(shop) }
    expect(await operatorOf({ payments, v3: shop.v3 }).refund(asked, ANN)).toMatchObject({
      state: 'rejected',
    })
    expect(other.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it('S119 pays no order by a webhook after another name has used it', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain(orders)
    const other = openOtherName(shop, orders)
    await shop.pay(1, { body })
    await shop.wait(120)
    expect((await other.watcher.run()).decisions).toEqual({ paid: 1 })
    expect(await deliver(shop)).toBe('unverified')
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
    expect(await operatorOf(shop).list({ decision: 'unverified' })).toMatchObject([
      { decision: { reason: 'reused' } },
    ])
    await shop.wait(10)
    expect(shop.events).toEqual(['onUnverified order-1'])
  })

  it('S119 pays no order of a name until another name has decided an older webhook', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain([])
    const other = openOtherName(shop, orders)
    const shared = { orders: memoryOrderRepository([]), clock: shop.clock, logger: shop.logger }
    const undecided = createPayments({
      name: 'third',
      ...shared,
      inbox: { ...shop.inbox, isDurable: true },
      autoStart: false,
    })
    onTestFinished(() => undecided.close())
    await shop.pay(1, { body })
    await shop.wait(120)
    const hash = lastHash(shop)
    const { data } = transferCompleted(webhookOf({ txHash: hash, traceId: hash }))
    expect(
      await undecided.submit(createTransferReport(data, { source: 'webhook' })),
    ).toBeUndefined()
    await shop.wait(1)
    const report = await other.watcher.run()
    expect(report).toMatchObject({
      isComplete: false,
      decisions: {},
      unsettled: 1,
      problem: expect.stringContaining(
        'the Payments "third" has an undecided report about the same payment, which is decided first',
      ),
    })
    expect(other.orders.all()).toMatchObject([{ status: 'pending' }])
    undecided.start()
    await shop.wait(10)
    await other.watcher.run()
    await shop.wait(10)
    expect(other.orders.all()).toMatchObject([{ status: 'completed' }])
  })

  it('S119 pays an order of a name while another name has not decided a younger webhook', async () => {
    let isReachable = false
    const shop = await openPaidChain([orderOf('order-1', body)], {
      wrapOrders: (orders) => ({
        ...orders,
        async find(key) {
          if (!isReachable) throw new Error('the database is down')
          return orders.find(key)
        },
      }),
    })
    const shared = { orders: memoryOrderRepository([]), clock: shop.clock, logger: shop.logger }
    const younger = createPayments({
      name: 'third',
      ...shared,
      inbox: { ...shop.inbox, isDurable: true },
      autoStart: false,
    })
    onTestFinished(() => younger.close())
    await shop.pay(1, { body })
    await shop.wait(120)
    await shop.look()
    expect(await shop.inbox.stats()).toMatchObject({ undecided: 1 })
    await shop.wait(1)
    const hash = lastHash(shop)
    const { data } = transferCompleted(webhookOf({ txHash: hash, traceId: hash }))
    await younger.submit(createTransferReport(data, { source: 'webhook' }))
    isReachable = true
    await shop.wait(60)
    await shop.look()
    await shop.wait(10)
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
  })

  it('S119 pays no order by a webhook of a name that knows no other name, once it is used', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain(orders)
    await shop.pay(1, { body })
    await shop.wait(120)
    // The shop does not know of the other name yet.
    const other = openOtherName(shop, orders)
    expect((await other.watcher.run()).decisions).toEqual({ paid: 1 })
    expect(await deliver(shop)).toBe('unverified')
    expect((await shop.watcher.run()).decisions).toEqual({ unverified: 1 })
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
    expect(await operatorOf(shop).list({ decision: 'unverified' })).toHaveLength(2)
  })

  it('S119 does not block a webhook whose trace holds an equal credit that is free', async () => {
    const orders = [orderOf('order-1', body)]
    const shop = await openPaidChain(orders)
    const other = openOtherName(shop, orders)
    await shop.pay(1, { body }, { body })
    await shop.wait(120)
    expect((await other.watcher.run()).decisions).toEqual({ paid: 1, extra_payment: 1 })
    const traceId = shop.chain.transactions.at(-3)?.transaction.hash().toString('hex') ?? ''
    expect(await deliverHash(shop, { txHash: traceId, traceId })).toBe('paid')
  })

  it('S119 pays its order although a webhook of another name pays another order with its hash', async () => {
    const shop = await openPaidChain([orderOf('order-1', body)])
    const stolen = orderOf('order-2', body, { bodyBase64Hash: undefined })
    const other = openOtherName(shop, [stolen])
    await shop.pay(1, { body })
    await shop.wait(120)
    const receiver = createWebhookReceiver({ payments: other.payments, secrets: SECRET })
    const hashes = { txHash: lastHash(shop), traceId: lastHash(shop) }
    expect(await deliverHash({ receiver }, { ...hashes, reference: 'order-2' })).toBe('paid')
    expect((await shop.watcher.run()).decisions).toEqual({ paid: 1 })
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
  })

  it('S119 pays no order of a name after another name has refunded it', async () => {
    const shop = await openPaidChain([orderOf('order-2', gatewayBody(2))])
    await shop.pay(1, { body: 'order-1' })
    await shop.wait(120)
    await shop.pay(9, { body: 'later' })
    expect(await shop.look()).toMatchObject({ decisions: { unknown_order: 1 } })
    const [listed] = await operatorOf(shop).list({ decision: 'unknown_order' })
    const transactionHash = listed?.txHash ?? ''
    expect(await operatorOf(shop).refund({ transactionHash }, ANN)).toMatchObject({
      state: 'proposed',
    })
    const order = { ...orderOf('order-1', comment('order-1')), bodyBase64Hash: undefined }
    const other = openOtherName(shop, [order])
    expect((await other.watcher.run()).decisions).toEqual({ unverified: 1 })
    expect(other.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it('S118 is assigned once without an order, to an order of one of two merchants', async () => {
    const { shop, asked } = await openSharedWallet()
    const assign = (merchant: string) =>
      operatorOf(shop).assign({ ...asked, reference: `of-${merchant}`, merchant }, ANN)
    expect(await assign('north')).toMatchObject({ decision: { kind: 'paid' } })
    expect(await assign('south')).toMatchObject({
      decision: { kind: 'unverified', reason: 'reused' },
    })
    for (const merchant of ['', 'south']) {
      expect(await operatorOf(shop).refund({ ...asked, merchant }, ANN)).toMatchObject({
        state: 'rejected',
      })
    }
  })

  it.each(['before', 'after'])(
    'S118 is neither refunded nor assigned when a webhook of a merchant has paid an order with it %s the watcher',
    async (when) => {
      const orders = ['north', 'south'].map((merchant) =>
        orderOf(`of-${merchant}`, body, { merchant, bodyBase64Hash: undefined }),
      )
      const shop = await openPaidChain(orders)
      await shop.pay(1, { body: 'later' })
      const transactionHash = lastHash(shop)
      const deliverNorth = async () => {
        const payload = transferCompleted({
          reference: 'of-north',
          rawAmount: '1000000000',
          recipientAddr: recipient,
          txHash: transactionHash,
          traceId: '',
          senderAddr: walletV4(1).wallet.address.toRawString(),
          bodyBase64Hash: '',
        })
        const rawBody = JSON.stringify(payload)
        const report = { merchant: 'north', source: 'webhook', rawBody } as const
        expect(await shop.payments.submit({ ...report, transfer: payload.data })).toMatchObject({
          kind: 'paid',
        })
      }
      if (when === 'before') await deliverNorth()
      await shop.wait(120)
      await shop.pay(9, { body: 'newer' })
      expect(await shop.look()).toMatchObject({ decisions: { unknown_order: 1 } })
      if (when === 'after') await deliverNorth()
      const asked = { transactionHash }
      for (const merchant of ['', 'north', 'south']) {
        const refunded = await operatorOf(shop)
          .refund({ ...asked, merchant }, ANN)
          .catch(() => ({ state: 'rejected' }))
        expect(refunded).toMatchObject({ state: 'rejected' })
      }
      const key = { reference: 'of-south', merchant: 'south' }
      const assigned = await operatorOf(shop)
        .assign({ ...asked, ...key }, ANN)
        .catch(() => undefined)
      expect(assigned?.decision?.kind).not.toBe('paid')
      expect(await shop.orders.find(key)).toMatchObject({ status: 'pending' })
    },
  )

  it('S118 pays no order of any merchant after its refund without an order', async () => {
    const { shop, asked } = await openSharedWallet()
    expect(await operatorOf(shop).refund(asked, ANN)).toMatchObject({ state: 'proposed' })
    const key = { reference: 'of-north', merchant: 'north' }
    const { decision } = await operatorOf(shop).assign({ ...asked, ...key }, ANN)
    expect(decision).toMatchObject({ kind: 'unverified', reason: 'reused' })
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
    await shop.wait(10)
    const reported = await operatorOf(shop).list({ reference: 'order-1' })
    const hashes = reported.flatMap(({ txHash, decision }) => {
      const isRepetition = decision?.kind === 'duplicate' && decision.first === 'extra_payment'
      return decision?.kind === 'extra_payment' || isRepetition ? txHash : []
    })
    expect(new Set(hashes).size).toBe(2)
    const ask = (transactionHash: string) => operatorOf(shop).refund({ transactionHash }, ANN)
    const refunds = await Promise.all([...hashes, ...hashes].map(ask))
    const states = refunds.map(({ state }) => state).toSorted()
    expect(states).toEqual(['proposed', 'waiting', 'waiting', 'waiting'])
    await shop.wait(1200)
    await shop.pay(9, { body: 'newer' })
    const again = await Promise.all(hashes.map(ask))
    expect(again.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting'])
  })
})

describe('a payment that has completed its order', () => {
  it('S121 is not refunded by another of its hashes, which a second webhook names', async () => {
    const shop = await openPaidChain([orderOf('order-1', body)])
    await shop.pay(1, { body })
    await shop.wait(10)
    const traceId = shop.chain.transactions.at(-2)?.transaction.hash().toString('hex') ?? ''
    expect(await deliverHash(shop, { txHash: lastHash(shop), traceId })).toBe('paid')
    await deliverHash(shop, { txHash: traceId, traceId })
    await shop.wait(120)
    await shop.look()
    await shop.wait(10)
    for (const transactionHash of [traceId, lastHash(shop)]) {
      const result = await operatorOf(shop).refund({ transactionHash }, ANN)
      expect(result).toMatchObject({ state: 'rejected' })
    }
  })
})

describe('money of another amount', () => {
  /** Opens an order that was paid with another amount, as the watcher has found. */
  async function openMismatch() {
    const shop = await openPaidChain([orderOf('order-1', body, { rawAmount: 5n })])
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { amount_mismatch: 1 } })
    await shop.wait(10)
    return shop
  }
  const note = { ...ANN, reason: 'agreed by phone' }

  it('S133 is not refunded after an operator has accepted it', async () => {
    const shop = await openMismatch()
    const accepted = await operatorOf(shop).accept({ reference: 'order-1' }, note)
    expect(accepted).toMatchObject({ decision: { kind: 'paid' } })
    const asked = { transactionHash: lastHash(shop) }
    expect(await operatorOf(shop).refund(asked, ANN)).toMatchObject({ state: 'rejected' })
  })

  it('S133 stays used for its order when another payment was accepted with it', async () => {
    const shop = await openPaidChain([orderOf('order-1', body)])
    await shop.pay(1, { body, value: 400_000_000n })
    await shop.wait(120)
    await shop.pay(1, { body, value: 600_000_000n })
    const [first] = shop.chain.transactions.slice(-2)
    const txHash = first?.transaction.hash().toString('hex') ?? ''
    const named = { txHash, traceId: txHash, rawAmount: '600000000' }
    await deliverHash(shop, named)
    shop.v3Server.lagBlocks = 2
    await shop.look()
    shop.v3Server.lagBlocks = 0
    const operator = operatorOf(shop)
    await operator.accept({ reference: 'order-1' }, { by: 'ann', reason: 'ticket' })
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
    await shop.wait(120)
    await shop.look()
    const uses = async () =>
      (await shop.inbox.credits.find({ hashes: [txHash] })).flatMap((credit) => credit.uses)
    expect(await uses()).toMatchObject([{ kind: 'order', rawAmount: 600_000_000n }])
    expect(await deliverHash(shop, { ...named, senderAddr: '' })).toBe('duplicate')
    expect(await uses()).toMatchObject([{ kind: 'order', rawAmount: 600_000_000n }])
    expect(await operator.refund({ transactionHash: txHash }, ANN)).toMatchObject({
      state: 'rejected',
    })
  })

  it('S133 has one use of two equal amounts in a trace, when an operator has accepted one', async () => {
    const value = 600_000_000n
    const shop = await openPaidChain([orderOf('order-1', body)])
    await shop.pay(1, { body, value }, { body, value })
    const traceId = shop.chain.transactions.at(-3)?.transaction.hash().toString('hex') ?? ''
    const named = { txHash: traceId, traceId, rawAmount: `${value}` }
    await deliverHash(shop, named)
    const operator = operatorOf(shop)
    expect(await operator.accept({ reference: 'order-1' }, note)).toMatchObject({
      decision: { kind: 'paid' },
    })
    await shop.wait(120)
    await shop.look()
    const credits = await shop.inbox.credits.find({ hashes: [traceId] })
    const used = credits.map(({ uses }) => uses.length)
    expect(used.toSorted((one, other) => one - other)).toEqual([0, 1])
    const listed = await operator.list({ decision: 'extra_payment' })
    expect(listed).toMatchObject([{ source: 'chain', transfer: { rawAmount: `${value}` } }])
    expect(shop.events.filter((event) => event.startsWith('onExtraPayment'))).toHaveLength(1)
    expect(await operator.refund({ transactionHash: listed[0]?.txHash ?? '' }, ANN)).toMatchObject({
      state: 'proposed',
    })
  })

  it('S133 is not accepted after its refund was proposed', async () => {
    const shop = await openMismatch()
    const asked = { transactionHash: lastHash(shop) }
    expect(await operatorOf(shop).refund(asked, ANN)).toMatchObject({ state: 'proposed' })
    expect(await operatorOf(shop).accept({ reference: 'order-1' }, note)).toEqual({
      state: 'refused',
      reason: 'a refund of the money was proposed',
    })
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
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
      const extra = await operatorOf(shop).list({ decision: 'extra_payment' })
      expect(extra).toHaveLength(1)
      expect(shop.events.map((event) => event.split(' ')[0]).toSorted()).toEqual([
        'onExtraPayment',
        'onPaid',
      ])
      const ask = (transactionHash = '') => operatorOf(shop).refund({ transactionHash }, ANN)
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

  it.each(['first', 'second'])(
    'S117 are one payment and one extra payment when the webhook names the %s of them',
    async (named) => {
      const shop = await openPaidChain([orderOf('order-1', body)])
      await shop.pay(1, { body }, { body })
      await shop.wait(120)
      const [traceId = '', ...credits] = hashesOf(shop)
      const [txHash = '', other = ''] = named === 'first' ? credits : credits.toReversed()
      expect(await deliverHash(shop, { txHash, traceId })).toBe('paid')
      await shop.look()
      const extra = await operatorOf(shop).list({ decision: 'extra_payment' })
      expect(extra.map((one) => one.txHash)).toEqual([other])
      expect(shop.events.map((event) => event.split(' ')[0])).toContain('onExtraPayment')
    },
  )

  it('S117 are distinguished by their amounts: the credit with the price is the payment', async () => {
    const shop = await openPaidChain([orderOf('order-1', body)])
    await shop.pay(1, { body, value: 300_000_000n }, { body })
    await shop.wait(120)
    const [traceId = ''] = hashesOf(shop)
    expect(await deliverHash(shop, { txHash: traceId, traceId })).toBe('paid')
    await shop.look()
    expect(await operatorOf(shop).list({ decision: 'extra_payment' })).toMatchObject([
      { transfer: { rawAmount: '300000000' } },
    ])
  })
})
