import assert from 'node:assert/strict'
import type { Order, OrderListQuery, OrderPage } from '@tonplug/core'
import {
  assertFields,
  findOrder,
  KEY,
  makeOrder,
  makePayment,
  minute,
  RECIPIENT,
} from './order-fixtures.js'
import type { OrderRepositoryHarness, OrderSuite } from './order-harness.js'

const STATUSES = ['pending', 'failed', 'expired', 'cancelled'] as const

/** list: pages of orders, newest first. */
export function describeList(suite: OrderSuite): void {
  suite.describe('list', () => {
    describePages(suite)
    describeFilters(suite)
  })
}

function describePages({ test, merchantTest }: OrderSuite): void {
  test('returns orders of every status with every field, newest first', async (harness) => {
    const { repository, insert } = harness
    for (const [index, status] of STATUSES.entries()) {
      await insert(makeOrder({ reference: status, status, createdAt: minute(index) }))
    }
    const order = makeOrder({ createdAt: minute(9), rawAmount: 2n ** 120n, recipient: RECIPIENT })
    await insert(order)
    const first = (await list(harness)).orders[0]
    assert.ok(first !== undefined)
    assertFields(first, order)
    await repository.complete(KEY, makePayment())
    const { orders } = await list(harness)
    assert.deepEqual(orders.map(statusOf), ['completed', ...STATUSES.toReversed()])
    assert.deepEqual(orders[0], await findOrder(repository))
  })
  test('returns pages that have each order once, also orders of one moment', async (harness) => {
    const references = ['1', '2', '3', '4', '5', '6', '7']
    for (const reference of references) {
      const createdAt = minute(Number(reference) < 6 ? 1 : Number(reference))
      await harness.insert(makeOrder({ reference, createdAt }))
    }
    const found: string[] = []
    let after: string | undefined
    let pages = 0
    do {
      const page: OrderPage = await list(harness, { limit: 2, after })
      found.push(...page.orders.map(({ reference }) => reference))
      after = page.next
      pages += 1
    } while (after !== undefined && pages < 10)
    assert.deepEqual(found.slice(0, 2), ['7', '6'])
    assert.deepEqual(found.toSorted(), references)
    assert.equal(pages, 4)
  })
  test('returns no next page for a full last one', async (harness) => {
    assert.deepEqual(await list(harness), { orders: [] })
    for (const reference of ['1', '2']) await harness.insert(makeOrder({ reference }))
    const { orders, next } = await list(harness, { limit: 2 })
    assert.deepEqual([orders.length, next], [2, undefined])
  })
  merchantTest('S66 lists the orders of every merchant', async (harness) => {
    const merchants = ['', 'shop-a', 'shop-b']
    for (const merchant of merchants) await harness.insert(makeOrder({ merchant }))
    const { orders } = await list(harness)
    assert.deepEqual(orders.map(({ merchant }) => merchant ?? '').toSorted(), merchants)
  })
}

function describeFilters({ test }: OrderSuite): void {
  const cases: Record<string, { query: Partial<OrderListQuery>; expected: string[] }> = {
    'lists orders that were created at `createdAfter`': {
      query: { createdAfter: minute(2) },
      expected: ['3', '2'],
    },
    'lists no orders that were created at `createdBefore`': {
      query: { createdBefore: minute(2) },
      expected: ['1'],
    },
  }
  for (const [title, { query, expected }] of Object.entries(cases)) {
    test(title, async (harness) => {
      for (const number of [3, 1, 2]) {
        const reference = String(number)
        await harness.insert(makeOrder({ reference, createdAt: minute(number) }))
      }
      const { orders } = await list(harness, query)
      assert.deepEqual(
        orders.map(({ reference }) => reference),
        expected,
      )
    })
  }
  test('returns the orders of one status', async (harness) => {
    const { repository, insert } = harness
    for (const status of STATUSES) await insert(makeOrder({ reference: status, status }))
    await insert(makeOrder())
    await repository.complete(KEY, makePayment())
    for (const status of [...STATUSES, 'completed'] as const) {
      const { orders } = await list(harness, { status })
      assert.deepEqual(orders.map(statusOf), [status])
    }
  })
}

/** search: orders by the beginning of their references. */
export function describeSearch({ describe, test, merchantTest }: OrderSuite): void {
  describe('search', () => {
    test('returns orders whose reference begins with the string, sorted', async (harness) => {
      const references = ['ab-2', 'ab-1', 'ab', 'Ab', 'a', 'xab', 'a_b', 'a%b', 'ab\u{1f48e}']
      for (const reference of references) await harness.insert(makeOrder({ reference }))
      assert.deepEqual(await search(harness, 'ab'), ['ab', 'ab-1', 'ab-2', 'ab\u{1f48e}'])
      assert.deepEqual(await search(harness, 'ab-'), ['ab-1', 'ab-2'])
      assert.deepEqual(await search(harness, 'a_'), ['a_b'])
      assert.deepEqual(await search(harness, 'a%'), ['a%b'])
      assert.deepEqual(await search(harness, 'ab', 2), ['ab', 'ab-1'])
      assert.deepEqual(await search(harness, 'unknown\0'), [])
    })
    test('returns the same order as find, whatever its status is', async (harness) => {
      const { repository, insert } = harness
      await insert(makeOrder())
      await repository.complete(KEY, makePayment())
      assert.deepEqual(await searchOrders(harness, 'order-1'), [await findOrder(repository)])
    })
    merchantTest('S66 searches the orders of every merchant', async (harness) => {
      for (const merchant of ['', 'shop-a']) await harness.insert(makeOrder({ merchant }))
      assert.equal((await searchOrders(harness, 'order')).length, 2)
    })
  })
}

function list(
  { repository }: OrderRepositoryHarness,
  query: Partial<OrderListQuery> = {},
): Promise<OrderPage> {
  assert.ok(repository.list !== undefined, missing('list'))
  return repository.list({ limit: 100, ...query })
}

function searchOrders(
  { repository }: OrderRepositoryHarness,
  text: string,
  limit = 100,
): Promise<Order[]> {
  assert.ok(repository.search !== undefined, missing('search'))
  return repository.search({ text, limit })
}

async function search(
  harness: OrderRepositoryHarness,
  text: string,
  limit?: number,
): Promise<string[]> {
  return (await searchOrders(harness, text, limit)).map(({ reference }) => reference)
}

function statusOf({ status }: Order): Order['status'] {
  return status
}

function missing(method: string): string {
  return `A repository without ${method} must be tested without the option ${method}`
}
