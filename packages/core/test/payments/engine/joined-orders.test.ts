import {
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type JoinedOrders,
  type Order,
} from '@tonplug/core'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

/** Returns an inbox that joins any orders by these steps. */
const joining = (steps: (inbox: Inbox) => Partial<JoinedOrders>) => (memory: Inbox) => {
  const unexpected = (): Promise<never> => Promise.reject(new Error('unexpected call'))
  const joined = { completeAndDecide: unexpected, failAndDecide: unexpected, ...steps(memory) }
  // The orders of these tests are plain ones.
  const joinOrders = <O extends Order>() => joined as JoinedOrders as JoinedOrders<O>
  return { ...memory, joinOrders }
}

it('completes and decides in one step if the inbox joins the orders', async () => {
  const orders = memoryOrderRepository([order()])
  const complete = orders.complete.bind(orders)
  const inbox = joining((inner) => ({
    completeAndDecide: async (id, { key, payment, record }) => {
      const transition = await complete(key, payment)
      if (transition !== 'applied') throw new Error(transition)
      return { transition, ...(await inner.reports.decide(id, record)) }
    },
  }))
  const alone = (): Promise<never> => Promise.reject(new Error('called by itself'))
  const shop = openShop([], { inbox, orders: { ...orders, complete: alone } })
  expect(await shop.decide(transferCompleted())).toBe('paid')
  await shop.settle()
  expect(shop.shipped).toEqual(['order-1'])
})

it('S42 decides paid_after_cancel on a conflict of the joined step', async () => {
  const inbox = joining(() => ({ completeAndDecide: async () => ({ transition: 'conflict' }) }))
  const shop = openShop([order({ status: 'cancelled' })], { inbox })
  expect(await shop.decide(transferCompleted())).toBe('paid_after_cancel')
})

it.each([
  ['a joined step that throws', () => Promise.reject(new Error('connection lost'))],
  ['an invalid transition', () => Promise.resolve({ transition: 'done' } as never)],
])('responds with 503 to %s', async (_, completeAndDecide) => {
  const shop = openShop([order()], { inbox: joining(() => ({ completeAndDecide })) })
  expect(await shop.send(transferCompleted())).toMatchObject({
    status: 503,
    decision: { reason: 'store' },
  })
  expect(shop.shipped).toEqual([])
})

it('responds with 503 to an invalid order from the joined step', async () => {
  const inbox = joining((inner) => ({
    storeAndFind: async (report) => ({
      report: await inner.reports.store({ ...report, wasCompletedBefore: false }),
      order: order({ reference: 'another' }),
    }),
  }))
  const shop = openShop([order()], { inbox })
  expect((await shop.send(transferCompleted())).status).toBe(503)
})

it('deletes reports beyond the retention, once an hour', async () => {
  const calls: number[] = []
  const clock = createFakeClock()
  const inbox = memoryInbox({ clock })
  const startMs = clock.nowMs()
  const counting: Inbox = {
    ...inbox,
    reports: {
      ...inbox.reports,
      forget: (query) => {
        calls.push((clock.nowMs() - startMs) / 60_000)
        return inbox.reports.forget(query)
      },
    },
  }
  const shop = openShop([order()], { inbox: counting, clock, retentionMs: 90 * 60_000 })
  await clock.advance(1)
  expect(await shop.decide(transferCompleted())).toBe('paid')
  const report = await inbox.reports.find('report-1')
  expect(report?.state).toBe('decided')
  await clock.advance(70 * 60_000)
  expect(await inbox.reports.find('report-1')).not.toBeNull()
  await clock.advance(60 * 60_000)
  expect(await inbox.reports.find('report-1')).toBeNull()
  expect(calls.map(Math.round)).toEqual([0, 60, 120])
})

it.each([0, -1, NaN])('rejects a retention of %s', (retentionMs) => {
  expect(() => openShop([order()], { retentionMs })).toThrow('retentionMs')
})

it('S82 records unverified when the joined step finds the payment reused', async () => {
  const inbox = joining(() => ({ completeAndDecide: async () => ({ transition: 'reused' }) }))
  const shop = openShop([order()], { inbox })
  expect(await shop.send(transferCompleted())).toMatchObject({
    decision: { kind: 'unverified', reason: 'reused' },
  })
})
