import { comment } from '@ton/core'
import { memoryInbox, type Order, type OrderRepository } from '@tonplug/core'
import { walletV4 } from '@tonplug/simulator'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { countingRepository } from './counting-repository.js'
import { startMockIndex } from './mock-index.js'
import { openWatcher } from './open-watcher.js'
import { BEGIN, gatewayBody, openPaidChain, orderOf, recipient } from './paid-chain.js'

const HOUR_MS = 3_600_000

describe('createPaymentWatcher', () => {
  it('S49 completes each of ten orders once that were paid while the service was off', async () => {
    const orders = Array.from({ length: 10 }, (_, index) =>
      orderOf(`order-${index}`, gatewayBody(index)),
    )
    const shop = await openPaidChain(orders)
    for (const index of orders.keys()) {
      await shop.pay(1 + (index % 3), { body: gatewayBody(index) })
      await shop.wait(30)
    }
    await shop.wait(300)

    const report = await shop.look()

    expect(report).toMatchObject({
      isComplete: true,
      openOrders: 10,
      decisions: { paid: 10 },
      unsettled: 0,
    })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(orders.map(() => 'completed'))
    expect(shop.events.toSorted()).toEqual(
      orders.map(({ reference }) => `onPaid ${reference} chain`),
    )

    const again = await shop.look()
    expect(again).toMatchObject({ isComplete: true, openOrders: 0, decisions: {} })
    expect(shop.events).toHaveLength(10)
    expect(shop.watcher.stats().decisions).toEqual({ paid: 10 })
  })

  it('finds payments in a jetton by the body of the payer’s message', async () => {
    const shop = await openPaidChain([])
    const body = await shop.payJetton(1, 25_000n)
    shop.orders.add(orderOf('jetton-1', body, { rawAmount: 25_000n, asset: shop.jetton }))
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    expect(shop.orders.all()[0]?.payment).toMatchObject({
      rawAmount: 25_000n,
      asset: shop.jetton,
      recipientAddr: recipient,
      source: 'chain',
    })
  })

  it('finds payments by a comment', async () => {
    const order = { ...orderOf('order-1', comment('x')), bodyBase64Hash: undefined }
    const shop = await openPaidChain([order])
    await shop.pay(1, { body: 'order-1' })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
  })

  it('S85 finds orders by their comments with few calls without findByReferences, and logs that it is missing', async () => {
    const index = await startMockIndex(150, 4, { commentOf: (number) => `order-${number}` })
    index.head = BEGIN + 3600
    const { orders, calls } = countingRepository()
    const { findByReferences: _, findByBodyHashes: __, ...without } = orders
    const found: string[] = []
    const find: OrderRepository['find'] = ({ reference }) => {
      found.push(reference)
      return orders.find()
    }
    const { watcher, logger, clock } = openWatcher(index, { ...without, find })
    expect(await watcher.run()).toMatchObject({ isComplete: true, unsettled: 0 })
    // One call for 100 transactions, and one in each run: the newest comments first.
    expect(found.slice(0, 2).every((reference) => /^order-1[0-4]\d$/.test(reference))).toBe(true)
    expect(calls['find']).toHaveLength(2)
    watcher.start()
    await clock.advance(0)
    const missing = logger.lines.filter(({ message }) => message.includes('is missing'))
    expect(missing.map(({ level, message }) => [level, message])).toEqual([
      [
        'warn',
        'orders.findByBodyHashes is missing; payments are not matched with completed or cancelled orders by body hash',
      ],
      [
        'warn',
        'orders.findByReferences is missing; comments are matched with completed or cancelled orders in part only',
      ],
    ])
  })

  it('counts transfers as stored while Payments is not started', async () => {
    const clock = createFakeClock({ startMs: BEGIN * 1000 })
    const inbox = { ...memoryInbox({ clock }), isDurable: true }
    const body = gatewayBody(1)
    const shop = await openPaidChain([orderOf('order-1', body)], {
      payments: { inbox, autoStart: false },
    })
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ isComplete: true, stored: 1, decisions: {} })
    expect(await inbox.stats()).toMatchObject({ undecided: 1 })
  })

  it.each(['\0', '\uFFFD', '\ud800'])('takes a comment with %j for no order', async (mark) => {
    const orders = [`a${mark}`, 'a\uFFFD', 'a'].flatMap((reference) => {
      if (mark !== '\uFFFD' && reference.includes(mark)) return []
      return { ...orderOf(reference, comment('x')), bodyBase64Hash: undefined }
    })
    const shop = await openPaidChain([...orders, orderOf('order-1', gatewayBody(1))])
    await shop.pay(1, { body: `a${mark}` }, { body: gatewayBody(1) })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ isComplete: true, decisions: { paid: 1 } })
    const paid = shop.orders.all().filter(({ status }) => status === 'completed')
    expect(paid.map(({ reference }) => reference)).toEqual(['order-1'])
  })

  it('finds payments by their amount when matchBy contains amount', async () => {
    const order = (reference: string, rawAmount: bigint): Order => ({
      ...orderOf(reference, comment('x'), { rawAmount }),
      bodyBase64Hash: undefined,
    })
    const orders = [order('one', 1_000_000_001n), order('two', 1_000_000_002n)]
    const alike = [order('alike-1', 5n * 10n ** 9n), order('alike-2', 5n * 10n ** 9n)]
    const watcher = { matchBy: ['amount' as const] }
    const shop = await openPaidChain([...orders, ...alike], { watcher })
    await shop.pay(1, { body: 'hello', value: 1_000_000_002n })
    await shop.pay(1, { body: 'hello', value: 5_000_000_000n })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, ambiguous: 1 })
    const paid = shop.orders.all().filter(({ status }) => status === 'completed')
    expect(paid.map(({ reference }) => reference)).toEqual(['two'])
  })

  it('ignores transfers to another wallet and transfers that name no order', async () => {
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
    await shop.pay(1, { body: gatewayBody(1), to: walletV4(77).wallet.address })
    await shop.pay(1, { body: gatewayBody(2) }, { body: 'order-2' }, { body: comment('') })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ openOrders: 1, decisions: {}, unsettled: 0 })
  })

  it('waits for payments that are not final, and finds them later', async () => {
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
    shop.chain.isHolding = true
    await shop.pay(1, { body: gatewayBody(1) })
    // The payer's wallet has sent the message; the recipient's block is not mined yet.
    await shop.chain.mineBlock(1)
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: {} })
    await shop.chain.mine()
    await shop.wait(HOUR_MS / 1000)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
  })

  it('reports payments that are too low and too high as mismatches, once', async () => {
    const orders = [orderOf('less', gatewayBody(1)), orderOf('more', gatewayBody(2))]
    const shop = await openPaidChain(orders)
    await shop.pay(1, { body: gatewayBody(1), value: 999_999_999n })
    await shop.pay(1, { body: gatewayBody(2), value: 1_000_000_001n })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { amount_mismatch: 2 } })
    expect(shop.events.toSorted()).toEqual([
      'onMismatch less underpaid',
      'onMismatch more overpaid',
    ])
    expect(await shop.look()).toMatchObject({ decisions: {} })
    expect(shop.events).toHaveLength(2)
  })

  it('S40 reports a second payment of an order, in the same trace or later', async () => {
    const orders = [orderOf('batch', gatewayBody(1)), orderOf('again', gatewayBody(2))]
    const shop = await openPaidChain(orders)
    await shop.pay(1, { body: gatewayBody(1) }, { body: gatewayBody(1) })
    await shop.pay(1, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 2, extra_payment: 1 } })
    await shop.wait(HOUR_MS / 1000)
    await shop.pay(2, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ openOrders: 0, decisions: { extra_payment: 1 } })
    expect(shop.events.toSorted()).toEqual([
      'onExtraPayment again',
      'onExtraPayment batch',
      'onPaid again chain',
      'onPaid batch chain',
    ])
  })

  it('S42 S43 S97 counts payments of expired orders as late, and finds payments of cancelled orders', async () => {
    const orders = [orderOf('expired', gatewayBody(1)), orderOf('cancelled', gatewayBody(2))]
    const shop = await openPaidChain(orders)
    shop.orders.expire({ reference: 'expired' })
    shop.orders.cancel({ reference: 'cancelled' })
    await shop.pay(1, { body: gatewayBody(1) })
    await shop.pay(1, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({
      decisions: { paid: 1, paid_after_cancel: 1 },
      late: 1,
      early: 0,
    })
    expect(shop.events.toSorted()).toEqual([
      'onExtraPayment cancelled',
      'onPaid expired chain late',
    ])
  })

  it('reports payments in another asset as mismatches', async () => {
    const shop = await openPaidChain([orderOf('order-1', comment('order-1'))])
    await shop.payJetton(1, 1_000_000_000n, 'order-1')
    await shop.payJetton(1, 5n, 'order-1')
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({
      decisions: { asset_mismatch: 1, amount_mismatch: 1 },
    })
    expect(shop.events).toContain('onMismatch order-1 asset')
  })

  it('S98 finds a payment that is older than its order by its body, and marks it early', async () => {
    const shop = await openPaidChain([])
    await shop.pay(1, { body: gatewayBody(1) })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: {} })
    const createdAt = new Date((BEGIN + 60) * 1000)
    shop.orders.add(orderOf('order-1', gatewayBody(1), { createdAt }))
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, early: 1, late: 0 })
    expect(shop.events).toEqual(['onPaid order-1 chain early'])
  })

  it('S84 finds a payment for an order older than 30 days by its comment', async () => {
    const createdAt = new Date((BEGIN - 40 * 86_400) * 1000)
    const order = { ...orderOf('old', comment('x'), { createdAt }), bodyBase64Hash: undefined }
    const shop = await openPaidChain([order])
    await shop.pay(1, { body: 'old' })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ openOrders: 0, decisions: { paid: 1 } })
  })
})
