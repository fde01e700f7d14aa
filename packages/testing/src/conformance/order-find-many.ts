import assert from 'node:assert/strict'
import type { Order, OrderRepository } from '@tonplug/core'
import {
  assertFields,
  assertFresh,
  assertPayment,
  BODY_HASH,
  findOrder,
  KEY,
  makeHash,
  makeOrder,
  makePayment,
  RECIPIENT,
} from './order-fixtures.js'
import type { OrderRepositoryHarness, OrderSuite } from './order-harness.js'

type Method = 'findByBodyHashes' | 'findByReferences'

/** The values that the tests search for, and the field that has them. */
const VALUES = {
  findByBodyHashes: {
    field: 'bodyBase64Hash',
    first: BODY_HASH,
    second: 'GMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQu/UvYGlw=',
    unknown: 'HMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQu/UvYGlw=',
    make: (number: number) => Buffer.from(makeHash(number), 'hex').toString('base64'),
  },
  findByReferences: {
    field: 'reference',
    first: 'Order:1/ü',
    second: 'Order:2/ü',
    unknown: 'Order:3/ü',
    make: (number: number) => `order-${number}`,
  },
} as const

/** findByBodyHashes and findByReferences: many orders in one call, of any status and merchant. */
export function describeFindMany(suite: OrderSuite, method: Method): void {
  suite.describe(method, () => {
    describeFound(suite, method)
    describeStatuses(suite, method)
    describeMerchantsFound(suite, method)
  })
}

function describeFound({ test }: OrderSuite, method: Method): void {
  const { first, second, unknown, make, field } = VALUES[method]
  const orderWith = (value: string, changes: Partial<Order> = {}): Order =>
    makeOrder({ reference: `order of ${value}`, ...changes, [field]: value })
  test('returns the orders that match, with every field, and no others', async (harness) => {
    const { insert } = harness
    const order = orderWith(first, { recipient: RECIPIENT, rawAmount: 2n ** 120n + 1n })
    await insert(order)
    await insert(orderWith(second))
    await insert(makeOrder({ reference: 'other' }))
    const [found, ...others] = await findMany(harness, method, [first, unknown])
    assert.ok(found !== undefined && others.length === 0, 'one order matches')
    assertFields(found, order)
    assert.equal(found[field], first)
    const both = await findMany(harness, method, [second, first])
    assert.deepEqual(valuesOf(both, method), [first, second].sort())
  })
  test('returns nothing for unknown values and for none', async (harness) => {
    await harness.insert(makeOrder())
    await harness.insert(orderWith(first))
    assert.deepEqual(await findMany(harness, method, [unknown]), [])
    assert.deepEqual(await findMany(harness, method, []), [])
  })
  test('distinguishes values that differ by case', async (harness) => {
    await harness.insert(orderWith(first))
    const asked = [first.toLowerCase(), first.toUpperCase()]
    assert.deepEqual(await findMany(harness, method, asked), [])
  })
  test('returns an order once when its value is given twice', async (harness) => {
    await harness.insert(orderWith(first))
    assert.equal((await findMany(harness, method, [first, first])).length, 1)
  })
  test('S85 accepts 1000 values', async (harness) => {
    const values = Array.from({ length: 1000 }, (_, index) => make(index))
    const stored = [make(0), make(500), make(999)]
    for (const value of [...stored, make(1000)]) await harness.insert(orderWith(value))
    const found = await findMany(harness, method, values)
    assert.deepEqual(valuesOf(found, method), stored.sort())
  })
}

function describeStatuses({ test }: OrderSuite, method: Method): void {
  const value = method === 'findByReferences' ? KEY.reference : BODY_HASH
  for (const status of ['pending', 'failed', 'expired', 'cancelled'] as const) {
    test(`returns an order that is ${status}`, async (harness) => {
      await harness.insert(makeOrder({ status, bodyBase64Hash: BODY_HASH }))
      const found = await findMany(harness, method, [value])
      assert.deepEqual(
        found.map((order) => order.status),
        [status],
      )
    })
  }
  test('returns an order that is completed, with its payment', async (harness) => {
    await harness.insert(makeOrder({ bodyBase64Hash: BODY_HASH }))
    const payment = makePayment({ source: 'gateway' })
    await harness.repository.complete(KEY, payment)
    const [found] = await findMany(harness, method, [value])
    assert.equal(found?.status, 'completed')
    assertPayment(found, payment)
  })
  test('returns the same order as find', async (harness) => {
    await harness.insert(makeOrder({ bodyBase64Hash: BODY_HASH }))
    const found = await findMany(harness, method, [value])
    assert.deepEqual(found, [await findOrder(harness.repository)])
  })
  test('returns the new state immediately after each transition', (harness) =>
    assertFresh(harness, async () => (await findMany(harness, method, [value]))[0]))
}

function describeMerchantsFound({ merchantTest }: OrderSuite, method: Method): void {
  const { make } = VALUES[method]
  merchantTest(
    'S66 returns the orders of every merchant, each with its merchant',
    async (harness) => {
      const merchants = ['', 'shop-a', 'shop-b']
      for (const [index, merchant] of merchants.entries()) {
        await harness.insert(makeOrder({ merchant, bodyBase64Hash: make(index) }))
      }
      const values = method === 'findByReferences' ? ['order-1'] : [0, 1, 2].map(make)
      const found = await findMany(harness, method, values)
      assert.deepEqual(found.map(({ merchant }) => merchant ?? '').sort(), merchants)
    },
  )
}

function findMany(
  { repository }: OrderRepositoryHarness,
  method: Method,
  values: readonly string[],
): Promise<Order[]> {
  const find: OrderRepository[Method] = repository[method]?.bind(repository)
  assert.ok(
    find !== undefined,
    `A repository without ${method} must be tested with the option ${method}: false`,
  )
  return find(values)
}

function valuesOf(orders: readonly Order[], method: Method): string[] {
  return orders.map((order) => order[VALUES[method].field] ?? '').sort()
}
