import {
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type JoinedOrders,
  type MemoryOrderRepository,
  type Order,
  type OrderKey,
} from '@tonplug/core'
import { describeJoinedOrders } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { findPassing, runSuite } from './passing-tests.js'

const NAME = 'default'

type Change = (
  joined: Required<JoinedOrders>,
  inbox: Inbox,
  orders: MemoryOrderRepository,
) => Partial<JoinedOrders>

/** Joins memory stores. Nothing else runs between two steps of these tests, so that no transaction is needed. */
function joinMemory(inbox: Inbox, orders: MemoryOrderRepository): Required<JoinedOrders> {
  /** Orders with a running claim. Claims of one merchant are made one after another. */
  let claims = Promise.resolve()
  return {
    async storeAndFind(report) {
      const order = await orders.find(report)
      const wasCompletedBefore = order?.payment?.txHash === report.txHash
      return { order, report: await inbox.reports.store({ ...report, wasCompletedBefore }) }
    },
    async completeAndDecide(reportId, { key, payment, record, ...claimed }) {
      const transition = await inTurn(async () => {
        const refused = await refusal(orders, key, payment.txHash)
        if (refused !== undefined) return refused
        const claim = { name: NAME, ...key, payment: payment.txHash, ...claimed }
        const isClaimed = await inbox.credits.claim(claim)
        return isClaimed ? orders.complete(key, payment) : 'reused'
      })
      if (transition !== 'applied') return { transition }
      return { transition, ...(await inbox.reports.decide(reportId, record)) }
    },
    async failAndDecide(reportId, { key, failure, record }) {
      const transition = await orders.fail(key, failure)
      if (transition !== 'applied') return { transition }
      return { transition, ...(await inbox.reports.decide(reportId, record)) }
    },
  }

  async function inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const turn = claims.then(step)
    claims = turn.then(
      () => undefined,
      () => undefined,
    )
    return turn
  }
}

async function refusal(
  orders: MemoryOrderRepository,
  key: OrderKey,
  txHash: string,
): Promise<'conflict' | 'not-found' | undefined> {
  const order = await orders.find(key)
  if (order === null) return 'not-found'
  if (order.status === 'cancelled') return 'conflict'
  const isOther = order.status === 'completed' && order.payment?.txHash !== txHash
  return isOther ? 'conflict' : undefined
}

