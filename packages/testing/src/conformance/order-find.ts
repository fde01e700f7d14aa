import assert from 'node:assert/strict'
import {
  assertFields,
  assertOrder,
  BODY_HASH,
  findOrder,
  KEY,
  makeOrder,
  makePayment,
  RECIPIENT,
} from './order-fixtures.js'
import type { OrderSuite } from './order-harness.js'

const ODD_REFERENCES: Record<string, string> = {
  'beyond ASCII': 'заказ-№7 💎',
  'with quotes and a backslash': `it's "quoted" \\ and \`ticked\``,
  'that looks like SQL': "'; DROP TABLE orders; --",
  'that looks like a pattern': '100%_off*',
  'that is a property of objects': '__proto__',
  'that looks like an address': '../a/b?c=d&e#f',
  'with separators': 'shop:1:order:7',
  'of 256 characters': 'r'.repeat(256),
}

const LOOKALIKES: Record<string, readonly [string, string]> = {
  case: ['order-a', 'ORDER-A'],
  'a trailing space': ['order-a', 'order-a '],
  'a leading zero': ['1', '01'],
  'an accent': ['cafe', 'caf\u00e9'],
  'the composition of an accent': ['caf\u00e9', 'cafe\u0301'],
  'a character that is a wildcard in SQL': ['order_1', 'order-1'],
}

const AMOUNTS = [1n, 2n ** 53n + 1n, 2n ** 64n, 2n ** 120n, 2n ** 120n + 1n]

/** find: orders are returned exactly as stored. */
export function describeFind(suite: OrderSuite): void {
  suite.describe('find', () => {
    describeFields(suite)
    describeValues(suite)
    describeReferences(suite)
  })
}

function describeFields({ test, bodyHashTest }: OrderSuite): void {
  test('returns null for an unknown reference', async ({ repository, insert }) => {
    await insert(makeOrder())
    assert.equal(await repository.find({ reference: 'order-2', merchant: '' }), null)
  })
  test('returns an order with every field that was stored', async ({ repository, insert }) => {
    const createdAt = new Date('2026-01-05T12:00:00.123Z')
    const order = makeOrder({ recipient: RECIPIENT, asset: RECIPIENT, createdAt })
    await insert(order)
    assertFields(await findOrder(repository), order)
  })
  test('returns an order without a recipient, a payment and a failure', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    const { recipient, payment, failure } = await findOrder(repository)
    assert.deepEqual([recipient ?? null, payment ?? null, failure ?? null], [null, null, null])
  })
  bodyHashTest('returns the body hash of an order as stored', async ({ repository, insert }) => {
    await insert(makeOrder({ bodyBase64Hash: BODY_HASH }))
    await insert(makeOrder({ reference: 'without' }))
    assert.equal((await findOrder(repository)).bodyBase64Hash, BODY_HASH)
    const without = await findOrder(repository, { reference: 'without', merchant: '' })
    assert.equal(without.bodyBase64Hash ?? null, null)
  })
}

function describeValues({ test }: OrderSuite): void {
  test('returns every status as stored', async ({ repository, insert }) => {
    for (const status of ['pending', 'failed', 'expired', 'cancelled'] as const) {
      await insert(makeOrder({ reference: status, status }))
      await assertOrder(repository, { reference: status, status })
    }
  })
  test('S31 returns every digit of amounts far above 2^64', async ({ repository, insert }) => {
    for (const rawAmount of AMOUNTS) {
      const reference = `amount-${rawAmount}`
      await insert(makeOrder({ reference, rawAmount }))
      const found = await findOrder(repository, { reference, merchant: '' })
      assert.equal(found.rawAmount, rawAmount)
    }
  })
  test('finds an order without a merchant by an empty merchant and by none', async (harness) => {
    const { repository, insert } = harness
    await insert(makeOrder())
    await insert(makeOrder({ reference: 'order-2', merchant: '' }))
    for (const reference of ['order-1', 'order-2']) {
      assert.equal((await repository.find({ reference, merchant: '' }))?.reference, reference)
      assert.equal((await repository.find({ reference }))?.reference, reference)
    }
    assert.equal(await repository.complete({ reference: 'order-1' }, makePayment()), 'applied')
    assert.equal(await repository.complete(KEY, makePayment()), 'already-applied')
  })
}

function describeReferences({ test }: OrderSuite): void {
  for (const [what, reference] of Object.entries(ODD_REFERENCES)) {
    test(`S83 finds and completes an order whose reference is text ${what}`, async (harness) => {
      const { repository, insert } = harness
      const key = { reference, merchant: '' }
      assert.equal(await repository.find(key), null)
      assert.equal(await repository.complete(key, makePayment()), 'not-found')
      await insert(makeOrder())
      await insert(makeOrder({ reference }))
      assert.equal(await repository.complete(key, makePayment()), 'applied')
      await assertOrder(repository, { reference, status: 'completed', payment: makePayment() })
      await assertOrder(repository, { ...KEY, status: 'pending' })
    })
  }
  for (const [what, [stored, asked]] of Object.entries(LOOKALIKES)) {
    test(`distinguishes references that differ by ${what}`, async ({ repository, insert }) => {
      await insert(makeOrder({ reference: stored }))
      const key = { reference: asked, merchant: '' }
      assert.equal(await repository.find(key), null)
      assert.equal(await repository.complete(key, makePayment()), 'not-found')
      await assertOrder(repository, { reference: stored, status: 'pending' })
    })
  }
}
