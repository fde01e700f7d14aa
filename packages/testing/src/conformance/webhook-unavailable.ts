import assert from 'node:assert/strict'
import { memoryInbox, memoryOrderRepository, type OrderRepository } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { makeOrder } from './order-fixtures.js'
import type { Suite } from './runner.js'
import type { WebhookAdapterHarness } from './webhook-adapter.js'
import {
  assertAnswer,
  assertUnavailable,
  createGate,
  SECRET,
  type ShopOptions,
  until,
  withShop,
} from './webhook-shop.js'

const DEADLINE_MS = 8000

/** What stands in our own way is answered so that the gateway tries again. */
export function describeUnavailable(suite: Suite<WebhookAdapterHarness>): void {
  suite.runner.describe('answers 503 with Retry-After', () => {
    describeFailing(suite)
    describeHanging(suite)
    suite.runner.it('S52 after the receiver was closed', () =>
      withShop(suite.makeHarness, {}, async ({ post, receiver, calls }) => {
        await receiver.close()
        assertUnavailable(await post(transferCompleted()))
        assert.deepEqual(calls, [])
      }),
    )
  })
}

function describeFailing({ makeHarness, runner }: Suite<WebhookAdapterHarness>): void {
  const fail = (): Promise<never> => Promise.reject(new Error('connection refused'))
  const orders = memoryOrderRepository([makeOrder()])
  const cases: Record<string, () => ShopOptions> = {
    'S8 when the secrets cannot be found': () => ({ secrets: once(fail, async () => SECRET) }),
    'S48 when the inbox fails': () => {
      const inbox = memoryInbox()
      return { inbox: { ...inbox, store: once(fail, (delivery) => inbox.store(delivery)) } }
    },
    'S48 when no order can be read': () => ({
      orders: {
        ...orders,
        findByReference: once(fail, (reference) => orders.findByReference(reference)),
      },
    }),
    'S48 when the order cannot be completed': () => ({
      orders: { ...orders, complete: once(fail, (...args) => orders.complete(...args)) },
    }),
    'S48 when the decision cannot be recorded': () => {
      const inbox = memoryInbox()
      return { inbox: { ...inbox, decide: once(fail, (...args) => inbox.decide(...args)) } }
    },
  }
  for (const [what, makeOptions] of Object.entries(cases)) {
    runner.it(`${what}, and takes the retry`, () => {
      orders.add(makeOrder())
      return withShop(makeHarness, makeOptions(), async ({ post, paid }) => {
        assertUnavailable(await post(transferCompleted()))
        assertAnswer(await post(transferCompleted()), 200)
        await until('onPaid is called', () => paid.length > 0)
        assert.equal(paid.length, 1)
      })
    })
  }
}

function describeHanging({ makeHarness, runner }: Suite<WebhookAdapterHarness>): void {
  runner.it('S51 when the store takes longer than the deadline; the retry is a duplicate', () => {
    const gate = createGate()
    const orders = memoryOrderRepository([makeOrder()])
    const slow: OrderRepository = {
      ...orders,
      complete: (...args) => gate.opened.then(() => orders.complete(...args)),
    }
    return withShop(makeHarness, { orders: slow }, async ({ post, clock, calls, ...shop }) => {
      const answer = post(transferCompleted())
      await until('the order is looked at', () => calls.includes('orders.findByReference'))
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
  runner.it('S8 when finding the secrets takes longer than the deadline', () => {
    const gate = createGate()
    const options: ShopOptions = { secrets: () => gate.opened.then(() => SECRET) }
    return withShop(makeHarness, options, async ({ post, clock }) => {
      const answer = post(transferCompleted())
      await clock.waitForTimer(({ delayMs }) => delayMs === DEADLINE_MS)
      // The timer runs from the arrival of the head; the whole body is there some turns later.
      await clock.advance(0)
      await clock.advance(DEADLINE_MS)
      assertUnavailable(await answer)
      gate.open()
    })
  })
}

/** Calls `first` the first time, `then` ever after. */
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
