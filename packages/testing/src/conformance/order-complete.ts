import assert from 'node:assert/strict'
import { assertOrder, makeFailure, makeHash, makeOrder, makePayment } from './order-fixtures.js'
import type { OrderRepositoryHarness } from './order-repository.js'
import { type Suite, withHarness } from './runner.js'

/** complete: once, from the open states alone, keeping the payment. */
export function describeComplete(suite: Suite<OrderRepositoryHarness>): void {
  suite.runner.describe('complete', () => {
    describeCompletion(suite)
    describeRefusedCompletion(suite)
    describeKeptPayment(suite)
  })
}

function describeCompletion({ makeHarness, runner: { it } }: Suite<OrderRepositoryHarness>): void {
  for (const status of ['pending', 'failed', 'expired'] as const) {
    it(`S29 S43 completes an order that is ${status}`, () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        await insert(makeOrder({ status }))
        const payment = makePayment({ late: status === 'expired' })
        assert.equal(await repository.complete('order-1', payment), 'applied')
        await assertOrder(repository, { reference: 'order-1', status: 'completed', payment })
      }))
  }
  it('S29 completes an order whose failure was recorded before', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      assert.equal(await repository.recordFailure('order-1', makeFailure()), 'applied')
      const payment = makePayment()
      assert.equal(await repository.complete('order-1', payment), 'applied')
      await assertOrder(repository, { reference: 'order-1', status: 'completed', payment })
    }))
  it('leaves other orders as they are', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      await insert(makeOrder({ reference: 'order-2' }))
      await repository.complete('order-1', makePayment())
      await assertOrder(repository, { reference: 'order-2', status: 'pending' })
    }))
  it('completes two orders by the same transaction', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      for (const reference of ['order-1', 'order-2']) {
        await insert(makeOrder({ reference }))
        assert.equal(await repository.complete(reference, makePayment()), 'applied')
      }
    }))
}

function describeRefusedCompletion(suite: Suite<OrderRepositoryHarness>): void {
  const { makeHarness, runner } = suite
  const completed = { reference: 'order-1', status: 'completed', payment: makePayment() } as const
  runner.it('S26 answers already-applied for the txHash that completed the order', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      await repository.complete('order-1', makePayment())
      const repeated = makePayment({ traceId: makeHash(9), rawAmount: 1n, late: true })
      assert.equal(await repository.complete('order-1', repeated), 'already-applied')
      await assertOrder(repository, completed)
    }),
  )
  runner.it('S40 answers conflict for another txHash and keeps the first payment', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      await repository.complete('order-1', makePayment())
      const other = makePayment({ txHash: makeHash(9) })
      assert.equal(await repository.complete('order-1', other), 'conflict')
      await assertOrder(repository, completed)
    }),
  )
  runner.it('S42 answers conflict for a cancelled order and leaves it cancelled', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder({ status: 'cancelled' }))
      assert.equal(await repository.complete('order-1', makePayment()), 'conflict')
      await assertOrder(repository, { reference: 'order-1', status: 'cancelled' })
    }),
  )
  runner.it('answers not-found for an unknown reference', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      assert.equal(await repository.complete('order-2', makePayment()), 'not-found')
      assert.equal(await repository.findByReference('order-2'), null)
    }),
  )
}

function describeKeptPayment({ makeHarness, runner: { it } }: Suite<OrderRepositoryHarness>): void {
  it('keeps every field of the payment as given', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const payment = makePayment({
        txHash: 'a hash in a spelling of its own: Ä"\'\\',
        traceId: 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQuRUvYGlw=',
        rawAmount: 2n ** 120n + 1n,
        asset: '0:f447a55307b8a077a58ca36e5b483e8d7b59783ca18276ef52260f8614d1cddc',
        date: '2026-01-05T13:01:02+01:00',
        late: true,
      })
      assert.equal(await repository.complete('order-1', payment), 'applied')
      await assertOrder(repository, { reference: 'order-1', status: 'completed', payment })
      assert.equal(await repository.complete('order-1', payment), 'already-applied')
    }))
  it('keeps a date that is no date', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder())
      const payment = makePayment({ date: 'yesterday' })
      assert.equal(await repository.complete('order-1', payment), 'applied')
      await assertOrder(repository, { reference: 'order-1', status: 'completed', payment })
    }))
}
