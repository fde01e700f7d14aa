import { memoryOrderRepository, type Inbox } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

const never = (): Promise<never> => new Promise(() => undefined)

describe('a store that hangs', () => {
  it('S78 delays neither other reports nor handlers', async () => {
    const orders = memoryOrderRepository([order({ reference: 'order-2' })])
    let hangs = false
    const shop = openShop([], {
      orders: {
        ...orders,
        find: (key) => (hangs && key.reference === 'order-1' ? never() : orders.find(key)),
      },
    })
    expect(await shop.decide(transferCompleted())).toBe('unknown_order')
    await shop.clock.advance(500)
    const other = transferCompleted({ reference: 'order-3', txHash: 'tx-3' })
    expect(await shop.decide(other)).toBe('unknown_order')
    orders.add(order({ reference: 'order-3' }))
    hangs = true
    // The parked report is claimed, and its look-up hangs.
    await shop.clock.advance(500)
    expect(await shop.decide(transferCompleted({ reference: 'order-2', txHash: 'tx-2' }))).toBe(
      'paid',
    )
    await shop.clock.advance(1000)
    expect(shop.shipped).toEqual(['order-2', 'order-3'])
    await shop.clock.advance(30_000)
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({ message: 'report not decided; it is retried' }),
    )
    hangs = false
    orders.add(order())
    await shop.clock.advance(3_600_000)
    expect(shop.shipped).toEqual(['order-2', 'order-3', 'order-1'])
  })

  it('S52 does not keep Payments from closing', async () => {
    const inbox = (memory: Inbox): Inbox => ({
      ...memory,
      isDurable: true,
      tasks: { ...memory.tasks, finish: never },
    })
    const shop = openShop([order()], { inbox, onPaid: never, drainTimeoutMs: 5000 })
    await shop.send(transferCompleted())
    await shop.settle()
    let isClosed = false
    const closed = shop.payments.close().then(() => (isClosed = true))
    await shop.clock.advance(5000)
    expect(isClosed).toBe(false)
    await shop.clock.advance(3000)
    await closed
  })

  it.each([
    ['while it waits for handlers', 2000],
    ['after it was closed', 10_000],
  ])('S52 releases a task that a slow inbox returns %s', async (_, slowByMs) => {
    let slowMs = 0
    const inbox = (inner: Inbox): Inbox => ({
      ...inner,
      isDurable: true,
      tasks: {
        ...inner.tasks,
        claim: async (query) => {
          const claimed = await inner.tasks.claim(query)
          await new Promise<void>((resolve) => shop.clock.setTimer(resolve, slowMs))
          return claimed
        },
      },
    })
    const shop = openShop([order()], { inbox, drainTimeoutMs: 5000 })
    slowMs = slowByMs
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.payments.close()
    await shop.clock.advance(slowByMs)
    await closed
    expect(shop.shipped).toEqual([])
    slowMs = 0
    expect(await shop.inbox.stats()).toMatchObject({ open: 1, dead: 0 })
    const claim = shop.inbox.tasks.claim({ name: 'default', limits: { onPaid: 1 }, leaseMs: 1 })
    await shop.settle()
    expect(await claim).toHaveLength(1)
  })

  it('S58 is purged again ten seconds after the inbox was not reachable', async () => {
    let purges = 0
    const inbox = (inner: Inbox): Inbox => ({
      ...inner,
      reports: {
        ...inner.reports,
        forget: async () => {
          if (++purges === 1) throw new Error('connection refused')
          return 0
        },
      },
    })
    const { clock, logger } = openShop([], { inbox, retentionMs: 86_400_000 })
    await clock.advance(9000)
    expect(purges).toBe(1)
    expect(logger.lines).toContainEqual({
      level: 'warn',
      message: 'inbox not reachable; polling again',
      fields: { error: expect.objectContaining({ code: 'ERR_TONPLUG_REPOSITORY' }) },
    })
    await clock.advance(3000)
    expect(purges).toBe(2)
    await clock.advance(3_500_000)
    expect(purges).toBe(2)
  })

  it('S78 logs a report that can be neither decided nor postponed, and decides it later', async () => {
    let isBroken = true
    const orders = memoryOrderRepository([order()])
    const fail = () => Promise.reject(new Error('connection refused'))
    const inbox = (inner: Inbox): Inbox => ({
      ...inner,
      reports: {
        ...inner.reports,
        postpone: (...given) => (isBroken ? fail() : inner.reports.postpone(...given)),
      },
    })
    const shop = openShop([], {
      inbox,
      orders: {
        ...orders,
        complete: (...given) => (isBroken ? fail() : orders.complete(...given)),
      },
    })
    expect(await shop.send(transferCompleted())).toMatchObject({ status: 503 })
    await shop.clock.advance(60_000)
    const facts = {
      reportId: expect.any(String),
      reference: 'order-1',
      attempts: expect.any(Number),
    }
    expect(shop.logger.lines).toContainEqual({
      level: 'warn',
      message: 'report not postponed',
      fields: {
        ...facts,
        retryInMs: expect.any(Number),
        error: expect.objectContaining({ code: 'ERR_TONPLUG_REPOSITORY' }),
      },
    })
    isBroken = false
    await shop.clock.advance(120_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S58 runs handlers between the batches of a long purge', async () => {
    const dayMs = 86_400_000
    const did: string[] = []
    let batches = 5
    const inbox = (inner: Inbox): Inbox => ({
      ...inner,
      reports: {
        ...inner.reports,
        forget: async ({ limit }) => {
          did.push('forgot')
          if (--batches === 3) await shop.send(transferCompleted())
          return batches > 0 ? limit : 0
        },
      },
    })
    const shop = openShop([order()], {
      inbox,
      retentionMs: dayMs,
      onPaid: () => void did.push('shipped'),
    })
    await shop.clock.advance(1000)
    expect(did).toHaveLength(6)
    expect(did.indexOf('shipped')).toBeLessThan(did.lastIndexOf('forgot'))
    await shop.clock.advance(3_600_000)
    expect(did).toHaveLength(7)
  })
})
