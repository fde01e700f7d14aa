import {
  canonicalAddress,
  createPayments,
  createPaymentWatcher,
  memoryOrderRepository,
} from '@tonplug/core'
import type { Fetch } from '@tonplug/core/toncenter'
import { describe, expect, it, onTestFinished } from 'vitest'
import { payWithForgedJetton } from '../proof/forged-jetton.js'
import { createPayer } from '../proof/payer.js'
import { gatewayBody, openPaidChain, orderOf, recipient, type PaidChain } from './paid-chain.js'

/** A shop whose order is paid with a forged jetton that the index attributes to the genuine master. */
async function openForged(changes: { asset?: 'TON' } = {}) {
  let fetchIndex: Fetch = fetch
  const shop = await openPaidChain([], { fetch: (url, init) => fetchIndex(url, init) })
  const admin = await createPayer(shop.chain, 82)
  const { genuine, paid, attribute } = await payWithForgedJetton(shop.chain, admin)
  fetchIndex = attribute(fetch)
  const asset = changes.asset ?? genuine.master
  const { bodyBase64Hash } = paid
  const rawAmount = BigInt(paid.rawAmount)
  shop.orders.add(orderOf('order-1', gatewayBody(1), { rawAmount, asset, bodyBase64Hash }))
  await shop.wait(120)
  return { shop, genuine, admin, paid }
}

function getMethods({ v3Server }: PaidChain): number {
  return v3Server.requests.filter(({ path }) => path === '/runGetMethod').length
}

describe('jetton wallets of payments that a watcher finds', () => {
  it('S93 do not pay an order when they are fake and the index attributes them to the genuine master', async () => {
    const { shop } = await openForged()
    expect(await shop.look()).toMatchObject({
      isComplete: true,
      decisions: {},
      unsettled: 0,
    })
    expect(shop.orders.all()[0]?.status).toBe('pending')
    expect(shop.events).toEqual([])
    expect(shop.logger.lines).toContainEqual({
      level: 'warn',
      message: 'payment ignored: jetton master and jetton wallet do not name each other',
      fields: expect.objectContaining({ reference: 'order-1' }),
    })
  })

  it('S93 are not reported as another asset when they are fake', async () => {
    const { shop } = await openForged({ asset: 'TON' })
    expect(await shop.look()).toMatchObject({ decisions: {}, unsettled: 0 })
    expect(shop.events).toEqual([])
  })

  it('pay an order that the index attributes to no jetton, when the master confirms them', async () => {
    const shop = await openPaidChain([])
    shop.v3Server.indexesJettons = false
    const body = await shop.payJetton(1, 25_000n)
    shop.orders.add(orderOf('jetton-1', body, { rawAmount: 25_000n, asset: shop.jetton }))
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, unsettled: 0 })
  })

  it('S93 bring no money by a transfer of no jettons that names an order', async () => {
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
    await shop.payJetton(1, 0n, 'order-1')
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ isComplete: true, decisions: {}, unsettled: 0 })
    expect(shop.events).toEqual([])
    const credits = await shop.inbox.credits.listOf({
      reference: 'order-1',
      name: 'default',
      merchant: '',
    })
    expect(credits).toEqual([])
  })

  it('S93 stay unsettled while the jetton master cannot be asked', async () => {
    const shop = await openPaidChain([])
    const body = await shop.payJetton(1, 25_000n)
    shop.orders.add(orderOf('jetton-1', body, { rawAmount: 25_000n, asset: shop.jetton }))
    await shop.wait(120)
    shop.v3Server.fault = ({ path }) =>
      path === '/runGetMethod' ? { status: 403, body: '{"error":"no"}' } : undefined
    expect(await shop.look()).toMatchObject({
      isComplete: true,
      decisions: {},
      unsettled: 1,
    })
    shop.v3Server.fault = undefined
    await shop.wait(3600)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, unsettled: 0 })
  })

  it('cost two requests for each jetton and recipient, and none when they name no order', async () => {
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
    await shop.payJetton(1, 5n, 'other')
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: {} })
    // The first run asks what kind of contract the shop's wallet is.
    const before = getMethods(shop)
    expect(before).toBe(1)
    for (const reference of ['order-2', 'order-3']) {
      const order = orderOf(reference, gatewayBody(2), { rawAmount: 5n, asset: shop.jetton })
      shop.orders.add({ ...order, bodyBase64Hash: undefined })
      await shop.payJetton(1, 5n, reference)
      await shop.wait(120)
      expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    }
    expect(getMethods(shop) - before).toBe(2)
  })
})

describe('a wallet of Payments that is a jetton wallet', () => {
  it('stops the runs of the watcher, with the reason in its report, its health and the log', async () => {
    const shop = await openPaidChain([])
    const { v3, clock, inbox, logger } = shop
    await shop.payJetton(1, 5n)
    const { jetton_wallets: found } = await v3.jettonWallets({ owner_address: [recipient] })
    const wallet = canonicalAddress(found[0]?.address ?? '')
    const orders = memoryOrderRepository([orderOf('order-1', gatewayBody(1))])
    const payments = createPayments({
      name: 'other',
      orders,
      inbox,
      wallets: [wallet],
      clock,
      logger,
    })
    const watcher = createPaymentWatcher({ payments, v3 })
    onTestFinished(async () => {
      await watcher.close()
      await payments.close()
    })
    const problem = `wallets: must be the wallet of a person or a merchant; ${wallet} is the jetton wallet of ${recipient}. Pass the address of its owner`
    expect(await watcher.run()).toMatchObject({ isComplete: false, problem, openOrders: 0 })
    watcher.start()
    expect(await watcher.health()).toMatchObject({ status: 'down', message: problem })
    expect(logger.lines).toContainEqual({
      level: 'error',
      message: 'watcher does not run: a wallet cannot be paid',
      fields: { problem },
    })
  })
})
