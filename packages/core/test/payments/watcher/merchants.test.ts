import { comment } from '@ton/core'
import { createPaymentWatcher, memoryInbox, type Order } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BEGIN, gatewayBody, openPaidChain, orderOf, recipient } from './paid-chain.js'

const northWallet = walletV4(95).wallet.address
const southWallet = walletV4(96).wallet.address
const north = { merchant: 'north', recipient: northWallet.toRawString() }
const south = { merchant: 'south', recipient: southWallet.toRawString() }

/** Returns an order that is paid by a comment. */
function commentOrder(reference: string, changes: Partial<Order>): Order {
  return { ...orderOf(reference, comment(reference), changes), bodyBase64Hash: undefined }
}

describe('a watcher of several merchants', () => {
  it('S41 completes each merchant’s order of one reference by the wallet that was paid', async () => {
    const shop = await openPaidChain([
      commentOrder('17', north),
      commentOrder('17', south),
      commentOrder('18', south),
    ])
    await shop.pay(1, { body: '17', to: southWallet })
    await shop.pay(2, { body: '18', to: southWallet })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 2 }, ambiguous: 0 })
    expect(
      shop.orders.all().map(({ merchant, reference, status }) => [merchant, reference, status]),
    ).toEqual([
      ['north', '17', 'pending'],
      ['south', '17', 'completed'],
      ['south', '18', 'completed'],
    ])
    expect(shop.decided.map(({ merchant }) => merchant)).toEqual(['south', 'south'])
    await shop.pay(3, { body: '17', to: northWallet })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    expect(shop.orders.all().every(({ status }) => status === 'completed')).toBe(true)
  })

  it('finds a payment for a cancelled order whose reference another merchant’s open order has', async () => {
    const shop = await openPaidChain([commentOrder('17', north), commentOrder('17', south)])
    shop.orders.cancel({ reference: '17', merchant: 'south' })
    // Its wallet is scanned because of another order.
    shop.orders.add(commentOrder('18', south))
    await shop.pay(1, { body: '17', to: southWallet })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid_after_cancel: 1 } })
    expect(shop.decided).toMatchObject([{ merchant: 'south' }])
  })

  it('assigns no payment to a wallet that two merchants share', async () => {
    const shop = await openPaidChain([
      commentOrder('17', { merchant: 'north' }),
      commentOrder('17', { merchant: 'south' }),
    ])
    await shop.pay(1, { body: '17' })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: {}, ambiguous: 1 })
    expect(shop.logger.lines).toContainEqual({
      level: 'warn',
      message: 'payment matches several orders and completes none',
      fields: {
        orders: [
          { reference: '17', merchant: 'north' },
          { reference: '17', merchant: 'south' },
        ],
      },
    })
  })

  it('assigns no payment to a wallet that two merchants share, when one order is too old to be listed', async () => {
    const shop = await openPaidChain([
      commentOrder('17', { merchant: 'north' }),
      commentOrder('17', {
        merchant: 'south',
        createdAt: new Date((BEGIN - 40 * 86_400) * 1000),
      }),
    ])
    await shop.pay(1, { body: '17' })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: {}, ambiguous: 1 })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['pending', 'pending'])
  })

  it('looks up orders of one reference and one time in turn', async () => {
    const merchants = ['north', 'south', 'west']
    const shop = await openPaidChain(
      merchants.map((merchant, number) => orderOf('17', gatewayBody(number), { merchant })),
    )
    for (const _ of merchants) await shop.look({ lookups: 1 })
    const lookUps = shop.v3Server.requests.filter(({ path }) => path === '/messages')
    const hashes = lookUps.map(({ query }) => query.get('body_hash'))
    expect([hashes.length, new Set(hashes).size]).toEqual([3, 3])
  })

  it('S65 reports money that fits orders of two merchants without a merchant, while one has another open order', async () => {
    const shop = await openPaidChain([
      commentOrder('17', { merchant: 'north' }),
      commentOrder('17', { merchant: 'south' }),
      commentOrder('18', { merchant: 'south' }),
    ])
    for (const merchant of ['north', 'south']) shop.orders.cancel({ reference: '17', merchant })
    await shop.pay(1, { body: '17' })
    await shop.wait(120)
    // The chain continues.
    await shop.pay(2, { body: '17', to: northWallet })
    expect((await shop.look()).ambiguous).toBe(1)
    expect(shop.decided).toMatchObject([{ merchant: '', decision: { kind: 'unknown_order' } }])
  })

  it('S65 reports money once that a killed process stored for another merchant', async () => {
    const clock = createFakeClock({ startMs: BEGIN * 1000 })
    const inbox = memoryInbox({ clock })
    let isKilled = false
    const reports: typeof inbox.reports = {
      ...inbox.reports,
      decide: async (...record) => {
        if (isKilled) throw new Error('killed')
        return inbox.reports.decide(...record)
      },
    }
    const shop = await openPaidChain([commentOrder('17', { merchant: 'south' })], {
      payments: { inbox: { ...inbox, reports } },
    })
    await shop.pay(1, { body: 'nobody' })
    await shop.wait(120)
    // The chain continues.
    await shop.pay(2, { body: 'nobody', to: northWallet })
    isKilled = true
    await shop.look()
    isKilled = false
    const restart = async (): Promise<void> => {
      const watcher = createPaymentWatcher({ payments: shop.payments, v3: shop.v3 })
      onTestFinished(() => watcher.close())
      await watcher.run()
    }
    shop.orders.add(commentOrder('18', { merchant: 'north' }))
    await restart()
    expect(shop.decided).toMatchObject([{ merchant: '', decision: { kind: 'duplicate' } }])
    shop.orders.cancel({ reference: '18', merchant: 'north' })
    await restart()
    await restart()
    const told = shop.decided.filter(({ decision }) => decision.kind === 'unknown_order')
    expect(told).toMatchObject([{ merchant: 'south' }])
  })

  it('completes no second merchant’s order with a payment that has completed an order', async () => {
    const body = gatewayBody(1)
    const shop = await openPaidChain([orderOf('17', body, { merchant: 'north' })])
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    shop.orders.add(orderOf('17', body, { merchant: 'south' }))
    const other = await shop.restart()
    expect(await other.run()).toMatchObject({ decisions: {}, ambiguous: 1 })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['completed', 'pending'])
  })

  it('completes the order of a second merchant whose wallet is paid by the same trace', async () => {
    const shop = await openPaidChain([commentOrder('17', north)])
    await shop.pay(1, { body: '17', to: northWallet }, { body: '17', to: southWallet })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    shop.orders.add(commentOrder('17', south))
    const other = await shop.restart()
    expect(await other.run()).toMatchObject({ decisions: { paid: 1 }, ambiguous: 0 })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['completed', 'completed'])
  })

  it('does not assign a payment by amount when its comment names an order of that merchant', async () => {
    const watcher = { matchBy: ['comment' as const, 'amount' as const] }
    const order = commentOrder('21', { rawAmount: 7n * 10n ** 9n })
    const shop = await openPaidChain([commentOrder('17', north), order], { watcher })
    // An order of another merchant has this reference.
    await shop.pay(1, { body: '17', value: 7n * 10n ** 9n })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    expect(shop.orders.all()[1]).toMatchObject({ reference: '21', status: 'completed' })
    shop.orders.add(commentOrder('22', { rawAmount: 3n }))
    shop.orders.add(commentOrder('23', { ...north, merchant: '' }))
    await shop.pay(1, { body: '23', value: 3n, to: northWallet })
    await shop.pay(1, { body: '23', value: 3n })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { amount_mismatch: 1 }, ambiguous: 0 })
    expect(shop.orders.all()[2]).toMatchObject({ reference: '22', status: 'pending' })
    expect(recipient).not.toBe(north.recipient)
  })
})

