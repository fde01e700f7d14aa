import { createPaymentWatcher, type Clock, type WatcherCursor } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const LEASE_SECONDS = 120

/** Creates cursors of several servers that share one lease and one position. */
function sharedCursors(clock: () => Clock) {
  let position: string | undefined
  let lease: { holder: string; endMs: number } | undefined
  return (holder: string): WatcherCursor => ({
    load: async () => position,
    save: async (text) => void (position = text),
    acquire: async (leaseMs) => {
      const nowMs = clock().nowMs()
      if (lease !== undefined && lease.holder !== holder && lease.endMs > nowMs) return false
      lease = { holder, endMs: nowMs + leaseMs }
      return true
    },
    release: async () => {
      if (lease?.holder === holder) lease = undefined
    },
  })
}

/** Opens a shop with the watchers of two servers. */
async function openTwo() {
  const cursors = sharedCursors(() => shop.clock)
  const watcher = { cursor: cursors('first') }
  const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))], { watcher })
  const { payments, v3 } = shop
  const second = createPaymentWatcher({ payments, v3, cursor: cursors('second') })
  onTestFinished(() => second.close())
  await shop.wait(60)
  return { shop, first: shop.watcher, second, cursors }
}

describe('the lease of a watcher', () => {
  it('lets one of two servers run, and the other one after close', async () => {
    const { shop, first, second } = await openTwo()
    first.start()
    await shop.wait(0)
    second.start()
    await shop.wait(0)
    await expect.poll(() => first.stats().lastRun?.isComplete).toBe(true)
    for (let minute = 0; minute < 3; minute++) await shop.wait(60)
    expect(second.stats().lastRun).toBeUndefined()
    const { lastRun } = first.stats()
    expect(lastRun?.startedAtMs).toBeGreaterThan(shop.clock.nowMs() - 120_000)

    await first.close()
    await shop.wait(60)
    await expect.poll(() => second.stats().lastRun?.isComplete).toBe(true)
  })

  it('expires, so that another server takes over after its holder was killed', async () => {
    const { shop, second, cursors } = await openTwo()
    // This server is killed while it holds the lease.
    await cursors('killed').acquire(LEASE_SECONDS * 1000)
    await shop.pay(1, { body: gatewayBody(1) })
    second.start()
    await shop.wait(60)
    expect(second.stats().lastRun).toBeUndefined()
    await shop.wait(60)
    await expect.poll(() => second.stats().lastRun?.decisions).toEqual({ paid: 1 })
  })

  it('is longer than a run and the delay until the next one', async () => {
    const { shop, first } = await openTwo()
    const leases: number[] = []
    const cursor: WatcherCursor = {
      load: async () => undefined,
      save: async () => undefined,
      acquire: async (leaseMs) => {
        leases.push(leaseMs)
        return false
      },
      release: async () => undefined,
    }
    const { payments, v3 } = shop
    const watcher = createPaymentWatcher({ payments, v3, cursor, maxEveryMs: 7000, maxRunMs: 9000 })
    watcher.start()
    await shop.wait(0)
    expect(leases).toEqual([26_000])
    await watcher.close()
    await first.close()
  })

  it('is not needed for a run by hand', async () => {
    const { shop, first, cursors } = await openTwo()
    await cursors('other').acquire(LEASE_SECONDS * 1000)
    await shop.pay(1, { body: gatewayBody(1) })
    expect(await first.run()).toMatchObject({ isComplete: true, decisions: { paid: 1 } })
  })

  it('does not make a server unhealthy that leaves the runs to its holder', async () => {
    const { shop, second, cursors } = await openTwo()
    second.start()
    for (let minute = 0; minute < 10; minute++) {
      await cursors('other').acquire(LEASE_SECONDS * 1000)
      await shop.wait(60)
    }
    expect(second.stats().lastRun).toBeUndefined()
    expect(await second.health({ maxIncompleteMs: 120_000 })).toMatchObject({ status: 'up' })
  })

  it('does not prevent close when it cannot be released', async () => {
    const { shop } = await openTwo()
    const cursor: WatcherCursor = {
      load: async () => undefined,
      save: async () => undefined,
      acquire: async () => Promise.reject(new Error('the database is down')),
      release: async () => Promise.reject(new Error('the database is down')),
    }
    const { payments, v3 } = shop
    const watcher = createPaymentWatcher({ payments, v3, cursor })
    watcher.start()
    await shop.wait(0)
    await watcher.close()
    expect(shop.logger.lines.map(({ level, message }) => `${level} ${message}`)).toEqual(
      expect.arrayContaining([
        'warn watcher cursor not reachable',
        'warn watcher lease not released; it expires',
      ]),
    )
  })
})

describe('lookNow', () => {
  it('runs once for concurrent calls of a watcher that is not started', async () => {
    const { shop, first, cursors } = await openTwo()
    await cursors('other').acquire(LEASE_SECONDS * 1000)
    await shop.pay(1, { body: gatewayBody(1) })
    const requests = (): number =>
      shop.v3Server.requests.filter(({ path }) => path === '/masterchainInfo').length
    await Promise.all([first.lookNow(), first.lookNow()])
    expect(first.stats()).toMatchObject({ lastRun: { isComplete: true }, decisions: { paid: 1 } })
    expect(requests()).toBe(1)
  })

  it('runs again when it is called during a run', async () => {
    const { shop, first } = await openTwo()
    const requests = (): number =>
      shop.v3Server.requests.filter(({ path }) => path === '/masterchainInfo').length
    const earlier = first.lookNow()
    await expect.poll(requests).toBe(1)
    const later = first.lookNow()
    await earlier
    await later
    expect(requests()).toBe(2)
  })

  it('begins a run of a started watcher before it is due', async () => {
    const { shop, first } = await openTwo()
    first.start()
    await shop.wait(0)
    await expect.poll(() => first.stats().lastRun?.isComplete).toBe(true)
    await shop.wait(10)
    await shop.pay(1, { body: gatewayBody(1) })
    const look = first.lookNow()
    await shop.wait(0)
    await look
    expect(first.stats()).toMatchObject({
      lastRun: { startedAtMs: shop.clock.nowMs() },
      decisions: { paid: 1 },
    })
  })

  it('resolves without a run when another server holds the lease or the watcher is closed', async () => {
    const { shop, second, cursors } = await openTwo()
    await cursors('other').acquire(LEASE_SECONDS * 1000)
    second.start()
    await shop.wait(0)
    const look = second.lookNow()
    await shop.wait(0)
    await look
    await second.close()
    await second.lookNow()
    expect(second.stats().lastRun).toBeUndefined()
  })
})
