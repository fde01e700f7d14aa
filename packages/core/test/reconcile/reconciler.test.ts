import { comment } from '@ton/core'
import type { Order } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { walletV4 } from '@tonplug/testing/simulator'
import { BEGIN, gatewayBody, openPaidChain, orderOf, recipient } from './paid-chain.js'

const HOUR_MS = 3_600_000

describe('a reconciler', () => {
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

    const report = await shop.reconcile()

    expect(report).toMatchObject({
      isComplete: true,
      openOrders: 10,
      found: { lost_webhook: 10 },
      decisions: { paid: 10 },
      unsettled: 0,
    })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(orders.map(() => 'completed'))
    expect(shop.events.filter((event) => event.startsWith('onPaid '))).toHaveLength(10)
    expect(new Set(shop.events).size).toBe(20)

    const again = await shop.reconcile()
    expect(again).toMatchObject({ isComplete: true, openOrders: 0, found: {}, decisions: {} })
    expect(shop.events).toHaveLength(20)
  })

  it('finds payments in a jetton by the body of the payer’s message', async () => {
    const shop = await openPaidChain([])
    const body = await shop.payJetton(1, 25_000n)
    shop.orders.add(orderOf('jetton-1', body, { rawAmount: 25_000n, asset: shop.jetton }))
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ decisions: { paid: 1 } })
    expect(shop.orders.all()[0]?.payment).toMatchObject({
      rawAmount: 25_000n,
      asset: shop.jetton,
      recipientAddr: recipient,
      foundBy: 'chain',
    })
  })

  it('finds payments by a comment', async () => {
    const order = { ...orderOf('order-1', comment('x')), bodyBase64Hash: undefined }
    const shop = await openPaidChain([order])
    await shop.pay(1, { body: 'order-1' })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ decisions: { paid: 1 } })
  })

  it('finds payments by their amount where the shop says that it may', async () => {
    const order = (reference: string, rawAmount: bigint): Order => ({
      ...orderOf(reference, comment('x'), { rawAmount }),
      bodyBase64Hash: undefined,
    })
    const orders = [order('one', 1_000_000_001n), order('two', 1_000_000_002n)]
    const alike = [order('alike-1', 5n * 10n ** 9n), order('alike-2', 5n * 10n ** 9n)]
    const reconciler = { matchBy: ['amount' as const] }
    const shop = await openPaidChain([...orders, ...alike], { reconciler })
    await shop.pay(1, { body: 'hello', value: 1_000_000_002n })
    await shop.pay(1, { body: 'hello', value: 5_000_000_000n })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ decisions: { paid: 1 }, ambiguous: 1 })
    const paid = shop.orders.all().filter(({ status }) => status === 'completed')
    expect(paid.map(({ reference }) => reference)).toEqual(['two'])
  })

  it('leaves alone what went to another wallet, or has the body of no order', async () => {
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
    await shop.pay(1, { body: gatewayBody(1), to: walletV4(77).wallet.address })
    await shop.pay(1, { body: gatewayBody(2) }, { body: 'order-2' }, { body: comment('') })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ openOrders: 1, found: {}, decisions: {} })
  })

  it('waits for payments that are not final, and does not pass them by', async () => {
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
    shop.chain.isHolding = true
    await shop.pay(1, { body: gatewayBody(1) })
    // The wallet has sent it, and the recipient's block does not have it yet.
    await shop.chain.mineBlock(1)
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ decisions: {} })
    await shop.chain.mine()
    await shop.wait(HOUR_MS / 1000)
    expect(await shop.reconcile()).toMatchObject({ decisions: { paid: 1 } })
  })
})

describe('what a reconciler finds', () => {
  it('is named when it is too little or too much', async () => {
    const orders = [orderOf('less', gatewayBody(1)), orderOf('more', gatewayBody(2))]
    const shop = await openPaidChain(orders)
    await shop.pay(1, { body: gatewayBody(1), value: 999_999_999n })
    await shop.pay(1, { body: gatewayBody(2), value: 1_000_000_001n })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ found: { underpaid: 1, overpaid: 1 } })
    expect(shop.events.toSorted()).toEqual([
      'onMismatched less',
      'onMismatched more',
      'onOverpaid more',
      'onUnderpaid less',
    ])
    // It is told once.
    expect(await shop.reconcile()).toMatchObject({ found: {} })
    expect(shop.events).toHaveLength(4)
  })

  it('S40 is named when an order is paid twice, in one trace or in two', async () => {
    const orders = [orderOf('batch', gatewayBody(1)), orderOf('again', gatewayBody(2))]
    const shop = await openPaidChain(orders)
    await shop.pay(1, { body: gatewayBody(1) }, { body: gatewayBody(1) })
    await shop.pay(1, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ found: { lost_webhook: 2, paid_twice: 1 } })
    // Long after the order was completed, and the run before.
    await shop.wait(HOUR_MS / 1000)
    await shop.pay(2, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ found: { paid_twice: 1 } })
    const twice = shop.events.filter((event) => event.startsWith('onPaidTwice'))
    expect(twice).toEqual(['onPaidTwice batch', 'onPaidTwice again'])
    expect(shop.events.filter((event) => event.startsWith('onPaid '))).toHaveLength(2)
  })

  it('S42 S43 is named when the order had expired or was cancelled', async () => {
    const orders = [orderOf('expired', gatewayBody(1)), orderOf('cancelled', gatewayBody(2))]
    const shop = await openPaidChain(orders)
    shop.orders.expire('expired')
    shop.orders.cancel('cancelled')
    await shop.pay(1, { body: gatewayBody(1) })
    await shop.pay(1, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({
      found: { paid_late: 2, lost_webhook: 1 },
      decisions: { paid: 1, paid_after_cancel: 1 },
    })
    expect(shop.events).toContain('onPaidLate cancelled')
    expect(shop.events).toContain('onPaidLate expired')
  })

  it('is named when the wallet got another asset', async () => {
    const shop = await openPaidChain([orderOf('order-1', comment('order-1'))])
    await shop.payJetton(1, 1_000_000_000n, 'order-1')
    await shop.payJetton(1, 5n, 'order-1')
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({
      found: { wrong_asset: 2 },
      decisions: { asset_mismatch: 1, amount_mismatch: 1 },
    })
    expect(shop.events).toContain('onWrongAsset order-1')
  })

  it('is named when the order was stored after its payment', async () => {
    const shop = await openPaidChain([])
    await shop.pay(1, { body: gatewayBody(1) })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ decisions: {} })
    shop.orders.add(
      orderOf('order-1', gatewayBody(1), { createdAt: new Date((BEGIN + 60) * 1000) }),
    )
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ found: { paid_early: 1, lost_webhook: 1 } })
    expect(shop.events).toContain('onPaidEarly order-1')
  })
})
