import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import type { Order } from '../orders/order.js'
import {
  resolveWatcherOptions,
  type PaymentWatcherOptions,
  type TransferReader,
} from './options.js'

const internals = {
  addWatcher: () => undefined,
  clock: createFakeClock(),
  logger: createTestLogger(),
}

function resolve(given: Partial<PaymentWatcherOptions> = {}) {
  const payments = { name: 'default', submit: () => undefined, internals }
  const v3 = { traces: () => undefined, runGetMethod: () => undefined }
  return resolveWatcherOptions({ payments, v3, ...given } as unknown as PaymentWatcherOptions)
}

describe('the options of a watcher', () => {
  it('have a shortest time of 1.5 seconds, or of maxIntervalMs if that is less', () => {
    expect(resolve()).toMatchObject({ minIntervalMs: 1500, maxIntervalMs: 60_000 })
    expect(resolve({ maxIntervalMs: 1000 })).toMatchObject({ minIntervalMs: 1000 })
    expect(resolve({ maxIntervalMs: 3000 })).toMatchObject({ minIntervalMs: 1500 })
    expect(resolve({ minIntervalMs: 60_000 })).toMatchObject({ minIntervalMs: 60_000 })
    expect(() => resolve({ minIntervalMs: 60_001 })).toThrow('must be at most maxIntervalMs')
  })

  it('have a client of the gateway for orders without a merchant, or one of each merchant', () => {
    const client = { byReference: () => undefined } as unknown as TransferReader
    const { transfersOf } = resolve({ transfers: client })
    expect([transfersOf(''), transfersOf('ann')]).toEqual([client, undefined])
    const each = resolve({ transfers: (merchant) => (merchant === 'ann' ? client : undefined) })
    expect([each.transfersOf(''), each.transfersOf('ann')]).toEqual([undefined, client])
    expect(resolve().transfersOf('')).toBeUndefined()
  })

  it('have the reference as the comment, by which orders can be looked up', () => {
    const order = { reference: 'order-1' } as Order
    const { commentOf, isCommentReference } = resolve()
    expect([commentOf(order), isCommentReference]).toEqual(['order-1', true])
    const own = resolve({ commentOf: ({ reference }) => `pay ${reference}` })
    expect([own.commentOf(order), own.isCommentReference]).toEqual(['pay order-1', false])
  })
})
