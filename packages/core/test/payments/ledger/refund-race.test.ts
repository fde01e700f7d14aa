import { memoryInbox, type Inbox, type MemoryOrderRepository } from '@tonplug/core'
import { createOperator, type Refund } from '@tonplug/core/operator'
import { walletV4 } from '@tonplug/simulator'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { gatewayBody, openPaidChain, orderOf, recipient } from '../watcher/paid-chain.js'

/** A step that waits while it is held. */
function gate() {
  let open: (() => void) | undefined
  let held: Promise<void> | undefined
  let arrive = (): void => undefined
  return {
    /** @returns what resolves when the step is reached */
    hold(): Promise<void> {
      held = new Promise<void>((resolve) => void (open = resolve))
      return new Promise<void>((resolve) => void (arrive = resolve))
    },
    release: () => open?.(),
    async pass(): Promise<void> {
      arrive()
      await held
    },
  }
}

/** Opens a shop of two merchants with a payment that names no order, whose refund can be proposed. */
async function openUnnamed() {
  const [completing, claiming] = [gate(), gate()]
  const storing = [gate(), gate()]
  let proposals = 0
  const wrapOrders = (orders: MemoryOrderRepository): MemoryOrderRepository => ({
    ...orders,
    async complete(key, payment) {
      await completing.pass()
      return orders.complete(key, payment)
    },
  })
  const inner = memoryInbox()
  const inbox: Inbox = {
    ...inner,
    credits: {
      ...inner.credits,
      async claim(claim) {
        if (claim.kind === 'refund' || claim.merchant === 'south') await claiming.pass()
        return inner.credits.claim(claim)
      },
    },
    reports: {
      ...inner.reports,
      async store(report) {
        if (report.decision?.kind === 'refund') await storing[proposals++]?.pass()
        return inner.reports.store(report)
      },
    },
  }
  const body = gatewayBody(1)
  const orders = ['north', 'south'].map((merchant) =>
    orderOf('order-1', body, { merchant, bodyBase64Hash: undefined }),
  )
  const shop = await openPaidChain(orders, { wrapOrders, payments: { inbox } })
  await shop.pay(1, { body: 'Thanks' })
  const [traceId = '', transactionHash = ''] = shop.chain.transactions
    .slice(-2)
    .map(({ transaction }) => transaction.hash().toString('hex'))
  await shop.wait(120)
  await shop.pay(9, { body: 'newer' })
  await shop.look()
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  return {
    ...shop,
    completing,
    claiming,
    storing,
    /** Delivers the webhook of the payment, which names its trace alone. */
    deliver() {
      const payload = transferCompleted({
        reference: 'order-1',
        rawAmount: '1000000000',
        txHash: '5e'.repeat(32),
        traceId,
        senderAddr: walletV4(1).wallet.address.toRawString(),
        recipientAddr: recipient,
        bodyBase64Hash: '',
      })
      const rawBody = JSON.stringify(payload)
      const report = {
        merchant: 'north',
        source: 'webhook',
        rawBody,
        transfer: payload.data,
      } as const
      return shop.payments.submit(report)
    },
    refund: (): Promise<Refund> => operator.refund({ transactionHash }, { by: 'ann' }),
    /** Assigns the payment to the order of the other merchant. */
    async assign() {
      const order = { reference: 'order-1', merchant: 'south' }
      return (await operator.assign({ transactionHash, ...order }, { by: 'ann' })).decision
    },
    async uses() {
      const credits = await inbox.credits.find({ hashes: [transactionHash] })
      return credits.flatMap(({ uses }) => uses)
    },
  }
}

it('waits with a refund while a webhook of a merchant completes its order with the money', async () => {
  const shop = await openUnnamed()
  const reached = shop.completing.hold()
  const delivered = shop.deliver()
  await reached
  expect(await shop.refund()).toMatchObject({ state: 'waiting' })
  shop.completing.release()
  expect(await delivered).toMatchObject({ kind: 'paid' })
  expect(await shop.refund()).toMatchObject({ state: 'rejected' })
  expect(await shop.uses()).toEqual([])
})

it('releases a refund when a webhook has completed its order just before the claim', async () => {
  const shop = await openUnnamed()
  const reached = shop.claiming.hold()
  const refund = shop.refund()
  await reached
  expect(await shop.deliver()).toMatchObject({ kind: 'paid' })
  shop.claiming.release()
  expect(await refund).toMatchObject({ state: 'rejected' })
  expect(await shop.uses()).toEqual([])
})

