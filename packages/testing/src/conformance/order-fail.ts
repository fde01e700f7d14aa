import assert from 'node:assert/strict'
import {
  assertFailure,
  assertOrder,
  findOrder,
  KEY,
  listOpen,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import type { OrderSuite } from './order-harness.js'

/** fail: stores the last failure of an open order. */
export function describeFail(suite: OrderSuite): void {
  suite.describe('fail', () => {
    describeFailure(suite)
    describeFields(suite)
    describeRepeatedFailure(suite)
    describeConflicts(suite)
  })
}

function describeFailure({ test }: OrderSuite): void {
  test('S28 moves a pending order to failed and stores the failure', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    await insert(makeOrder({ reference: 'order-2' }))
    const failure = makeFailure()
    assert.equal(await repository.fail(KEY, failure), 'applied')
    await assertOrder(repository, { ...KEY, status: 'failed', failure })
    await assertOrder(repository, { reference: 'order-2', status: 'pending' })
    const other = await findOrder(repository, { reference: 'order-2', merchant: '' })
    assert.equal(other.failure ?? null, null)
  })
  test('S74 stores the failure of an expired order, which stays expired', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder({ status: 'expired' }))
    const failure = makeFailure()
    assert.equal(await repository.fail(KEY, failure), 'applied')
    await assertOrder(repository, { ...KEY, status: 'expired', failure })
    assert.equal(await repository.fail(KEY, failure), 'already-applied')
  })
}

function describeFields({ test }: OrderSuite): void {
  test('S74 stores every field of the failure, which find and listOpen return', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const failure = makeFailure({
      txHash: 'a hash in another format: Ä"\'\\',
      traceId: 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQuRUvYGlw=',
      status: 'отменён',
      date: '2026-01-05T13:01:02+01:00',
    })
    assert.equal(await repository.fail(KEY, failure), 'applied')
    await assertOrder(repository, { ...KEY, status: 'failed', failure })
    const [open] = await listOpen(repository)
    assert.ok(open)
    assertFailure(open, failure)
    assert.equal(await repository.fail(KEY, failure), 'already-applied')
  })
  test('S28 stores a failure without code and message', async ({ repository, insert }) => {
    await insert(makeOrder())
    const { txHash, traceId, status } = makeFailure()
    const failure = { txHash, traceId, status, date: '' }
    assert.equal(await repository.fail(KEY, failure), 'applied')
    await assertOrder(repository, { ...KEY, status: 'failed', failure })
    assert.equal(await repository.fail(KEY, failure), 'already-applied')
  })
  test('stores an error code that is not a 32-bit integer, and a long message', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const failure = makeFailure({ errorCode: -1e15, errorMessage: '💎'.repeat(2000) })
    assert.equal(await repository.fail(KEY, failure), 'applied')
    await assertOrder(repository, { ...KEY, status: 'failed', failure })
  })
}

function describeRepeatedFailure({ test }: OrderSuite): void {
  test('returns already-applied for the txHash of the stored failure, and keeps that', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const failure = makeFailure()
    await repository.fail(KEY, failure)
    const repeated = makeFailure({ errorCode: 1, errorMessage: 'another message' })
    assert.equal(await repository.fail(KEY, repeated), 'already-applied')
    await assertOrder(repository, { ...KEY, status: 'failed', failure })
  })
  test('S74 replaces the failure by that of another txHash', async ({ repository, insert }) => {
    for (const status of ['pending', 'failed', 'expired'] as const) {
      const key = { reference: status, merchant: '' }
      await insert(makeOrder({ reference: status, status }))
      await repository.fail(key, makeFailure())
      const failure = makeFailure({ txHash: makeHash(9), status: 'failed', errorCode: 37 })
      assert.equal(await repository.fail(key, failure), 'applied')
      const expected = status === 'expired' ? status : 'failed'
      await assertOrder(repository, { ...key, status: expected, failure })
    }
  })
}

function describeConflicts({ test }: OrderSuite): void {
  test('returns conflict for a cancelled order and leaves it cancelled', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder({ status: 'cancelled' }))
    assert.equal(await repository.fail(KEY, makeFailure()), 'conflict')
    await assertOrder(repository, { ...KEY, status: 'cancelled' })
    assert.equal((await findOrder(repository)).failure ?? null, null)
  })
  test('S27 never changes a completed order, whichever txHash failed', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const payment = makePayment()
    await repository.fail(KEY, makeFailure())
    await repository.complete(KEY, payment)
    for (const { txHash } of [makeFailure(), payment, { txHash: makeHash(9) }]) {
      const failure = makeFailure({ txHash })
      assert.equal(await repository.fail(KEY, failure), 'conflict')
    }
    await assertOrder(repository, { ...KEY, status: 'completed', payment })
  })
  test('returns not-found for an unknown reference', async ({ repository }) => {
    assert.equal(await repository.fail(KEY, makeFailure()), 'not-found')
  })
}
