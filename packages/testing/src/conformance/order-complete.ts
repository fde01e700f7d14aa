import assert from 'node:assert/strict'
import {
  assertFresh,
  assertOrder,
  KEY,
  listOpen,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import type { OrderSuite } from './order-harness.js'

/** complete: once, from the open states only, with the payment. */
export function describeComplete(suite: OrderSuite): void {
  suite.describe('complete', () => {
    describeCompletion(suite)
    describeConflicts(suite)
    describePayment(suite)
    describeReads(suite)
  })
}

function describeCompletion({ test }: OrderSuite): void {
  for (const status of ['pending', 'failed', 'expired'] as const) {
    test(`S29 S43 completes an order that is ${status}`, async ({ repository, insert }) => {
      await insert(makeOrder({ status }))
      const payment = makePayment({ isLate: status === 'expired' })
      assert.equal(await repository.complete(KEY, payment), 'applied')
      await assertOrder(repository, { ...KEY, status: 'completed', payment })
    })
  }
  test('S29 completes an order whose failure was recorded before', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    assert.equal(await repository.fail(KEY, makeFailure()), 'applied')
    const payment = makePayment()
    assert.equal(await repository.complete(KEY, payment), 'applied')
    await assertOrder(repository, { ...KEY, status: 'completed', payment })
  })
  test('does not change other orders', async ({ repository, insert }) => {
    await insert(makeOrder())
    await insert(makeOrder({ reference: 'order-2' }))
    await repository.complete(KEY, makePayment())
    await assertOrder(repository, { reference: 'order-2', status: 'pending' })
  })
  test('completes two orders by the same transaction', async ({ repository, insert }) => {
    for (const reference of ['order-1', 'order-2']) {
      await insert(makeOrder({ reference }))
      const key = { reference, merchant: '' }
      assert.equal(await repository.complete(key, makePayment()), 'applied')
    }
  })
}

function describeConflicts({ test }: OrderSuite): void {
  const completed = { ...KEY, status: 'completed', payment: makePayment() } as const
  test('S26 returns already-applied for the txHash that completed the order', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    await repository.complete(KEY, makePayment())
    const repeated = makePayment({
      traceId: makeHash(9),
      rawAmount: 1n,
      isLate: true,
      source: 'webhook',
    })
    assert.equal(await repository.complete(KEY, repeated), 'already-applied')
    await assertOrder(repository, completed)
  })
  test('S40 returns conflict for another txHash and keeps the first payment', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    await repository.complete(KEY, makePayment())
    const other = makePayment({ txHash: makeHash(9) })
    assert.equal(await repository.complete(KEY, other), 'conflict')
    await assertOrder(repository, completed)
  })
  test('S42 returns conflict for a cancelled order and leaves it cancelled', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder({ status: 'cancelled' }))
    assert.equal(await repository.complete(KEY, makePayment()), 'conflict')
    await assertOrder(repository, { ...KEY, status: 'cancelled' })
  })
  test('S113 S40 returns conflict for an order that was settled in another way', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder({ status: 'completed' }))
    assert.equal(await repository.complete(KEY, makePayment()), 'conflict')
    assert.equal(await repository.fail(KEY, makeFailure()), 'conflict')
    await assertOrder(repository, { ...KEY, status: 'completed' })
  })
  test('returns not-found for an unknown reference', async ({ repository, insert }) => {
    await insert(makeOrder())
    const key = { reference: 'order-2', merchant: '' }
    assert.equal(await repository.complete(key, makePayment()), 'not-found')
    assert.equal(await repository.find(key), null)
  })
}

function describePayment({ test }: OrderSuite): void {
  test('stores every field of the payment as given', async ({ repository, insert }) => {
    await insert(makeOrder())
    const payment = makePayment({
      txHash: 'a hash in another format: Ä"\'\\',
      traceId: 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQuRUvYGlw=',
      rawAmount: 2n ** 120n + 1n,
      asset: '0:f447a55307b8a077a58ca36e5b483e8d7b59783ca18276ef52260f8614d1cddc',
      date: '2026-01-05T13:01:02+01:00',
      isLate: true,
    })
    assert.equal(await repository.complete(KEY, payment), 'applied')
    await assertOrder(repository, { ...KEY, status: 'completed', payment })
    assert.equal(await repository.complete(KEY, payment), 'already-applied')
  })
  for (const source of ['webhook', 'chain', 'gateway', 'operator'] as const) {
    test(`stores the payment's source ${source}`, async ({ repository, insert }) => {
      await insert(makeOrder())
      const payment = makePayment({ source })
      await repository.complete(KEY, payment)
      await assertOrder(repository, { ...KEY, status: 'completed', payment })
    })
  }
  for (const date of ['', 'yesterday']) {
    test(`stores the payment's date ${JSON.stringify(date)}`, async ({ repository, insert }) => {
      await insert(makeOrder())
      const payment = makePayment({ date })
      assert.equal(await repository.complete(KEY, payment), 'applied')
      await assertOrder(repository, { ...KEY, status: 'completed', payment })
    })
  }
}

function describeReads({ test }: OrderSuite): void {
  test('find returns the new state immediately after each transition', (harness) =>
    assertFresh(harness, () => harness.repository.find(KEY)))
  test('listOpen returns the new state immediately after each transition', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    assert.equal((await listOpen(repository))[0]?.status, 'pending')
    await repository.fail(KEY, makeFailure())
    const [failed] = await listOpen(repository)
    assert.deepEqual([failed?.status, failed?.failure?.txHash], ['failed', makeHash(2)])
    await repository.complete(KEY, makePayment())
    assert.deepEqual(await listOpen(repository), [])
  })
}
