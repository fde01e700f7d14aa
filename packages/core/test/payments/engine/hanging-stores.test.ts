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
