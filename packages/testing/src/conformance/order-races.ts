import assert from 'node:assert/strict'
import type { OrderRepository, Transition } from '@tonplug/core'
import {
  assertOrder,
  CALLS,
  findOrder,
  KEY,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import type { OrderSuite } from './order-harness.js'
import { callConcurrently, countValues } from './runner.js'

/** Concurrent transitions: each is applied once. */
export function describeOrderRaces(suite: OrderSuite): void {
  suite.describe('concurrent calls', () => {
    describeCompletions(suite)
    describeFailures(suite)
    describeMixedCalls(suite)
  })
}

function describeCompletions({ test }: OrderSuite): void {
  test(`S38 applies one of ${CALLS} completions with the same txHash`, async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const made = await callConcurrently(CALLS, () => repository.complete(KEY, makePayment()))
    assert.deepEqual(countValues(made), { applied: 1, 'already-applied': CALLS - 1 })
  })
  test(`S40 applies one of ${CALLS} completions with different txHashes, and stores that one`, async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const made = await callConcurrently(CALLS, (index) =>
      repository.complete(KEY, makePayment({ txHash: makeHash(index) })),
    )
    assert.deepEqual(countValues(made), { applied: 1, conflict: CALLS - 1 })
    const payment = makePayment({ txHash: makeHash(made.indexOf('applied')) })
    await assertOrder(repository, { ...KEY, status: 'completed', payment })
  })
  test('completes each of many orders concurrently', async ({ repository, insert }) => {
    const keys = Array.from({ length: CALLS }, (_, index) => {
      return { reference: `order-${index}`, merchant: '' }
    })
    for (const { reference } of keys) await insert(makeOrder({ reference }))
    const made = await callConcurrently(CALLS, (index) =>
      repository.complete(
        { reference: `order-${index}`, merchant: '' },
        makePayment({ txHash: makeHash(index) }),
      ),
    )
    assert.deepEqual(countValues(made), { applied: CALLS })
    for (const [index, key] of keys.entries()) {
      const { payment } = await findOrder(repository, key)
      assert.equal(payment?.txHash, makeHash(index))
    }
  })
}

function describeFailures({ test }: OrderSuite): void {
  for (const status of ['pending', 'expired'] as const) {
    test(`S74 applies one of ${CALLS} failures with the same txHash to an order that is ${status}`, async (harness) => {
      const { repository, insert } = harness
      await insert(makeOrder({ status }))
      const made = await callConcurrently(CALLS, () => repository.fail(KEY, makeFailure()))
      assert.deepEqual(countValues(made), { applied: 1, 'already-applied': CALLS - 1 })
    })
  }
  test(`S74 applies ${CALLS} failures with different txHashes, and stores one of them`, async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const made = await callConcurrently(CALLS, (index) =>
      repository.fail(KEY, makeFailure({ txHash: makeHash(index) })),
    )
    assert.deepEqual(countValues(made), { applied: CALLS })
    const { status, failure } = await findOrder(repository)
    assert.equal(status, 'failed')
    const hashes = Array.from({ length: CALLS }, (_, index) => makeHash(index))
    assert.ok(failure && hashes.includes(failure.txHash))
  })
}

function describeMixedCalls({ test }: OrderSuite): void {
  test('S27 S29 completes the order when payments and failures are concurrent', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const made = await callConcurrently(CALLS, (index) => completeOrFail(repository, index))
    const completions = countValues(made.filter((_, index) => index % 2 === 0))
    const failures = countValues(made.filter((_, index) => index % 2 === 1))
    assert.deepEqual(completions, { applied: 1, 'already-applied': CALLS / 2 - 1 })
    const { applied = 0, conflict = 0, 'already-applied': repeated = 0 } = failures
    assert.ok(applied <= 1, 'the failure is applied at most once')
    assert.equal(applied + conflict + repeated, CALLS / 2)
    const payment = makePayment()
    await assertOrder(repository, { ...KEY, status: 'completed', payment })
  })
}

function completeOrFail(repository: OrderRepository, index: number): Promise<Transition> {
  return index % 2 === 0
    ? repository.complete(KEY, makePayment())
    : repository.fail(KEY, makeFailure())
}