const makeHarness =
  (change: Change, hasStoreAndFind = true) =>
  () => {
    const inbox = memoryInbox()
    const repository = memoryOrderRepository()
    const whole = joinMemory(inbox, repository)
    const joined: JoinedOrders = { ...whole, ...change(whole, inbox, repository) }
    if (!hasStoreAndFind) delete joined.storeAndFind
    const joinOrders: Inbox['joinOrders'] = <O extends Order>() =>
      // The suite passes the plain orders of `repository`.
      joined as JoinedOrders<O>
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
    mistake: 'records every order as completed before',
    noticedBy: /completed the order before|stores the report and returns/,
    change: (_, inbox) => ({
      async storeAndFind(report) {
        const stored = await inbox.reports.store({ ...report, wasCompletedBefore: true })
        return { report: stored, order: null }
      },
    }),
  },
  {
    mistake: 'finds the order of any merchant',
    noticedBy: /storeAndFind > S66/,
    change: (_, inbox, orders) => ({
      async storeAndFind(report) {
        const [order = null] = (await orders.findByReferences?.([report.reference])) ?? []
        return {
          order,
          report: await inbox.reports.store({ ...report, wasCompletedBefore: false }),
        }
      },
    }),
  },
  {
    mistake: 'stores an unreadable report without its problem',
    noticedBy: /S72 stores an unreadable/,
    change: (whole) => ({
      storeAndFind: ({ problem: _problem, ...report }) => whole.storeAndFind(report),
    }),
  },
  {
    mistake: 'stores a row for every repetition',
    noticedBy: /S38 stores one row/,
    change: (whole) => {
      let count = 0
      return {
        storeAndFind: (report) => whole.storeAndFind({ ...report, key: `${count++}` }),
      }
    },
  },
  {
    mistake: 'completes without a decision',
    noticedBy: /records the decision with its tasks|replaces another/,
    change: (whole) => ({
      async completeAndDecide(_, move) {
        const made = await whole.completeAndDecide('', move).catch(() => undefined)
        return made ?? { transition: 'applied', isRecorded: true, decision: move.record.decision }
      },
    }),
  },
  {
    mistake: 'decides what the order does not allow',
    noticedBy: /neither decides|S27|S82 returns reused|failAndDecide > S66/,
    change: (whole, inbox) => ({
      async completeAndDecide(id, move) {
        await inbox.reports.decide(id, move.record)
        return whole.completeAndDecide(id, move)
      },
      async failAndDecide(id, move) {
        await inbox.reports.decide(id, move.record)
        return whole.failAndDecide(id, move)
      },
    }),
  },
  {
    mistake: 'returns applied for every transition',
    noticedBy: /S40 applies|S38 applies|S46|S82 returns|neither decides/,
    change: (whole) => ({
      async completeAndDecide(id, move) {
        const made = await whole.completeAndDecide(id, move)
        const standing = { isRecorded: true, decision: move.record.decision }
        return { ...standing, ...made, transition: 'applied' }
      },
    }),
  },
  {
    mistake: 'claims no payments',
    noticedBy: /claims the payments|S82/,
    change: (whole) => ({
      completeAndDecide: (id, move) => whole.completeAndDecide(id, { ...move, payments: [] }),
    }),
  },
  {
    mistake: 'completes orders without a look at the stored credits',
    noticedBy: /S119 returns reused when a credit of/,
    change: (whole) => ({
      completeAndDecide: (id, move) =>
        whole.completeAndDecide(id, { ...move, unlessStored: undefined }),
    }),
  },
  {
    mistake: 'claims payments for an order that it does not complete',
    noticedBy: /neither decides nor claims/,
    change: (whole, inbox) => ({
      async completeAndDecide(id, move) {
        await inbox.credits.claim({ name: NAME, ...move.key, payments: move.payments })
        return whole.completeAndDecide(id, move)
      },
    }),
  },
  {
    mistake: 'keeps the claims of a refused completion',
    noticedBy: /S82 returns reused|S119/,
    change: (whole, inbox) => ({
      async completeAndDecide(id, move) {
        for (const payment of move.payments) {
          await inbox.credits.claim({ name: NAME, ...move.key, payments: [payment] })
        }
        return whole.completeAndDecide(id, move)
      },
    }),
  },
  {
    mistake: 'claims payments for all merchants together',
    noticedBy: /S65 ignores the claim/,
    change: (whole, inbox) => ({
      async completeAndDecide(id, move) {
        const { reference } = move.key
        const claim = { name: NAME, merchant: 'shop-a', reference, payments: move.payments }
        if (!(await inbox.credits.claim(claim))) return { transition: 'reused' }
        return whole.completeAndDecide(id, move)
      },
    }),
  },
  {
    mistake: 'ignores the merchant of the order',
    noticedBy: /S66 completes|S66 changes/,
    change: (whole, _, orders) => {
      const anyMerchant = async (key: OrderKey): Promise<Required<OrderKey>> => {
        const [order] = (await orders.findByReferences?.([key.reference])) ?? []
        return { reference: key.reference, merchant: order?.merchant ?? '' }
      }
      return {
        completeAndDecide: async (id, move) =>
          whole.completeAndDecide(id, { ...move, key: await anyMerchant(move.key) }),
        failAndDecide: async (id, move) =>
          whole.failAndDecide(id, { ...move, key: await anyMerchant(move.key) }),
      }
    },
  },
  {
    mistake: 'records a failure without storing it',
    noticedBy: /S28 S74/,
    change: (_, inbox) => ({
      failAndDecide: async (id, { record }) => ({
        transition: 'applied',
        ...(await inbox.reports.decide(id, record)),
      }),
    }),
  },
  {
    mistake: 'lets a failure reopen a completed order',
    noticedBy: /S27/,
    change: (whole, _, orders) => ({
      async failAndDecide(id, move) {
        const order = await orders.find(move.key)
        if (order !== null) orders.replace({ ...order, status: 'pending', payment: undefined })
        return whole.failAndDecide(id, move)
      },
    }),
  },
  {
    mistake: 'reads an order and writes its failure later',
    noticedBy: /S40 completes an order once/,
    change: (_, inbox, orders) => ({
      async failAndDecide(id, { key, failure, record }) {
        const order = await orders.find(key)
        if (order === null || order.status === 'completed') return { transition: 'conflict' }
        await new Promise(setImmediate)
        orders.replace({ ...order, status: 'failed', failure })
        return { transition: 'applied', ...(await inbox.reports.decide(id, record)) }
      },
    }),
  },
]

describe('describeJoinedOrders', () => {
  it.each(SABOTAGES)('notices an inbox that $mistake', async ({ change, noticedBy }) => {
    const define = describeJoinedOrders.bind(undefined, 'sabotaged', makeHarness(change))
    expect(await findPassing(define, noticedBy)).toEqual([])
  })
  it('reports the tests of storeAndFind as skipped where it is stated to be absent', async () => {
    const makeOthers = makeHarness(() => ({}), false)
    const { passed, failed, skipped } = await runSuite((runner) =>
      describeJoinedOrders('memory', makeOthers, runner, { storeAndFind: false }),
    )
    expect(failed).toEqual([])
    expect(passed.filter((title) => title.includes('storeAndFind'))).toEqual([])
    expect(skipped.length).toBeGreaterThan(3)
    const undeclared = describeJoinedOrders.bind(undefined, 'memory', makeOthers)
    expect(await findPassing(undeclared, /storeAndFind/)).toEqual([])
  })
  it('has a sabotage that each of its tests notices', async () => {
    const { passed } = await runSuite((runner) =>
      describeJoinedOrders(
        'memory',
        makeHarness(() => ({})),
        runner,
      ),
    )
    const unnoticed = passed.filter(
      (title) => !SABOTAGES.some(({ noticedBy }) => noticedBy.test(title)),
    )
    expect(unnoticed).toEqual([])
  })
})
