import assert from 'node:assert/strict'
import {
  assertFields,
  assertOrder,
  CALLS,
  findOrder,
  listOpen,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import type { OrderSuite } from './order-harness.js'
import { callConcurrently } from './runner.js'

const A = { reference: 'order-1', merchant: 'shop-a' }
const B = { reference: 'order-1', merchant: 'shop-b' }
const NONE = { reference: 'order-1', merchant: '' }

/** Two merchants: equal references are different orders. */
export function describeMerchants(suite: OrderSuite): void {
  suite.describe('merchants', () => {
    describeReads(suite)
    describeTransitions(suite)
    describeRaces(suite)
  })
}

function describeReads({ merchantTest: test }: OrderSuite): void {
  test('S66 find returns the order of the merchant, with its merchant', async (harness) => {
    const { repository, insert } = harness
    const orders = [A, B, NONE].map((key, index) =>
      makeOrder({ ...key, rawAmount: BigInt(index + 1) }),
    )
    for (const order of orders) await insert(order)
    for (const order of orders) assertFields(await findOrder(repository, order), order)
  })
  test('S66 find returns null for the reference of another merchant', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder(A))
    for (const key of [B, NONE, { reference: 'order-1' }, { ...A, merchant: 'SHOP-A' }]) {
      assert.equal(await repository.find(key), null)
    }
  })
  test('S66 listOpen returns the orders of every merchant, each with its merchant', async (harness) => {
    const { repository, insert } = harness
    for (const key of [A, B, NONE]) await insert(makeOrder(key))
    const merchants = (await listOpen(repository)).map(({ merchant }) => merchant ?? '')
    assert.deepEqual(merchants.sort(), ['', 'shop-a', 'shop-b'])
  })
  test('S83 distinguishes merchants and references that have separators', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder({ merchant: 'a', reference: 'b:c' }))
    assert.equal(await repository.find({ merchant: 'a:b', reference: 'c' }), null)
    await insert(makeOrder({ merchant: 'a:b', reference: 'c', rawAmount: 7n }))
    const found = await findOrder(repository, { merchant: 'a:b', reference: 'c' })
    assert.equal(found.rawAmount, 7n)
  })
}

function describeTransitions({ merchantTest: test }: OrderSuite): void {
  test('S66 complete changes the order of its merchant only', async ({ repository, insert }) => {
    for (const key of [A, B, NONE]) await insert(makeOrder(key))
    const payment = makePayment()
    assert.equal(await repository.complete(A, payment), 'applied')
    await assertOrder(repository, { ...A, status: 'completed', payment })
    await assertOrder(repository, { ...B, status: 'pending' })
    await assertOrder(repository, { ...NONE, status: 'pending' })
    const other = makePayment({ txHash: makeHash(9) })
    assert.equal(await repository.complete(B, other), 'applied')
    await assertOrder(repository, { ...A, status: 'completed', payment })
  })
  test('S66 fail changes the order of its merchant only', async ({ repository, insert }) => {
    for (const key of [A, B]) await insert(makeOrder(key))
    const failure = makeFailure()
    assert.equal(await repository.fail(A, failure), 'applied')
    await assertOrder(repository, { ...A, status: 'failed', failure })
    await assertOrder(repository, { ...B, status: 'pending' })
  })
  test('S65 complete and fail return not-found for the reference of another merchant', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder(B))
    for (const key of [A, NONE]) {
      assert.equal(await repository.complete(key, makePayment()), 'not-found')
      assert.equal(await repository.fail(key, makeFailure()), 'not-found')
    }
    await assertOrder(repository, { ...B, status: 'pending' })
  })
}

function describeRaces({ merchantTest: test }: OrderSuite): void {
  test(`S66 completes one order of each of ${CALLS} merchants concurrently`, async (harness) => {
    const { repository, insert } = harness
    const keys = Array.from({ length: CALLS }, (_, index) => ({
      reference: 'order-1',
      merchant: `shop-${index}`,
    }))
    for (const key of keys) await insert(makeOrder(key))
    await callConcurrently(CALLS, async (index) => {
      const payment = makePayment({ txHash: makeHash(index) })
      const key = { reference: 'order-1', merchant: `shop-${index}` }
      assert.equal(await repository.complete(key, payment), 'applied')
    })
    for (const [index, key] of keys.entries()) {
      const { payment } = await findOrder(repository, key)
      assert.equal(payment?.txHash, makeHash(index))
    }
  })
}
