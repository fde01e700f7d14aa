import type { OrderRepository } from '@tonplug/core'
import assert from 'node:assert/strict'
import {
  assertFailure,
  assertFields,
  BODY_HASH,
  findOrder,
  KEY,
  listOpen,
  makeFailure,
  makeOrder,
  makePayment,
  minute,
  RECIPIENT,
} from './order-fixtures.js'
import type { OrderRepositoryHarness, OrderSuite } from './order-harness.js'

type OpenQuery = Partial<Parameters<OrderRepository['listOpen']>[0]>

const MANY = 250

/** listOpen: orders that can still be completed, oldest first. */
export function describeListOpen(suite: OrderSuite): void {
  suite.describe('listOpen', () => {
    describeStatuses(suite)
    describeFields(suite)
    describeQuery(suite)
    describeIteration(suite)
  })
}

function describeStatuses({ test }: OrderSuite): void {
  test('returns nothing without orders', async (harness) => {
    assert.deepEqual(await listReferences(harness), [])
  })
  test('returns pending, failed and expired orders, oldest first, and no others', async (harness) => {
    const { repository, insert } = harness
    const statuses = ['expired', 'cancelled', 'failed', 'pending'] as const
    for (const [index, status] of statuses.entries()) {
      await insert(makeOrder({ reference: status, status, createdAt: minute(9 - index) }))
    }
    await insert(makeOrder({ reference: 'paid', createdAt: minute(1) }))
    const paid = { reference: 'paid', merchant: '' }
    assert.equal(await repository.complete(paid, makePayment()), 'applied')
    assert.deepEqual(await listReferences(harness), ['pending', 'failed', 'expired'])
  })
}

function describeFields({ test, bodyHashTest }: OrderSuite): void {
  test('returns orders with every field that was stored', async ({ repository, insert }) => {
    const createdAt = new Date('2026-01-05T12:00:00.123Z')
    const order = makeOrder({ rawAmount: 2n ** 120n + 1n, recipient: RECIPIENT, createdAt })
    await insert(order)
    const [open, ...others] = await listOpen(repository)
    assert.ok(open !== undefined && others.length === 0)
    assertFields(open, order)
    assert.equal(open.payment ?? null, null)
  })
  test('S74 returns the failure of an order', async ({ repository, insert }) => {
    await insert(makeOrder())
    await repository.fail(KEY, makeFailure())
    const [open] = await listOpen(repository)
    assert.ok(open)
    assertFailure(open, makeFailure())
  })
  test('returns the same order as find', async ({ repository, insert }) => {
    await insert(makeOrder({ status: 'expired' }))
    await repository.fail(KEY, makeFailure())
    assert.deepEqual(await listOpen(repository), [await findOrder(repository)])
  })
  bodyHashTest('returns the body hash of an order as stored', async ({ repository, insert }) => {
    await insert(makeOrder({ bodyBase64Hash: BODY_HASH }))
    assert.equal((await listOpen(repository))[0]?.bodyBase64Hash, BODY_HASH)
  })
}

function describeQuery({ test }: OrderSuite): void {
  const cases: Record<string, { query: OpenQuery; expected: string[] }> = {
    'includes orders that were created at `createdAfter`': {
      query: { createdAfter: minute(2) },
      expected: ['2', '3'],
    },
    'excludes orders that were created a millisecond before `createdAfter`': {
      query: { createdAfter: new Date(minute(2).getTime() + 1) },
      expected: ['3'],
    },
    'returns the oldest orders up to the limit': { query: { limit: 2 }, expected: ['1', '2'] },
    'returns the oldest orders after `createdAfter` up to the limit': {
      query: { createdAfter: minute(2), limit: 1 },
      expected: ['2'],
    },
  }
  for (const [title, { query, expected }] of Object.entries(cases)) {
    test(title, async (harness) => {
      for (const number of [3, 1, 2]) {
        const reference = String(number)
        await harness.insert(makeOrder({ reference, createdAt: minute(number) }))
      }
      assert.deepEqual(await listReferences(harness, query), expected)
    })
  }
  test('S84 applies the limit to open orders, not to all orders', async (harness) => {
    for (const number of [1, 2, 3, 4]) {
      const status = number < 3 ? 'cancelled' : 'pending'
      const order = makeOrder({ reference: String(number), status, createdAt: minute(number) })
      await harness.insert(order)
    }
    assert.deepEqual(await listReferences(harness, { limit: 2 }), ['3', '4'])
  })
}

function describeIteration({ test }: OrderSuite): void {
  test(`returns each of ${MANY} orders once, even if all were created at the same moment`, async (harness) => {
    const references = Array.from({ length: MANY }, (_, index) => `order-${index}`).sort()
    for (const reference of references) await harness.insert(makeOrder({ reference }))
    assert.deepEqual((await listReferences(harness)).sort(), references)
    const limited = await listReferences(harness, { limit: MANY - 1 })
    assert.equal(new Set(limited).size, MANY - 1)
  })
  test('can be ended early, and orders may change in the meantime', async (harness) => {
    const { repository, insert } = harness
    for (const number of [1, 2, 3]) {
      await insert(makeOrder({ reference: String(number), createdAt: minute(number) }))
    }
    for await (const { reference } of repository.listOpen({ limit: 1000 })) {
      const key = { reference, merchant: '' }
      assert.equal(await repository.complete(key, makePayment()), 'applied')
      if (reference === '2') break
    }
    assert.deepEqual(await listReferences(harness), ['3'])
  })
}

async function listReferences(
  { repository }: OrderRepositoryHarness,
  query?: OpenQuery,
): Promise<string[]> {
  return (await listOpen(repository, query)).map(({ reference }) => reference)
}
