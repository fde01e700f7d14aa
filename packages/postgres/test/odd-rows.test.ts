import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mappedOrderRepository } from '../src/mapped-order-repository.js'
import { openPGlite, type TestDatabase } from './databases.js'
import { PAYMENT } from './money.js'

const MAPPING = {
  table: 'orders',
  columns: {
    reference: 'number',
    rawAmount: 'nanotons',
    status: 'state',
    payment: 'pay',
    failure: 'failed_by',
    recipient: 'wallet',
    createdAt: 'made',
  },
  asset: 'TON',
  statuses: { pending: 'new', completed: 'paid' },
} as const
const KEY = { reference: 'odd', merchant: '' }

describe('a row of the table of a shop', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPGlite()
    await database.db.query(`CREATE TABLE orders (
      number text PRIMARY KEY, nanotons numeric NOT NULL, state text NOT NULL, pay jsonb, failed_by text DEFAULT '',
      wallet text DEFAULT '', made timestamptz NOT NULL DEFAULT now()
    )`)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await database.db.query(`DELETE FROM orders`)
    await database.db.query(
      `INSERT INTO orders (number, nanotons, state) VALUES ('good', 5, 'new')`,
    )
  })

  async function insertOdd(changes: Record<string, string>): Promise<void> {
    const row = { number: 'odd', nanotons: '5', state: 'new', ...changes }
    const values = Object.values(row)
    const places = values.map((_, index) => `$${index + 1}`)
    await database.db.query(
      `INSERT INTO orders (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
      values,
    )
  }

  it.each([
    ['JSON of the shop as the payment', { pay: '{"intent":"pi_1"}' }, { payment: undefined }],
    ['text as the payment', { pay: '"paid"' }, { payment: undefined }],
    ['text as the failure', { failed_by: '{later}' }, { failure: undefined }],
    ['no number as the amount', { nanotons: 'NaN' }, { rawAmount: undefined }],
    ['an infinite amount', { nanotons: 'Infinity' }, { rawAmount: undefined }],
    ['a part of a base unit', { nanotons: '0.5' }, { rawAmount: undefined }],
    ['an infinite creation time', { made: 'infinity' }, { createdAt: undefined }],
    ['the earliest creation time', { made: '-infinity' }, { createdAt: undefined }],
    ['no recipient', { wallet: '' }, { recipient: undefined }],
  ])('ends no list of orders with %s', async (_, changes, expected) => {
    await insertOdd(changes)
    const orders = mappedOrderRepository(database.db, MAPPING)
    const open: string[] = []
    for await (const { reference } of orders.listOpen({ limit: 10 })) open.push(reference)
    expect(open.toSorted()).toEqual(['good', 'odd'])
    const found = await orders.findByReferences(['good', 'odd'])
    expect(found.map(({ reference }) => reference).toSorted()).toEqual(['good', 'odd'])
    const listed = await orders.list?.({ limit: 10 })
    expect(listed?.orders.map(({ reference }) => reference)).toContain('good')
    expect(await orders.find(KEY)).toMatchObject(expected)
  })

  it('S113 is completed in another way with a payment without a transaction', async () => {
    await insertOdd({ state: 'paid', pay: '{"method":"card"}' })
    const orders = mappedOrderRepository(database.db, MAPPING)
    expect(await orders.find(KEY)).toMatchObject({ status: 'completed', payment: undefined })
    expect(await orders.complete(KEY, PAYMENT)).toBe('conflict')
  })

  it('fails, and is completed, with an empty failure', async () => {
    await insertOdd({ failed_by: '' })
    const orders = mappedOrderRepository(database.db, MAPPING)
    const failure = { txHash: 'f', traceId: '', status: 'error', date: '' }
    expect(await orders.fail(KEY, failure)).toBe('applied')
    expect(await orders.fail(KEY, failure)).toBe('already-applied')
    expect(await orders.complete(KEY, { ...PAYMENT, txHash: 'ab' })).toBe('applied')
    expect(await orders.complete(KEY, { ...PAYMENT, txHash: 'ab' })).toBe('already-applied')
  })
})
