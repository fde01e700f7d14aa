import { createPaymentWatcher, type Clock, type CursorStore } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const LEASE_SECONDS = 120

/** Creates cursors of several servers that share one lease and one position. Each server can save at any time. */
function sharedCursors(clock: () => Clock) {
  let position: string | undefined
  let lease: { holder: string; endMs: number } | undefined
  const savedBy: string[] = []
  const cursorOf = (holder: string): CursorStore => ({
    load: async () => position,
    save: async (text) => {
      position = text
      savedBy.push(holder)
    },
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
  return Object.assign(cursorOf, { savedBy, takeAway: () => (lease = undefined) })
}

/** Makes the runs of a server wait for `open`, as an index that does not respond would. */
function holdRuns() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  const hold = (cursor: CursorStore): CursorStore => ({
    ...cursor,
    load: () => opened.then(() => cursor.load()),
  })
  return { hold, open: () => open() }
}

/** Opens a shop with the watchers of two servers. */
async function openTwo(change: (cursor: CursorStore) => CursorStore = (cursor) => cursor) {
  const cursors = sharedCursors(() => shop.clock)
  const watcher = { cursor: change(cursors('first')) }
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

  it('S112 lets another server find payments within 20 s after its holder was killed', async () => {
    let isKilled = false
    // A killed process renews and releases nothing.
    const { shop, first, second } = await openTwo((cursor) => ({
      ...cursor,
      acquire: async (leaseMs) => !isKilled && cursor.acquire(leaseMs),
      release: async () => undefined,
    }))
    first.start()
    await shop.wait(1)
    second.start()
    for (let part = 0; part < 30; part++) await shop.wait(4)
    await expect.poll(() => first.stats().lastRun?.isComplete).toBe(true)
    expect(second.stats().lastRun).toBeUndefined()
    isKilled = true
    await shop.pay(1, { body: gatewayBody(1) })
    for (let part = 0; part < 19; part++) await shop.wait(1)
    await expect.poll(() => second.stats().decisions).toEqual({ paid: 1 })
  })

  it('S112 is kept by a run that takes longer than the lease', async () => {
    const { hold, open } = holdRuns()
    const { shop, first, second } = await openTwo(hold)
    first.start()
    await shop.wait(0)
    second.start()
    for (let part = 0; part < 11; part++) await shop.wait(4)
    expect(second.stats().lastRun).toBeUndefined()
    open()
    await expect.poll(() => first.stats().lastRun?.isComplete).toBe(true)
  })

  it('S112 ends the run of a server that has lost it, which saves no progress', async () => {
    const { hold, open } = holdRuns()
    const { shop, first, second, cursors } = await openTwo(hold)
    first.start()
    await shop.wait(0)
    // As after a long pause of its process.
    cursors.takeAway()
    second.start()
    await shop.wait(5)
    await expect.poll(() => second.stats().lastRun?.isComplete).toBe(true)
    open()
    await expect.poll(() => first.stats().lastRun?.problem).toBe('aborted')
    expect(new Set(cursors.savedBy)).toEqual(new Set(['second']))
    expect(shop.logger.lines.map(({ message }) => message)).toContain(
      'watcher lease lost; another server watches',
    )
    await second.close()
    await shop.wait(4)
    await expect.poll(() => first.stats().lastRun?.isComplete).toBe(true)
  })

  it('S112 is acquired within 3 s after the clean close of its holder', async () => {
    const { shop, first, second } = await openTwo()
    first.start()
    await shop.wait(0)
    second.start()
    await shop.wait(1)
    await expect.poll(() => first.stats().lastRun?.isComplete).toBe(true)
    await first.close()
    await shop.wait(3)
    await expect.poll(() => second.stats().lastRun?.isComplete).toBe(true)
  })

  it('is renewed 3 s after a run has renewed it, and not before', async () => {
    const { shop, cursors } = await openTwo()
    const acquiredAtMs: number[] = []
    const runAtMs = new Set<number>()
    const cursor = cursors('third')
    const counting: CursorStore = {
      ...cursor,
      load() {
        runAtMs.add(shop.clock.nowMs())
        return cursor.load()
      },
      acquire(leaseMs) {
        acquiredAtMs.push(shop.clock.nowMs())
        return cursor.acquire(leaseMs)
      },
    }
    const { payments, v3 } = shop
    const third = createPaymentWatcher({ payments, v3, cursor: counting, minIntervalMs: 20_000 })
    onTestFinished(() => third.close())
    third.start()
    for (let second = 0; second <= 100; second++) {
      // A run that begins now must end before the time moves.
      await shop.wait(second === 0 ? 0 : 1)
      await shop.quiet()
    }
    const renewedAtMs = acquiredAtMs.filter((atMs) => !runAtMs.has(atMs))
    const lastBefore = (endMs: number): number =>
      Math.max(...acquiredAtMs.filter((atMs) => atMs < endMs))
    expect(runAtMs.size).toBeGreaterThan(1)
    expect(renewedAtMs.length).toBeGreaterThan(20)
    expect(renewedAtMs.filter((atMs) => atMs - lastBefore(atMs) !== 3000)).toEqual([])
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
    const cursor: CursorStore = {
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

describe('the cursor of a watcher', () => {
  it('is saved once by a run that finds nothing new but time', async () => {
    const saved: string[] = []
    const { shop, first } = await openTwo((cursor) => ({
      ...cursor,
      save(text) {
        saved.push(text)
        return cursor.save(text)
      },
    }))
    await first.run()
    await shop.wait(60)
    await first.run()
    saved.length = 0
    await shop.wait(60)
    expect((await first.run()).isComplete).toBe(true)
    expect(saved).toHaveLength(1)
  })
})

describe('checkNow', () => {
  it('runs once for concurrent calls of a watcher that is not started', async () => {
    const { shop, first, cursors } = await openTwo()
    await cursors('other').acquire(LEASE_SECONDS * 1000)
    await shop.pay(1, { body: gatewayBody(1) })
    const requests = (): number =>
      shop.v3Server.requests.filter(({ path }) => path === '/masterchainInfo').length
    await Promise.all([first.checkNow(), first.checkNow()])
    expect(first.stats()).toMatchObject({ lastRun: { isComplete: true }, decisions: { paid: 1 } })
    expect(requests()).toBe(1)
  })

  it('runs again when it is called during a run', async () => {
    const { shop, first } = await openTwo()
    const requests = (): number =>
      shop.v3Server.requests.filter(({ path }) => path === '/masterchainInfo').length
    const earlier = first.checkNow()
    await expect.poll(requests).toBe(1)
    const later = first.checkNow()
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
    // A look that is asked for during a run would wait for a timer after it.
    await shop.quiet()
    await shop.pay(1, { body: gatewayBody(1) })
    const look = first.checkNow()
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
    const look = second.checkNow()
    await shop.wait(0)
    await look
    await second.close()
    await second.checkNow()
    expect(second.stats().lastRun).toBeUndefined()
  })
})
