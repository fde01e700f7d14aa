import { expect, it } from 'vitest'
import type { Order } from './order.js'
import { memoryOrderRepository } from './memory-order-repository.js'

const order: Order = { reference: 'order-1', rawAmount: 5n, asset: 'TON', status: 'pending' }

// Callers without types pass anything.
const invalid: [string, object, RegExp][] = [
  ['an amount as a number', { rawAmount: 5 }, /rawAmount/],
  ['a negative amount', { rawAmount: -5n }, /rawAmount/],
  ['an empty reference', { reference: '' }, /reference/],
  ['an asset that is a ticker', { asset: 'USDT' }, /asset/],
  ['an unknown status', { status: 'open' }, /status/],
  ['a recipient that is not an address', { recipient: 'UQfoo' }, /recipient/],
  ['a creation time as a string', { createdAt: '2026-01-05' }, /createdAt/],
]

it.each(invalid)('rejects %s', (_what, changes, problem) => {
  const orders = memoryOrderRepository()
  const given = { ...order, ...changes } as Order
  expect(() => orders.add(given)).toThrow(problem)
  expect(() => memoryOrderRepository([given])).toThrow(problem)
  expect(orders.all()).toEqual([])
})

it('accepts GRAM as the native asset', async () => {
  const orders = memoryOrderRepository([{ ...order, asset: 'GRAM' }])
  expect(await orders.find({ reference: 'order-1' })).toMatchObject({ asset: 'GRAM' })
})
