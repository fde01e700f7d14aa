import { describe, expect, it } from 'vitest'
import { attempt, checkFound, checkOrder, newestOrders } from './checked-repository.js'
import type { Order, OrderKey } from './order.js'

it('accepts a store in JavaScript that returns a value instead of a promise', async () => {
  // The types exclude it.
  const count = (): Promise<number> => 3 as never
  await expect(attempt('inbox.reports.redecide', count)).resolves.toBe(3)
})

it('names the call of a store that throws instead of rejecting', async () => {
  const cause = new Error('not connected')
  const fail = (): never => {
    throw cause
  }
  const error = {
    code: 'ERR_TONPLUG_REPOSITORY',
    details: { operation: 'inbox.reports.store' },
    cause,
  }
  await expect(attempt('inbox.reports.store', fail)).rejects.toMatchObject(error)
})

const ORDER: Order = { reference: 'order-1', rawAmount: 1n, asset: 'TON', status: 'pending' }

it.each<[string, object]>([
  ['reference', { reference: '' }],
  ['merchant', { merchant: 7 }],
  ['rawAmount', { rawAmount: 1 }],
  ['rawAmount', { rawAmount: -1n }],
  ['asset', { asset: 'USDT' }],
  ['status', { status: 'paid' }],
  ['recipient', { recipient: 'no wallet' }],
  ['bodyBase64Hash', { bodyBase64Hash: 7 }],
  ['createdAt', { createdAt: '2026-11-21T20:00:00Z' }],
])('rejects an order with an invalid %s (%#)', (field, change) => {
  expect(() => checkOrder({ ...ORDER, merchant: '', createdAt: new Date(0) })).not.toThrow()
  const invalid = { ...ORDER, ...change } as Order
  expect(() => checkOrder(invalid)).toThrow(new RegExp(`orders\\.find.* ${field} `))
})

it.each<[string, OrderKey]>([
  ['reference', { reference: 'Order-1' }],
  ['merchant', { reference: 'order-1', merchant: 'north' }],
])('rejects an order that was found by another %s', (_, key) => {
  const error = {
    code: 'ERR_TONPLUG_REPOSITORY',
    details: { operation: 'orders.find' },
    message: expect.stringContaining(`was asked for {"merchant":"${key.merchant ?? ''}"`),
  }
  expect(() => checkFound({ ...ORDER }, { reference: 'order-1' })).not.toThrow()
  expect(() => checkFound({ ...ORDER, merchant: '' }, { reference: 'order-1' })).not.toThrow()
  expect(() => checkFound(ORDER, key)).toThrow(expect.objectContaining(error))
})

describe('the newest orders', () => {
  it('leave out an order that the rules cannot use', async () => {
    const list = async () => ({ orders: [{ ...ORDER, rawAmount: -1n }, ORDER] })
    expect(await newestOrders({ list }, 5)).toEqual([ORDER])
  })

  it('are asked for with their limit', async () => {
    const limits: unknown[] = []
    const list = async ({ limit }: { limit: number }) => (limits.push(limit), { orders: [] })
    await newestOrders({ list }, 5)
    expect(limits).toEqual([5])
  })

  it.each([undefined, null, {}, []])('are an error when the store returns %o', async (page) => {
    // The types exclude it.
    const list = async () => page as never
    await expect(newestOrders({ list }, 5)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_REPOSITORY',
      details: { operation: 'orders.list' },
    })
  })

  it('are an error when the store cannot list', async () => {
    await expect(newestOrders({}, 5)).rejects.toThrow('must be { orders }')
  })
})
