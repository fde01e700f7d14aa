import {
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type JoinedOrders,
  type Order,
} from '@tonplug/core'
import { createManualClock, transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { openShop, order } from './shop.js'

/** An inbox that joins whatever orders it is given, by these steps. */
function joining(steps: (inbox: Inbox) => Partial<JoinedOrders>): Inbox {
  const inbox = memoryInbox()
  const notAsked = (): Promise<never> => Promise.reject(new Error('not asked for'))
  const joined = { completeAndDecide: notAsked, failAndDecide: notAsked, ...steps(inbox) }
  // The orders of these tests are plain ones.
  return { ...inbox, joinOrders: <O extends Order>() => joined as JoinedOrders as JoinedOrders<O> }
}

it('completes and decides in one step where the inbox offers it, and not by two', async () => {
  const orders = memoryOrderRepository([order()])
  const complete = orders.complete.bind(orders)
  const inbox = joining((inner) => ({
    completeAndDecide: async (id, { reference, payment, verdict }) => {
      const transition = await complete(reference, payment)
      if (transition !== 'applied') throw new Error(transition)
      return { transition, ...(await inner.decide(id, verdict)) }
    },
  }))
  const alone = (): Promise<never> => Promise.reject(new Error('called by itself'))
  const shop = openShop([], { inbox, orders: { ...orders, complete: alone } })
  expect(await shop.decide(transferCompleted())).toBe('paid')
  await shop.settle()
  expect(shop.shipped).toEqual(['order-1'])
})

it('S42 explains a conflict of the joined step as it does that of the repository', async () => {
  const inbox = joining(() => ({ completeAndDecide: async () => ({ transition: 'conflict' }) }))
  const shop = openShop([order({ status: 'cancelled' })], { inbox })
  expect(await shop.decide(transferCompleted())).toBe('paid_after_cancel')
})

it.each([
  ['a joined step that throws', () => Promise.reject(new Error('connection lost'))],
  ['a transition that is none', () => Promise.resolve({ transition: 'done' } as never)],
])('answers %s 503', async (_, completeAndDecide) => {
  const shop = openShop([order()], { inbox: joining(() => ({ completeAndDecide })) })
  expect(await shop.send(transferCompleted())).toMatchObject({
    status: 503,
    decision: { reason: 'store' },
  })
  expect(shop.shipped).toEqual([])
})

it('answers an order with a wrong field 503 when it came with the delivery', async () => {
  const inbox = joining((inner) => ({
    storeAndFind: async (delivery) => ({
      delivery: await inner.store({ ...delivery, wasCompletedBefore: false }),
      order: order({ reference: 'another' }),
    }),
  }))
  const shop = openShop([order()], { inbox })
  expect((await shop.send(transferCompleted())).status).toBe(503)
})

it('deletes what is older than the retention, once an hour', async () => {
  const inbox = memoryInbox()
  const asked: number[] = []
  const clock = createManualClock()
  const startMs = clock.nowMs()
  const counting: Inbox = {
    ...inbox,
    forgetDecided: (query) => {
      asked.push((clock.nowMs() - startMs) / 60_000)
      return inbox.forgetDecided(query)
    },
  }
  const shop = openShop([order()], { inbox: counting, clock, retentionMs: 90 * 60_000 })
  await clock.advance(1)
  expect(await shop.decide(transferCompleted())).toBe('paid')
  const delivery = await inbox.find('delivery-1')
  expect(delivery?.state).toBe('decided')
  await clock.advance(70 * 60_000)
  expect(await inbox.find('delivery-1')).not.toBeNull()
  await clock.advance(60 * 60_000)
  expect(await inbox.find('delivery-1')).toBeNull()
  expect(asked.map(Math.round)).toEqual([0, 60, 120])
  await shop.receiver.close()
})

it.each([0, -1, NaN])('does not start with a retention of %s', (retentionMs) => {
  expect(() => openShop([order()], { retentionMs })).toThrow('retentionMs')
})
