import { comment, internal } from '@ton/core'
import {
  createPayments,
  createPaymentWatcher,
  memoryInbox,
  memoryOrderRepository,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTestLogger } from '@tonplug/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ADD_UP, ANN, NOTE, openOffers, PRICE, usdtLink, type OffersShop } from './parts-shop.js'

type Pay = (shop: OffersShop) => Promise<void>

const ASSETS: [string, Pay][] = [
  ['coins', async (shop) => shop.pay(PRICE / 2n)],
  [
    'jettons',
    async (shop) => {
      const payer = await shop.payer()
      await payer.pay(usdtLink(shop, 1_000_000n))
    },
  ],
]

/** Opens an order whose first half was paid, and proposes its refund. */
async function openRefunded(pay: Pay, options = ADD_UP) {
  const shop = await openOffers(options, 86_400_000)
  await pay(shop)
  await shop.find()
  const [first] = await shop.operator.list({ reference: shop.reference })
  const half = { transactionHash: first!.txHash }
  const refund = await shop.operator.refund(half, ANN)
  if (refund.state !== 'proposed') throw new Error(`the refund is ${refund.state}`)
  await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
  return { ...shop, half, request: refund.request }
}

/** Opens the shop with the order and an empty inbox, as after a backup from before the first payment. */
async function restore({ clock, merchant, v3, order, reference }: OffersShop) {
  const inbox = memoryInbox({ clock })
  const orders = memoryOrderRepository([(await order())!])
  const paid: string[] = []
  const logger = createTestLogger()
  const payments = createPayments({
    ...ADD_UP.payments,
    orders,
    inbox,
    wallets: [merchant.address.toString()],
    onPaid: ({ order: { reference: one } }) => void paid.push(one),
    clock,
    logger,
  })
  const restart = () => {
    const watcher = createPaymentWatcher({ payments, v3 })
    onTestFinished(() => watcher.close())
    return watcher
  }
  onTestFinished(async () => {
    const closed = payments.close()
    await clock.advance(20_000)
    await closed
  })
  const operator = createOperator({ payments, v3 })
  const uses = async () =>
    (await inbox.credits.listOf({ name: 'default', merchant: '', reference })).map((credit) =>
      credit.uses.map(({ kind }) => kind).join(),
    )
  return { inbox, paid, logger, restart, watcher: restart(), operator, uses }
}

