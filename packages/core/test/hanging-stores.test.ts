import { memoryInbox, memoryOrderRepository, type Inbox } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from './shop.js'

const never = (): Promise<never> => new Promise(() => undefined)

describe('a worker', () => {
  it('goes on with other payments while one of a sweep is never decided', async () => {
    const orders = memoryOrderRepository([order({ reference: 'order-2' })])
    let hangs = false
    const shop = openShop([], {
      orders: {
        ...orders,
        findByReference: (reference) =>
          hangs && reference === 'order-1' ? never() : orders.findByReference(reference),
      },
    })
    expect(await shop.decide(transferCompleted())).toBe('unmatched')
    hangs = true
    // The sweep takes the parked delivery up, and hangs.
    await shop.clock.advance(1000)
    expect(await shop.decide(transferCompleted({ reference: 'order-2' }))).toBe('paid')
    await shop.clock.advance(30_000)
    expect(shop.shipped).toEqual(['order-2'])
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({ message: 'a delivery could not be decided; it is tried again' }),
    )
    hangs = false
    orders.add(order())
    await shop.clock.advance(3_600_000)
    expect(shop.shipped).toEqual(['order-2', 'order-1'])
  })

  it('S52 is closed although the inbox does not answer any more', async () => {
    const inbox: Inbox = { ...memoryInbox(), isDurable: true, finishTask: never }
    const shop = openShop([order()], { inbox, onPaid: never, drainTimeoutMs: 5000 })
    await shop.send(transferCompleted())
    await shop.settle()
    let isClosed = false
    const closed = shop.receiver.close().then(() => (isClosed = true))
    await shop.clock.advance(5000)
    expect(isClosed).toBe(false)
    await shop.clock.advance(2000)
    await closed
  })

  it.each([
    ['while it waits for handlers', 2000],
    ['after it was closed', 10_000],
  ])('S52 gives back what an inbox that is slow lets it claim %s', async (_, answersMs) => {
    const inner = memoryInbox()
    let slowMs = 0
    const inbox: Inbox = {
      ...inner,
      isDurable: true,
      claimTasks: async (query) => {
        const claimed = await inner.claimTasks(query)
        await new Promise<void>((resolve) => shop.clock.setTimer(resolve, slowMs))
        return claimed
      },
    }
    const shop = openShop([order()], { inbox, drainTimeoutMs: 5000 })
    slowMs = answersMs
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.receiver.close()
    await shop.clock.advance(answersMs)
    await closed
    expect(shop.shipped).toEqual([])
    expect(await inner.stats()).toMatchObject({ open: 1, dead: 0 })
    const nowMs = shop.clock.nowMs()
    const query = { receiver: 'default', handlers: ['onPaid'], nowMs, leaseUntilMs: nowMs }
    expect(await inner.claimTasks({ ...query, limit: 1 })).toHaveLength(1)
  })

  it('S58 runs handlers between the parts of a long backlog that it forgets', async () => {
    const inner = memoryInbox()
    const dayMs = 86_400_000
    const did: string[] = []
    let batches = 5
    const inbox: Inbox = {
      ...inner,
      forgetDecided: async ({ limit }) => {
        did.push('forgot')
        if (--batches === 3) await shop.send(transferCompleted())
        return batches > 0 ? limit : 0
      },
    }
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
