import assert from 'node:assert/strict'
import type { OrderRepository, Transition } from '@tonplug/core'
import {
  assertOrder,
  findOrder,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import type { OrderRepositoryHarness } from './order-repository.js'
import { countValues, type Suite, withHarness } from './runner.js'

const CALLS = 50

/** What arrives together is decided once. */
export function describeOrderRaces(suite: Suite<OrderRepositoryHarness>): void {
  suite.runner.describe('calls at once', () => {
    describeOneKindOfCall(suite)
    describeMixedCalls(suite)
  })
}

function describeOneKindOfCall({ makeHarness, runner }: Suite<OrderRepositoryHarness>): void {
  runner.it(`S38 applies one of ${CALLS} completions by one txHash`, () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const answers = await atOnce(() => repository.complete('order-1', makePayment()))
      assert.deepEqual(countValues(answers), { applied: 1, 'already-applied': CALLS - 1 })
    }),
  )
  runner.it(`S40 applies one of ${CALLS} completions by ${CALLS} txHashes and keeps that one`, () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const answers = await atOnce((index) =>
        repository.complete('order-1', makePayment({ txHash: makeHash(index) })),
      )
      assert.deepEqual(countValues(answers), { applied: 1, conflict: CALLS - 1 })
      const payment = makePayment({ txHash: makeHash(answers.indexOf('applied')) })
      await assertOrder(repository, { reference: 'order-1', status: 'completed', payment })
    }),
  )
  runner.it(`applies one of ${CALLS} failures by one txHash`, () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const answers = await atOnce(() => repository.recordFailure('order-1', makeFailure()))
      assert.deepEqual(countValues(answers), { applied: 1, 'already-applied': CALLS - 1 })
    }),
  )
  runner.it(`applies one of ${CALLS} failures by ${CALLS} txHashes`, () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const answers = await atOnce((index) =>
        repository.recordFailure('order-1', makeFailure({ txHash: makeHash(index) })),
      )
      assert.deepEqual(countValues(answers), { applied: 1, conflict: CALLS - 1 })
    }),
  )
}

function describeMixedCalls({ makeHarness, runner }: Suite<OrderRepositoryHarness>): void {
  runner.it('S27 S29 ends completed when a payment and a failure race', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const answers = await atOnce((index) => completeOrFail(repository, index))
      const completions = countValues(answers.filter((_, index) => index % 2 === 0))
      const failures = countValues(answers.filter((_, index) => index % 2 === 1))
      assert.deepEqual(completions, { applied: 1, 'already-applied': CALLS / 2 - 1 })
      const { applied = 0, conflict = 0, 'already-applied': repeated = 0 } = failures
      assert.ok(applied <= 1, 'the order failed at most once')
      assert.equal(applied + conflict + repeated, CALLS / 2)
      const payment = makePayment()
      await assertOrder(repository, { reference: 'order-1', status: 'completed', payment })
    }),
  )
  runner.it('completes each of many orders at once', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      const references = Array.from({ length: CALLS }, (_, index) => `order-${index}`)
      for (const reference of references) await insert(makeOrder({ reference }))
      const answers = await atOnce((index) =>
        repository.complete(`order-${index}`, makePayment({ txHash: makeHash(index) })),
      )
      assert.deepEqual(countValues(answers), { applied: CALLS })
      for (const [index, reference] of references.entries()) {
        const { payment } = await findOrder(repository, reference)
        assert.equal(payment?.txHash, makeHash(index))
      }
    }),
  )
}

function completeOrFail(repository: OrderRepository, index: number): Promise<Transition> {
  return index % 2 === 0
    ? repository.complete('order-1', makePayment())
    : repository.recordFailure('order-1', makeFailure())
}

function atOnce(call: (index: number) => Promise<Transition>): Promise<Transition[]> {
  return Promise.all(Array.from({ length: CALLS }, (_, index) => call(index)))
}
