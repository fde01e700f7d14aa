import assert from 'node:assert/strict'
import { assertOrder, makeFailure, makeHash, makeOrder, makePayment } from './order-fixtures.js'
import type { OrderRepositoryHarness } from './order-repository.js'
import { type Suite, withHarness } from './runner.js'

/** recordFailure: from pending alone. */
export function describeRecordFailure(suite: Suite<OrderRepositoryHarness>): void {
  suite.runner.describe('recordFailure', () => {
    describeFailure(suite)
    describeRepeatedFailure(suite)
    describeRefusedFailure(suite)
  })
}

function describeFailure({ makeHarness, runner: { it } }: Suite<OrderRepositoryHarness>): void {
  it('S28 moves a pending order to failed', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      await insert(makeOrder({ reference: 'order-2' }))
      assert.equal(await repository.recordFailure('order-1', makeFailure()), 'applied')
      await assertOrder(repository, { reference: 'order-1', status: 'failed' })
      await assertOrder(repository, { reference: 'order-2', status: 'pending' })
    }))
  it('S28 takes a failure without code and message', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const { txHash, traceId, date } = makeFailure()
      const failure = { txHash, traceId, date }
      assert.equal(await repository.recordFailure('order-1', failure), 'applied')
      assert.equal(await repository.recordFailure('order-1', failure), 'already-applied')
    }))
  it('takes an error code that is no 32-bit integer and a long message', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const failure = makeFailure({ errorCode: -1e15, errorMessage: '💎'.repeat(2000) })
      assert.equal(await repository.recordFailure('order-1', failure), 'applied')
    }))
}

function describeRepeatedFailure({ makeHarness, runner }: Suite<OrderRepositoryHarness>): void {
  runner.it('answers already-applied for the txHash that made the order fail', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      await repository.recordFailure('order-1', makeFailure())
      const repeated = makeFailure({ errorCode: 1, errorMessage: 'another message' })
      assert.equal(await repository.recordFailure('order-1', repeated), 'already-applied')
      await assertOrder(repository, { reference: 'order-1', status: 'failed' })
    }),
  )
  runner.it('answers conflict for another txHash', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      await repository.recordFailure('order-1', makeFailure())
      const other = makeFailure({ txHash: makeHash(9) })
      assert.equal(await repository.recordFailure('order-1', other), 'conflict')
      await assertOrder(repository, { reference: 'order-1', status: 'failed' })
    }),
  )
}

function describeRefusedFailure({ makeHarness, runner }: Suite<OrderRepositoryHarness>): void {
  for (const status of ['expired', 'cancelled'] as const) {
    runner.it(`answers conflict for an order that is ${status} and leaves it so`, () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        await insert(makeOrder({ status }))
        assert.equal(await repository.recordFailure('order-1', makeFailure()), 'conflict')
        await assertOrder(repository, { reference: 'order-1', status })
      }),
    )
  }
  runner.it('S27 never moves a completed order, whichever txHash failed', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const payment = makePayment()
      await repository.recordFailure('order-1', makeFailure())
      await repository.complete('order-1', payment)
      for (const { txHash } of [makeFailure(), payment, { txHash: makeHash(9) }]) {
        const failure = makeFailure({ txHash })
        assert.equal(await repository.recordFailure('order-1', failure), 'conflict')
      }
      await assertOrder(repository, { reference: 'order-1', status: 'completed', payment })
    }),
  )
  runner.it('answers not-found for an unknown reference', () =>
    withHarness(makeHarness, async ({ repository }) => {
      assert.equal(await repository.recordFailure('order-1', makeFailure()), 'not-found')
    }),
  )
}