describe('a refund that the inbox has lost', () => {
  it.each(ASSETS)('S137 leaves nothing to add up or to accept, in %s', async (_what, pay) => {
    const shop = await openRefunded(pay)
    await shop.merchant.pay(shop.request)
    await shop.pass(60)
    const { paid, logger, watcher, operator, uses } = await restore(shop)
    expect(await watcher.run()).toMatchObject({ isComplete: true })
    expect(await uses()).toEqual(['refund'])
    expect(logger.lines).toContainEqual({
      level: 'warn',
      message: 'a refund was sent that the inbox did not have; its payment no longer counts',
      fields: { transaction: shop.half.transactionHash, reference: shop.reference },
    })
    expect(await operator.accept({ reference: shop.reference }, NOTE)).toEqual({
      state: 'refused',
      reason: 'the money was sent back',
    })
    expect(await operator.refund(shop.half, ANN)).toMatchObject({ state: 'refunded' })
    await pay(shop)
    await shop.pass(60)
    await watcher.run()
    await shop.clock.advance(10_000)
    expect(paid).toEqual([])
    await pay(shop)
    await shop.pass(60)
    await watcher.run()
    await expect.poll(async () => (await shop.clock.advance(1000), paid)).toEqual([shop.reference])
    expect((await uses()).toSorted()).toEqual(['order', 'order', 'refund'])
  })

  it.each(ASSETS)(
    'S137 is restored before the other half is found in the same run, in %s',
    async (_what, pay) => {
      const shop = await openRefunded(pay)
      await shop.merchant.pay(shop.request)
      await pay(shop)
      await shop.pass(60)
      const { paid, watcher, operator, uses } = await restore(shop)
      await watcher.run()
      await shop.clock.advance(10_000)
      expect(paid).toEqual([])
      expect((await uses()).toSorted()).toEqual(['', 'refund'])
      const accepted = await operator.accept({ reference: shop.reference }, NOTE)
      expect(accepted).toMatchObject({ decision: { kind: 'paid', accepted: [{}] } })
    },
  )

  it('S137 leaves an order open whose payment was sent back after the order was cancelled', async () => {
    const shop = await openOffers(ADD_UP, 86_400_000)
    const open = (await shop.order())!
    shop.orders.cancel({ reference: shop.reference })
    await shop.pay(PRICE)
    await shop.find()
    const [first] = await shop.operator.list({ reference: shop.reference })
    const refund = await shop.operator.refund({ transactionHash: first!.txHash }, ANN)
    if (refund.state !== 'proposed') throw new Error(`the refund is ${refund.state}`)
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.pay(refund.request)
    await shop.pass(60)
    const { paid, watcher, uses } = await restore({ ...shop, order: async () => open })
    await watcher.run()
    await shop.clock.advance(10_000)
    expect([paid, await uses()]).toEqual([[], ['refund']])
  })

  it('S137 leaves the other one of two transfers that arrived at once', async () => {
    const shop = await openRefunded(async (opened) => {
      const body = comment(opened.reference)
      const half = { to: opened.merchant.address, value: PRICE / 4n, bounce: false, body }
      const payer = await opened.payer()
      await payer.send([internal(half), internal(half)])
    })
    await shop.merchant.pay(shop.request)
    await shop.pass(60)
    const { watcher, uses } = await restore(shop)
    await watcher.run()
    expect((await uses()).toSorted()).toEqual(['', 'refund'])
  })

  it('S137 is claimed by the next run after a process that ended before it had claimed', async () => {
    const shop = await openRefunded(async ({ pay }) => pay(PRICE / 2n))
    await shop.merchant.pay(shop.request)
    await shop.pass(60)
    const { inbox, watcher, restart, uses } = await restore(shop)
    const claim = vi.spyOn(inbox.credits, 'claim').mockRejectedValueOnce(new Error('no connection'))
    expect(await watcher.run()).toMatchObject({ isComplete: false })
    expect(claim).toHaveBeenCalledOnce()
    expect(await uses()).toEqual([''])
    expect(await restart().run()).toMatchObject({ isComplete: true })
    expect(await uses()).toEqual(['refund'])
    const refunds = await inbox.reports.list({ decision: 'refund', limit: 10 })
    expect(refunds).toHaveLength(1)
  })

  it('S137 has its payment reported again after an index that failed', async () => {
    let isFailing = false
    const answer: typeof fetch = async (input, init) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
      const isAsked = pathname.endsWith('/messages') && searchParams.has('source')
      if (isFailing && isAsked) return Response.json({ error: 'no source' }, { status: 422 })
      return fetch(input, init)
    }
    const shop = await openRefunded(async ({ pay }) => pay(PRICE / 2n), {
      ...ADD_UP,
      fetch: answer,
    })
    await shop.merchant.pay(shop.request)
    await shop.pass(60)
    const { inbox, watcher, uses } = await restore(shop)
    const { reference } = shop
    isFailing = true
    expect(await watcher.run()).toMatchObject({ unsettled: 1 })
    expect(await inbox.reports.list({ reference, limit: 10 })).toEqual([])
    isFailing = false
    await shop.pass(60)
    await watcher.run()
    expect(await uses()).toEqual(['refund'])
    expect(await inbox.reports.list({ reference, limit: 10 })).toHaveLength(2)
  })

  it('S137 is not restored when another amount was sent, or when a stranger names the payment', async () => {
    const shop = await openRefunded(async ({ pay }) => pay(PRICE / 2n))
    const body = comment(`refund ${shop.half.transactionHash}`)
    const [{ address } = { address: '' }] = shop.request.messages
    await shop.merchant.send([internal({ to: address, value: PRICE / 2n - 1n, body })])
    const stranger = await shop.payer()
    await stranger.send([internal({ to: shop.merchant.address, value: PRICE / 2n, body })])
    await shop.pass(60)
    const { paid, watcher, uses } = await restore(shop)
    await watcher.run()
    expect(await uses()).toEqual([''])
    await shop.pay(PRICE / 2n)
    await shop.pass(60)
    await watcher.run()
    await expect.poll(async () => (await shop.clock.advance(1000), paid)).toEqual([shop.reference])
  })
})