it('proposes no refund while a webhook that came before its claim is not decided', async () => {
  const shop = await openUnnamed()
  const reached = [shop.claiming.hold(), shop.completing.hold()]
  const refund = shop.refund()
  await reached[0]
  const delivered = shop.deliver()
  await reached[1]
  shop.claiming.release()
  expect(await refund).toMatchObject({ state: 'waiting' })
  expect(await shop.uses()).toEqual([])
  shop.completing.release()
  expect(await delivered).toMatchObject({ kind: 'paid' })
  expect(await shop.refund()).toMatchObject({ state: 'rejected' })
  expect(await shop.uses()).toEqual([])
})

it('completes no order with money whose refund was claimed before its webhook came', async () => {
  const shop = await openUnnamed()
  expect(await shop.refund()).toMatchObject({ state: 'proposed' })
  expect(await shop.deliver()).toMatchObject({ kind: 'unverified', reason: 'reused' })
  expect(await shop.refund()).toMatchObject({ state: 'waiting' })
  expect(await shop.uses()).toMatchObject([{ kind: 'refund', rawAmount: 1_000_000_000n }])
})

it('assigns no money that a webhook of another merchant has used between the look and the claim', async () => {
  const shop = await openUnnamed()
  const reached = shop.claiming.hold()
  const assigned = shop.assign()
  await reached
  expect(await shop.deliver()).toMatchObject({ kind: 'paid' })
  shop.claiming.release()
  expect(await assigned).toMatchObject({ kind: 'unverified', reason: 'reused' })
  expect(await shop.uses()).toEqual([])
})

it('assigns no money while a webhook of another merchant may use it', async () => {
  const shop = await openUnnamed()
  const reached = [shop.claiming.hold(), shop.completing.hold()]
  const assigned = shop.assign()
  await reached[0]
  const delivered = shop.deliver()
  await reached[1]
  shop.claiming.release()
  await expect(assigned).rejects.toThrow('undecided report about the same payment')
  shop.completing.release()
  expect(await delivered).toMatchObject({ kind: 'paid' })
  await shop.wait(60)
  expect(await shop.assign()).toMatchObject({ kind: 'unverified', reason: 'reused' })
  expect(await shop.orders.find({ reference: 'order-1', merchant: 'south' })).toMatchObject({
    status: 'pending',
  })
  expect(await shop.uses()).toEqual([])
})

describe('two refunds at once, the first one beside a webhook that completes no order in the end', () => {
  /** Returns the two refunds: the first one waits before it ends its claim, the second one before it stores its proposal. */
  async function openTwo() {
    const shop = await openUnnamed()
    const reached = [shop.claiming.hold(), shop.completing.hold()]
    const ends = shop.storing.map((one) => one.hold())
    const first = shop.refund()
    await reached[0]
    const delivered = shop.deliver()
    await reached[1]
    shop.claiming.release()
    await ends[0]
    const key = { reference: 'order-1', merchant: 'north' }
    const order = await shop.orders.find(key)
    if (order === null) throw new TypeError('the order is gone')
    shop.orders.replace({ ...order, status: 'cancelled' })
    shop.completing.release()
    expect(await delivered).toMatchObject({ kind: 'paid_after_cancel' })
    const second = shop.refund()
    await ends[1]
    return { shop, first, second }
  }
  const uses = [{ kind: 'refund', rawAmount: 1_000_000_000n }]

  it('proposes one refund when the first claim is released before the proposal is stored', async () => {
    const { shop, first, second } = await openTwo()
    shop.storing[0]?.release()
    expect(await first).toMatchObject({ state: 'waiting' })
    expect(await shop.uses()).toEqual([])
    shop.storing[1]?.release()
    expect(await second).toMatchObject({ state: 'proposed' })
    expect(await shop.uses()).toMatchObject(uses)
    expect(await shop.refund()).toMatchObject({ state: 'waiting' })
  })

  it('proposes one refund when the proposal is stored before the first claim would be released', async () => {
    const { shop, first, second } = await openTwo()
    shop.storing[1]?.release()
    expect(await second).toMatchObject({ state: 'proposed' })
    shop.storing[0]?.release()
    expect(await first).toMatchObject({ state: 'waiting' })
    expect(await shop.uses()).toMatchObject(uses)
    expect(await shop.refund()).toMatchObject({ state: 'waiting' })
  })
})
