import assert from 'node:assert/strict'
import { memoryOrderRepository, type OrderRepository } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { makeHash, makeOrder } from './order-fixtures.js'
import { countValues } from './runner.js'
import {
  assertAnswer,
  assertUnavailable,
  createGate,
  type Shop,
  until,
  type WebhookSuite,
} from './webhook-shop.js'

const DELIVERIES = 50

/** Concurrent deliveries complete the order once and run its handler once. */
export function describeRaces(suite: WebhookSuite): void {
  suite.describe('concurrent deliveries', () => {
    describeTogether(suite)
    describeSlow(suite)
  })
}

function describeTogether({ test }: WebhookSuite): void {
  test(`S38 responds with 200 to ${DELIVERIES} equal ones, completes once and runs onPaid once`, async (shop) => {
    const answers = await Promise.all(
      Array.from({ length: DELIVERIES }, () => shop.post(transferCompleted())),
    )
    for (const answer of answers) assertAnswer(answer, 200)
    assert.deepEqual(countValues(shop.decisions), { paid: 1, duplicate: DELIVERIES - 1 })
    await assertPaidOnce(shop)
  })
  test('S40 reports the second of two payments for one order', async (shop) => {
    const hashes = [makeHash(1), makeHash(2)]
    const answers = await Promise.all(
      hashes.map((txHash) => shop.post(transferCompleted({ txHash }))),
    )
    for (const answer of answers) assertAnswer(answer, 200)
    assert.deepEqual(countValues(shop.decisions), { paid: 1, extra_payment: 1 })
    await assertPaidOnce(shop)
  })
}

function describeSlow({ it, withShop }: WebhookSuite): void {
  it('S44 acknowledges neither of two equal ones before the transition is durable', () => {
    const { orders, gate } = makeSlowOrders()
    return withShop({ payments: { orders } }, async (shop) => {
      let answered = 0
      const answers = [shop.post(transferCompleted()), shop.post(transferCompleted())]
      for (const answer of answers) void answer.then(() => answered++)
      await untilBothWait(shop)
      assert.equal(answered, 0)
      gate.open()
      for (const answer of await Promise.all(answers)) assertAnswer(answer, 200)
      assert.deepEqual(countValues(shop.decisions), { paid: 1, duplicate: 1 })
      await assertPaidOnce(shop)
    })
  })
  it('S44 responds with 503 to both at the deadline, and with 200 to the retry', () => {
    const { orders, gate } = makeSlowOrders()
    return withShop({ payments: { orders } }, async (shop) => {
      const answers = [shop.post(transferCompleted()), shop.post(transferCompleted())]
      await untilBothWait(shop)
      await shop.clock.advance(8000)
      for (const answer of await Promise.all(answers)) assertUnavailable(answer)
      gate.open()
      assertAnswer(await shop.post(transferCompleted()), 200)
      await assertPaidOnce(shop)
    })
  })
}

function makeSlowOrders(): { orders: OrderRepository; gate: ReturnType<typeof createGate> } {
  const gate = createGate()
  const memory = memoryOrderRepository([makeOrder()])
  const orders: OrderRepository = {
    ...memory,
    complete: (...args) => gate.opened.then(() => memory.complete(...args)),
  }
  return { orders, gate }
}

async function untilBothWait({ calls, clock }: Shop): Promise<void> {
  const isStored = (): boolean =>
    calls.filter((call) => call === 'inbox.reports.store').length === 2
  await until('both are stored', isStored)
  await clock.advance(0)
}

/** One transition, one run of `onPaid`, also after all pending work has ended. */
async function assertPaidOnce({ calls, paid, clock }: Shop): Promise<void> {
  await until('onPaid is called', () => paid.length > 0)
  await clock.advance(0)
  assert.equal(calls.filter((call) => call === 'orders.complete: applied').length, 1)
  assert.equal(paid.length, 1)
}
