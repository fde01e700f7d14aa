import { comment } from '@ton/core'
import { memoryOrderRepository, type Order, type OrderRepository } from '@tonplug/core'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { startMockIndex } from './mock-index.js'
import { openWatcher } from './open-watcher.js'
import { BEGIN, gatewayBody, openPaidChain, orderOf, type PaidChain } from './paid-chain.js'

const DAY_SECONDS = 86_400

/** Moves the clock in steps. Each leaves the watcher time for its requests. */
async function waitInSteps(shop: PaidChain, seconds: number, stepSeconds = 0.5): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSeconds) {
    await shop.wait(stepSeconds)
    await shop.quiet()
  }
}

function looks({ v3Server }: PaidChain): number {
  return v3Server.requests.filter(({ path }) => path === '/masterchainInfo').length
}

function createdNow(shop: PaidChain): { createdAt: Date } {
  return { createdAt: new Date(shop.clock.nowMs()) }
}

describe('the schedule of a watcher', () => {
  it('looks for a new order every 1.5 seconds, and for old orders every minute', async () => {
    const shop = await openPaidChain([orderOf('old', gatewayBody(1))])
    await shop.wait(DAY_SECONDS)
    shop.watcher.start()
    await waitInSteps(shop, 300)
    expect(looks(shop)).toBeLessThanOrEqual(6)

    shop.orders.add(orderOf('new', gatewayBody(2), createdNow(shop)))
    const before = looks(shop)
    await waitInSteps(shop, 90)
    expect(looks(shop) - before).toBeGreaterThanOrEqual(40)
    // The time between two looks grows with the age of the order.
    await waitInSteps(shop, 1800, 5)
    const later = looks(shop)
    await waitInSteps(shop, 120)
    expect(looks(shop) - later).toBeLessThanOrEqual(5)
  })

  it('is that of one watcher when it is started twice, and ends with its close', async () => {
    const shop = await openPaidChain([orderOf('old', gatewayBody(1))], {
      wrapOrders(orders) {
        const own: OrderRepository<Order> = { ...orders }
        delete own.findByReferences
        return own
      },
    })
    await shop.wait(DAY_SECONDS)
    for (const _ of [1, 2]) shop.watcher.start()
    await waitInSteps(shop, 120)
    const before = looks(shop)
    expect(before).toBeLessThanOrEqual(4)
    await shop.watcher.close()
    shop.watcher.start()
    await waitInSteps(shop, 120)
    expect(looks(shop)).toBe(before)
    const warnings = shop.logger.lines.filter(({ message }) => message.includes('is missing'))
    expect(warnings).toHaveLength(1)
  })

  it('S89 completes an order within seconds that was created between two looks', async () => {
    const shop = await openPaidChain([])
    await shop.wait(DAY_SECONDS)
    shop.watcher.start()
    await waitInSteps(shop, 10)
    const order = orderOf('new', comment('new'), createdNow(shop))
    shop.orders.add(order)
    await shop.pay(1, { body: 'new' })
    await waitInSteps(shop, 4)
    expect(shop.events).toEqual(['onPaid new chain'])
  })

  it('S95 reads transfers of jettons that pay no order once between thorough looks', async () => {
    const index = await startMockIndex(3, 1, { isJetton: true })
    index.head = BEGIN + 70
    const createdAt = new Date(index.head * 1000)
    const orders = memoryOrderRepository([orderOf('new', gatewayBody(1), { createdAt })])
    const { watcher, clock } = openWatcher(index, orders, { maxIntervalMs: 3_600_000 })
    const count = (wanted: string) => index.requests.filter(({ path }) => path === wanted).length
    watcher.start()
    while (count('/jetton/transfers') < 11) {
      // The timer of the next look is set when a look has ended, however long that takes.
      await clock.waitForTimer(({ delayMs }) => delayMs <= 1500)
      await clock.advance(1500)
    }
    expect(count('/traces')).toBe(1)
  })

  it('stays thorough until a look is complete', async () => {
    const shop = await openPaidChain([])
    shop.orders.add(orderOf('new', gatewayBody(1), createdNow(shop)))
    await shop.pay(1, { body: gatewayBody(1) })
    const { v3Server } = shop
    v3Server.fault = ({ path }) =>
      path === '/transactions' ? { status: 401, body: '{"error":"no access"}' } : undefined
    shop.watcher.start()
    await waitInSteps(shop, 4)
    expect(shop.watcher.stats().lastRun).toMatchObject({ isComplete: false })
    // It is repeated after five seconds.
    expect(looks(shop)).toBe(1)
    v3Server.fault = undefined
    await waitInSteps(shop, 8)
    expect(shop.events).toEqual(['onPaid new chain'])
    // The period of every scan is short: none begins before the order.
    const starts = v3Server.requests.flatMap(({ query }) => query.get('start_utime') ?? [])
    expect(Math.min(...starts.map(Number))).toBeGreaterThan(BEGIN - 1200)
  })

  it('looks no more often than minIntervalMs', async () => {
    const shop = await openPaidChain([], { watcher: { minIntervalMs: 30_000 } })
    shop.watcher.start()
    await waitInSteps(shop, 1)
    shop.orders.add(orderOf('new', gatewayBody(1), createdNow(shop)))
    await waitInSteps(shop, 120)
    expect(looks(shop)).toBeGreaterThanOrEqual(4)
    expect(looks(shop)).toBeLessThanOrEqual(5)
  })

  it('rejects a shortest time above the longest one', async () => {
    await expect(openPaidChain([], { watcher: { minIntervalMs: 90_000 } })).rejects.toThrow(
      'minIntervalMs: must be at most maxIntervalMs, which is 60000; received 90000',
    )
  })

  it('reads 50 wallets by one request for each kind of transfer', async () => {
    const index = await startMockIndex(0, 1)
    index.head = BEGIN + 70
    const wallets = Array.from({ length: 99 }, (_, number) => `0:${`${number}`.padStart(64, '0')}`)
    const orders = wallets.map((recipient) =>
      orderOf(recipient, gatewayBody(1), { recipient, createdAt: new Date(index.head * 1000) }),
    )
    const options = { matchBy: ['comment'] as const, maxIntervalMs: 3_600_000 }
    const { watcher, clock } = openWatcher(index, memoryOrderRepository(orders), options)
    watcher.start()
    const requests = () => index.requests.map(({ path }) => path).join(' ')
    await expect
      .poll(async () => {
        await clock.advance(500)
        return requests().split('/masterchainInfo ')
      })
      .toContain('/transactions /jetton/transfers /transactions /jetton/transfers ')
  })

  it.each([1, 1000])(
    'finds a payment with at most six requests per look among %i open orders',
    async (count) => {
      const shop = await openPaidChain([])
      await shop.wait(DAY_SECONDS)
      // The chain has blocks of today.
      await shop.chain.fund(walletV4(9).wallet.address, 1n)
      for (let number = 0; number < count; number++) {
        shop.orders.add(orderOf(`order-${number}`, gatewayBody(number), createdNow(shop)))
      }
      shop.watcher.start()
      await waitInSteps(shop, 70)
      await shop.pay(1, { body: gatewayBody(0) })
      await waitInSteps(shop, 20)
      expect(shop.events).toEqual(['onPaid order-0 chain'])
      const requests = shop.v3Server.requests.map(({ path }) => path)
      const perLook = requests.join(' ').split('/masterchainInfo').slice(1)
      const most = Math.max(...perLook.map((look) => 1 + look.split('/').length - 1))
      expect(most).toBeLessThanOrEqual(6)
    },
  )
})
