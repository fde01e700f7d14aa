import assert from 'node:assert/strict'
import {
  memoryInbox,
  memoryOrderRepository,
  type NewReport,
  type OrderKey,
  type OrderRepository,
  type Payment,
  type DecisionRecord,
} from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { makeOrder } from './order-fixtures.js'
import {
  assertAnswer,
  assertUnavailable,
  createGate,
  SECRET,
  type ShopOptions,
  until,
  type WebhookSuite,
} from './webhook-shop.js'

const DEADLINE_MS = 8000
const OWN = { merchant: '', secrets: SECRET }

/** Problems of the shop: the gateway must retry. */
export function describeUnavailable(suite: WebhookSuite): void {
  suite.describe('a shop that cannot decide', () => {
    describeFailing(suite)
    describeHanging(suite)
    describeStates(suite)
  })
}

function describeStates({ it, test, withShop }: WebhookSuite): void {
  test('S52 responds with 503 after the receiver was closed', async ({ post, receiver, calls }) => {
    await receiver.close()
    assertUnavailable(await post(transferCompleted()))
    assert.deepEqual(calls, [])
  })
  test('S52 responds with 503 after Payments was closed', async ({ post, payments, calls }) => {
    await payments.close()
    assertUnavailable(await post(transferCompleted()))
    assert.deepEqual(calls, [])
  })
  it('responds with 503 until Payments has been started', () =>
    withShop({ payments: { autoStart: false } }, async (shop) => {
      assertUnavailable(await shop.post(transferCompleted()))
      assert.deepEqual(shop.calls, [])
      shop.payments.start()
      assertAnswer(await shop.post(transferCompleted()), 200)
      assert.deepEqual(shop.decisions, ['paid'])
    }))
}

function describeFailing({ it, withShop }: WebhookSuite): void {
  const fail = (): Promise<never> => Promise.reject(new Error('connection refused'))
  const orders = memoryOrderRepository([makeOrder()])
  const cases: Record<string, () => ShopOptions> = {
    'the secrets cannot be resolved': () => ({
      receiver: { secrets: once(fail, async () => OWN) },
    }),
    'the inbox fails': () => {
      const inbox = memoryInbox()
      const store = once(fail, (report: NewReport) => inbox.reports.store(report))
      return { payments: { inbox: { ...inbox, reports: { ...inbox.reports, store } } } }
    },
    'no order can be read': () => ({
      payments: { orders: { ...orders, find: once(fail, (key: OrderKey) => orders.find(key)) } },
    }),
    'the order cannot be completed': () => {
      const complete = once(fail, (key: OrderKey, payment: Payment) =>
        orders.complete(key, payment),
      )
      return { payments: { orders: { ...orders, complete } } }
    },
    'the decision cannot be recorded': () => {
      const inbox = memoryInbox()
      const decide = once(fail, (id: string, record: DecisionRecord) =>
        inbox.reports.decide(id, record),
      )
      return { payments: { inbox: { ...inbox, reports: { ...inbox.reports, decide } } } }
    },
  }
  for (const [what, makeOptions] of Object.entries(cases)) {
    it(`S8 S48 responds with 503 when ${what}, and accepts the retry`, () => {
      orders.replace(makeOrder())
      return withShop(makeOptions(), async ({ post, paid }) => {
        assertUnavailable(await post(transferCompleted()))
        assertAnswer(await post(transferCompleted()), 200)
        await until('onPaid is called', () => paid.length > 0)
        assert.equal(paid.length, 1)
      })
    })
  }
}

function describeHanging({ it, withShop }: WebhookSuite): void {
  it('S51 responds with 503 when the store takes longer than the deadline; the retry is a duplicate', () => {
    const gate = createGate()
    const orders = memoryOrderRepository([makeOrder()])
    const slow: OrderRepository = {
      ...orders,
      complete: (...args) => gate.opened.then(() => orders.complete(...args)),
    }
    return withShop({ payments: { orders: slow } }, async ({ post, clock, calls, ...shop }) => {
      const answer = post(transferCompleted())
      await until('the order is read', () => calls.includes('orders.find'))
      await clock.advance(DEADLINE_MS)
      assertUnavailable(await answer)
      gate.open()
      await until('the late decision', () => shop.decisions.length > 0)
      assertAnswer(await post(transferCompleted()), 200)
      assert.deepEqual(shop.decisions, ['paid', 'duplicate'])
      await until('onPaid is called', () => shop.paid.length > 0)
      assert.equal(shop.paid.length, 1)
    })
  })
  it('S8 responds with 503 when resolving the secrets takes longer than the deadline', () => {
    const gate = createGate()
    const options: ShopOptions = { receiver: { secrets: () => gate.opened.then(() => OWN) } }
    return withShop(options, async ({ post, clock }) => {
      const answer = post(transferCompleted())
      await clock.waitForTimer(({ delayMs }) => delayMs === DEADLINE_MS)
      // The timer starts when the head arrives; the whole body arrives some turns later.
      await clock.advance(0)
      await clock.advance(DEADLINE_MS)
      assertUnavailable(await answer)
      gate.open()
    })
  })
}

/** Calls `first` the first time, and `then` every other time. */
function once<Arguments extends unknown[], Result>(
  first: () => Promise<Result>,
  then: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  let isFirst = true
  return (...args) => {
    if (!isFirst) return then(...args)
    isFirst = false
    return first()
  }
}
