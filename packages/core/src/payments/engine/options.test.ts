import { describe, expect, it } from 'vitest'
import { memoryInbox } from '../inbox/memory-inbox.js'
import { memoryOrderRepository } from '../orders/memory-order-repository.js'
import { createHandlerRegistry } from './handler-registry.js'
import { resolveOptions } from './options.js'

const base = { orders: memoryOrderRepository() }

describe('resolveOptions', () => {
  it.each([0, -1, NaN, Infinity, 2 ** 31])('rejects a handler timeout of %s ms', (timeoutMs) => {
    expect(() => resolveOptions({ ...base, handlerTimeoutMs: timeoutMs })).toThrow(
      /handlerTimeoutMs: must be a number of milliseconds above zero/,
    )
  })

  it('names the methods that a repository lacks', () => {
    // JavaScript callers may pass anything, whatever the types say.
    const orders = { find: () => null } as unknown as typeof base.orders
    expect(() => resolveOptions({ ...base, orders })).toThrow(/complete, fail, listOpen/)
  })

  it.each<[string, object]>([
    [
      'inbox: must be an Inbox; received a promise without reports.store, reports.decide',
      { inbox: Promise.resolve(memoryInbox()) },
    ],
    ['rules: must be a list of functions; received a function', { rules: () => undefined }],
    ['rules[0]: must be a function; received a string', { rules: ['blocked'] }],
    ['amounts: must be a function, or an object such as', { amounts: true }],
    ['wallets: must be a list of addresses; received a string of 2 characters', { wallets: 'EQ' }],
    ['wallets: must be a list of addresses; received null', { wallets: null }],
    ['verifyOnChain: must be the result of createPaymentVerifier()', { verifyOnChain: true }],
    [
      'verifyOnChain: needs `wallets`',
      { verifyOnChain: { deadlineMs: 1, verify: () => undefined } },
    ],
    ['queue: must be a TaskQueue', { queue: {} }],
    ['orders: must be an OrderRepository; received undefined', { orders: undefined }],
    ['name: must not be empty; received an empty string', { name: '' }],
    ['name: is "b", but the order repository belongs to "a"', { name: 'b', orders: ordersOf('a') }],
    ['instrumentation: must be an object', { instrumentation: () => ({}) }],
  ])('states what was expected and received: %s', (message, options) => {
    expect(() => resolveOptions({ ...base, ...options })).toThrow(message)
  })

  it('accepts null for a handler', () => {
    // JavaScript callers may pass null, whatever the types say.
    const onPaid = null as unknown as undefined
    expect(createHandlerRegistry({ onPaid }).names()).toEqual([])
  })

  it.each<[string, object]>([
    ['onPaid: must be a function; received true', { onPaid: true }],
    ['onPaid.ship: must be a function; received undefined', { onPaid: { ship: undefined } }],
  ])('rejects invalid handlers: %s', (message, handlers) => {
    expect(() => createHandlerRegistry(handlers)).toThrow(message)
  })
})

function ordersOf(name: string): typeof base.orders {
  return { ...memoryOrderRepository(), name }
}