describe('the claims of found payments', () => {
  it('S41 leave an order unverified whose payment has completed another order of the merchant', async () => {
    const body = gatewayBody(1)
    const shop = await openPaidChain([orderOf('first', body)])
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    shop.orders.add(orderOf('second', body))
    const other = await shop.restart()
    expect(await other.run()).toMatchObject({ decisions: { unverified: 1 }, ambiguous: 0 })
    await shop.clock.advance(0)
    expect(shop.decided.at(-1)).toMatchObject({
      decision: { kind: 'unverified', reference: 'second', reason: 'reused' },
    })
    expect(shop.events).toContain('onUnverified second')
  })

  it('contain each message that credited the wallet and each transaction of this payment alone', async () => {
    const orders = [orderOf('one', gatewayBody(1)), orderOf('two', gatewayBody(2))]
    const shop = await openPaidChain(orders)
    await shop.pay(1, { body: gatewayBody(1) }, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 2 } })
    const [wallet = '', ...credited] = shop.chain.transactions
      .slice(-3)
      .map(({ transaction }) => transaction.hash().toString('hex'))
    for (const { reportId, decision } of shop.decided) {
      const report = await shop.inbox.reports.find(reportId)
      expect(credited).toContain(decision.txHash)
      expect(report?.payments).toHaveLength(2)
      expect(report?.payments).toContain(`tx:${decision.txHash}`)
      expect(report?.payments).not.toContain(`tx:${wallet}`)
    }
  })

  it('contain the payer’s transaction when it made one payment', async () => {
    const shop = await openPaidChain([orderOf('one', gatewayBody(1))])
    await shop.pay(1, { body: gatewayBody(1) })
    await shop.wait(120)
    await shop.look()
    const hashes = shop.chain.transactions
      .slice(-2)
      .map(({ transaction }) => `tx:${transaction.hash().toString('hex')}`)
    const report = await shop.inbox.reports.find(shop.decided[0]?.reportId ?? '')
    expect(report?.payments).toEqual([expect.any(String), ...hashes.toSorted()])
  })
})
