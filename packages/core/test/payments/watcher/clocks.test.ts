import { comment, type Address } from '@ton/core'
import type { Order } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { describe, expect, it } from 'vitest'
import { walletV4 } from '@tonplug/simulator'
import { BEGIN, openPaidChain, orderOf, type PaidChainOptions } from './paid-chain.js'

const VALUE = 1_000_000_007n
const RANDOM = '8h2kq9w0t7m4x1c6v3n5r8p2gz'

/** Opens a shop whose clock is ahead of the chain, with blocks that appear between its looks. */
async function openAhead(aheadSeconds: number, options: PaidChainOptions = {}) {
  const shop = await openPaidChain([], { watcher: { matchBy: ['comment'] }, ...options })
  await shop.clock.advance(aheadSeconds * 1000)
  const look = async (seconds = 20) => {
    await shop.wait(seconds)
    await shop.chain.fund(shop.chain.transactions.length % 2 === 0 ? other : another, 1n)
    return shop.look()
  }
  return { ...shop, look, now: () => new Date(shop.clock.nowMs()) }
}

const [other, another] = [81, 82].map((seed) => walletV4(seed).wallet.address) as [Address, Address]

function orderNamed(reference: string, changes: Partial<Order> = {}): Order {
  return orderOf(reference, comment(reference), {
    rawAmount: VALUE,
    bodyBase64Hash: undefined,
    ...changes,
  })
}

describe('a clock that is ahead of the chain', () => {
  it.each([90, 1200])('S110 keeps no order from being paid at %i s', async (seconds) => {
    const shop = await openAhead(seconds)
    await shop.look()
    await shop.look()
    for (const reference of [RANDOM, 'order 17']) {
      shop.orders.add(orderNamed(reference, { createdAt: shop.now() }))
      await shop.pay(1, { body: comment(reference), value: VALUE })
      expect((await shop.look()).decisions).toEqual({ paid: 1 })
    }
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: expect.stringContaining('clock differs from the newest block'),
      }),
    )
    shop.watcher.start()
    const health = await shop.watcher.health()
    expect(health).toMatchObject({ status: 'degraded', message: expect.stringMatching(/ahead of/) })
    expect(health.clockAheadMs).toBeGreaterThan(seconds * 1000 - 60_000)
  })

  it('S110 is reported until it agrees again', async () => {
    const shop = await openAhead(90)
    await shop.look()
    await shop.look()
    shop.chain.now += 90
    await shop.look()
    expect(shop.logger.lines.map(({ message }) => message)).toContain(
      'clock agrees with the newest block again',
    )
    shop.watcher.start()
    expect(await shop.watcher.health()).toMatchObject({ status: 'up' })
  })

  it('S110 is not assumed while no block appears', async () => {
    const shop = await openPaidChain([])
    await shop.pay(1, { body: comment('x'), value: 1n })
    for (let look = 0; look < 3; look++) {
      await shop.wait(3600)
      await shop.look()
    }
    expect(shop.logger.lines.filter(({ message }) => message.includes('clock'))).toEqual([])
  })

  it('S110 is reported when it is behind, too', async () => {
    const shop = await openAhead(0)
    shop.chain.now += 600
    await shop.look()
    shop.watcher.start()
    expect(await shop.watcher.health()).toMatchObject({
      status: 'degraded',
      message: expect.stringContaining('behind the newest block'),
    })
  })
})

describe('an order that was created later than its payment', () => {
  it('S110 is named, and is paid once its time is corrected and the payment decided again', async () => {
    const shop = await openAhead(0)
    const late = { createdAt: new Date(shop.clock.nowMs() + 3 * 3_600_000) }
    shop.orders.add(orderNamed('order 17', late))
    await shop.pay(1, { body: comment('order 17'), value: VALUE })
    expect((await shop.look(120)).decisions).toEqual({ unverified: 1 })
    await shop.clock.advance(0)
    expect(shop.events).toEqual(['onUnverified order 17'])
    const [listed] = await createOperator({ payments: shop.payments }).list()
    expect(listed).toMatchObject({
      action: 'check',
      reference: 'order 17',
      decision: {
        reason: 'older',
        detail: expect.stringContaining('older than its order "order 17"'),
      },
    })
    shop.watcher.start()
    expect(await shop.watcher.health()).toMatchObject({
      status: 'degraded',
      message: expect.stringContaining('in the future'),
    })
    shop.orders.replace(orderNamed('order 17', { createdAt: new Date(BEGIN * 1000) }))
    await createOperator({ payments: shop.payments }).reprocess(
      { reportId: listed!.reportId },
      { by: 'ann' },
    )
    await shop.wait(5)
    expect(shop.events).toContain('onPaid order 17 chain')
  })

  it('S110 is paid by its random reference', async () => {
    const shop = await openAhead(0)
    const late = { createdAt: new Date(shop.clock.nowMs() + 3 * 3_600_000) }
    shop.orders.add(orderNamed(RANDOM, late))
    await shop.pay(1, { body: comment(RANDOM), value: VALUE })
    expect((await shop.look(120)).decisions).toEqual({ paid: 1 })
  })

  it.each(['01jgz3k8v9xq2w7t5m4n6p8r0s', '92026112623595900000000017'])(
    'S110 is not paid by the reference %s of the shop',
    async (reference) => {
      const shop = await openAhead(0)
      const late = { createdAt: new Date(shop.clock.nowMs() + 3 * 3_600_000) }
      shop.orders.add(orderNamed(reference, late))
      await shop.pay(1, { body: comment(reference), value: VALUE })
      expect((await shop.look(120)).decisions).toEqual({ unverified: 1 })
    },
  )
})
