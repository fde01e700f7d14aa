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

it('rejects another order with the same key, and keeps the first', async () => {
  const orders = memoryOrderRepository([order])
  const paid = { ...order, status: 'completed' } as const
  for (const changes of [{ rawAmount: 6n }, { asset: 'GRAM' }, paid]) {
    expect(() => orders.add({ ...order, ...changes })).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }),
    )
  }
  expect(() => memoryOrderRepository([order, paid])).toThrow(/"order-1" is the key of another/)
  expect(await orders.find(order)).toMatchObject(order)
})

it('accepts an equal order again, and the same reference of another merchant', () => {
  const orders = memoryOrderRepository([order])
  orders.add({ status: 'pending', asset: 'TON', rawAmount: 5n, reference: 'order-1' })
  orders.add({ ...order, merchant: 'south' })
  expect(orders.all()).toHaveLength(2)
})

it('rejects an order that was cancelled since, and is added again', () => {
  const orders = memoryOrderRepository([order])
  orders.cancel(order)
  expect(() => orders.add(order)).toThrow(/replace\(\) changes one/)
})

it('replaces a known order, and rejects an unknown one', async () => {
  const orders = memoryOrderRepository<Order>([{ ...order, bodyBase64Hash: 'a' }])
  orders.replace({ ...order, rawAmount: 6n })
  expect(await orders.find(order)).toMatchObject({ rawAmount: 6n })
  expect(await orders.findByBodyHashes?.(['a'])).toEqual([])
  expect(() => orders.replace({ ...order, reference: 'order-2' })).toThrow(/"order-2" is unknown/)
})

it('finds orders by the start of a reference or of a named field, whatever the case of the field is', async () => {
  const invoice = { ...order, email: 'Anna@Example.org', table: 17, note: null }
  const orders = memoryOrderRepository(
    [
      { ...invoice, reference: 'b-2' },
      { ...invoice, reference: 'a-1', email: 'bert@example.org', table: 170 },
      { ...invoice, reference: 'c-3', email: 'carl@example.org', table: 21 },
    ],
    { search: ['email', 'table', 'note'] },
  )
  const search = async (text: string, limit = 10) =>
    (await orders.search?.({ text, limit }))?.map(({ reference }) => reference)
  expect(await search('anna@EXAMPLE')).toEqual(['b-2'])
  expect(await search('example')).toEqual([])
  expect(await search('17')).toEqual(['a-1', 'b-2'])
  expect(await search('17', 1)).toEqual(['a-1'])
  expect(await search('c-')).toEqual(['c-3'])
  expect(await search('null')).toEqual([])
})

it.each(['cancel', 'expire'] as const)(
  'leaves an order that is paid when asked to %s it',
  (end) => {
    const orders = memoryOrderRepository([{ ...order, status: 'completed' }])
    orders[end](order)
    expect(orders.all()).toMatchObject([{ status: 'completed' }])
  },
)

it('expires an order that is open, and no cancelled one', () => {
  const references = ['pending', 'failed', 'cancelled'] as const
  const orders = memoryOrderRepository(
    references.map((status) => ({ ...order, reference: status, status })),
  )
  for (const reference of references) orders.expire({ reference })
  expect(orders.all().map(({ status }) => status)).toEqual(['expired', 'expired', 'cancelled'])
})
