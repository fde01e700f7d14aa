import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

describe('reports before their order', () => {
  it('S56 pays an order that is stored two seconds later, without a new delivery', async () => {
    const kinds: string[] = []
    const shop = openShop([])
    shop.payments.onDecision(({ decision }) => kinds.push(decision.kind))
    expect(await shop.decide(transferCompleted())).toBe('unknown_order')
    await shop.clock.advance(2000)
    shop.orders.add(order())
    await shop.clock.advance(5000)
    expect(kinds).toEqual(['unknown_order', 'paid'])
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S56 pays it at once on orderCreated', async () => {
    const shop = openShop([])
    await shop.send(transferCompleted())
    await shop.clock.advance(3_600_000)
    shop.orders.add(order())
    expect(await shop.payments.orderCreated('order-1')).toBe(1)
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    expect(await shop.payments.orderCreated('order-1')).toBe(0)
  })

  it('pays it on a repeated delivery', async () => {
    const shop = openShop([])
    await shop.send(transferCompleted())
    shop.orders.add(order())
    expect(await shop.decide(transferCompleted())).toBe('paid')
  })

  it('calls onUnknownOrder once', async () => {
    const seen: string[] = []
    const shop = openShop([], { onUnknownOrder: ({ transfer }) => seen.push(transfer.reference) })
    await shop.send(transferCompleted())
    await shop.send(transferCompleted())
    await shop.clock.advance(60_000)
    expect(seen).toEqual(['order-1'])
  })

  it('does not call onUnknownOrder again once the order is paid', async () => {
    const attempts: number[] = []
    const shop = openShop([], {
      onUnknownOrder: (_, { attempt }) => {
        attempts.push(attempt)
        throw new Error('mail server is down')
      },
    })
    await shop.send(transferCompleted())
    await shop.settle()
    shop.orders.add(order())
    await shop.payments.orderCreated('order-1')
    await shop.clock.advance(60_000)
    expect(shop.shipped).toEqual(['order-1'])
    expect(attempts).toEqual([1])
  })

  it.each([-600_000, 600_000])('S57 accepts a clock that is wrong by %i ms', async (skewMs) => {
    const shop = openShop()
    const timestamp = new Date(shop.clock.nowMs() + skewMs).toISOString()
    expect(await shop.decide({ ...transferCompleted(), timestamp })).toBe('paid')
  })
})

describe('subscribers', () => {
  it('receive each decision, and have no effect when they throw', async () => {
    const kinds: string[] = []
    const shop = openShop()
    shop.payments.onDecision(() => {
      throw new Error('page is gone')
    })
    shop.payments.onDecision(() => Promise.reject(new Error('page is gone')))
    const unsubscribe = shop.payments.onDecision(({ decision }) => kinds.push(decision.kind))
    await shop.send(transferCompleted())
    await shop.send(transferCompleted())
    unsubscribe()
    await shop.send(transferCompleted())
    expect(kinds).toEqual(['paid', 'duplicate'])
  })
})
