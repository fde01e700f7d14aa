import {
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type JoinedOrders,
  type MemoryOrderRepository,
  type Order,
} from '@tonplug/core'
import { describeJoinedOrders } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { findPassing } from './passing-tests.js'

type Change = (joined: Required<JoinedOrders>, inbox: Inbox) => Partial<JoinedOrders>

/** Memory has no transactions, but nothing fails between two steps of these tests. */
function joinMemory(inbox: Inbox, orders: MemoryOrderRepository): Required<JoinedOrders> {
  return {
    async storeAndFind(delivery) {
      const order = await orders.findByReference(delivery.reference)
      const wasCompletedBefore = order?.payment?.txHash === delivery.txHash
      return { order, delivery: await inbox.store({ ...delivery, wasCompletedBefore }) }
    },
    async completeAndDecide(deliveryId, { reference, payment, verdict }) {
      const transition = await orders.complete(reference, payment)
      if (transition === 'conflict' || transition === 'not-found') return { transition }
      return { transition, ...(await inbox.decide(deliveryId, verdict)) }
    },
    async failAndDecide(deliveryId, { reference, failure, verdict }) {
      const transition = await orders.recordFailure(reference, failure)
      if (transition === 'conflict' || transition === 'not-found') return { transition }
      return { transition, ...(await inbox.decide(deliveryId, verdict)) }
    },
  }
}

const makeHarness = (change: Change) => () => {
  const inbox = memoryInbox()
  const repository = memoryOrderRepository()
  const whole = joinMemory(inbox, repository)
  const joined = { ...whole, ...change(whole, inbox) }
  const joinOrders: Inbox['joinOrders'] = <O extends Order>() =>
    // The suite gives the plain orders of `repository`.
    joined as JoinedOrders as JoinedOrders<O>
  return {
    inbox: { ...inbox, joinOrders },
    repository,
    insert: async (order: Order) => repository.add(order),
  }
}

describeJoinedOrders(
  'memory',
  makeHarness(() => ({})),
  { describe, it },
)

const SABOTAGES: readonly { mistake: string; noticedBy: RegExp; change: Change }[] = [
  {
    mistake: 'takes every order for completed before',
    noticedBy: /completed the order before|stores the delivery and answers/,
    change: (_, inbox) => ({
      async storeAndFind(delivery) {
        const stored = await inbox.store({ ...delivery, wasCompletedBefore: true })
        return { delivery: stored, order: null }
      },
    }),
  },
  {
    mistake: 'completes and forgets to decide',
    noticedBy: /records the decision with its tasks|S46|takes the place/,
    change: (whole) => ({
      async completeAndDecide(_, move) {
        const made = await whole.completeAndDecide('', move).catch(() => undefined)
        return made ?? { transition: 'applied', isRecorded: true, decision: move.verdict.decision }
      },
    }),
  },
  {
    mistake: 'decides what the order does not allow',
    noticedBy: /and decides nothing|S27/,
    change: (whole, inbox) => ({
      async completeAndDecide(id, move) {
        await inbox.decide(id, move.verdict)
        return whole.completeAndDecide(id, move)
      },
      async failAndDecide(id, move) {
        await inbox.decide(id, move.verdict)
        return whole.failAndDecide(id, move)
      },
    }),
  },
  {
    mistake: 'says that every transition was applied',
    noticedBy: /S40 completeAndDecide applies|S38 completeAndDecide applies|S46/,
    change: (whole) => ({
      async completeAndDecide(id, move) {
        const made = await whole.completeAndDecide(id, move)
        const standing = { isRecorded: true, decision: move.verdict.decision }
        return { ...standing, ...made, transition: 'applied' }
      },
    }),
  },
]

describe('describeJoinedOrders', () => {
  it.each(SABOTAGES)('notices an inbox that $mistake', async ({ change, noticedBy }) => {
    const define = describeJoinedOrders.bind(undefined, 'sabotaged', makeHarness(change))
    expect(await findPassing(define, noticedBy)).toEqual([])
  })
})
