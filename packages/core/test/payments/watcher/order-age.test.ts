import { comment } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const VALUE = 1_000_000_007n

/** Stores an order after its payment, and returns the decisions. */
async function lookLater(matchBy: 'body' | 'comment' | 'amount', seconds: number) {
  const shop = await openPaidChain([], { watcher: { matchBy: [matchBy] } })
  const body = matchBy === 'body' ? gatewayBody(1) : comment('order-1')
  await shop.pay(1, { body, value: VALUE })
  const createdAt = new Date((shop.chain.now + seconds) * 1000)
  await shop.wait(seconds)
  shop.orders.add(orderOf('order-1', body, { rawAmount: VALUE, createdAt }))
  await shop.wait(120)
  // A new block, by which the clock is compared.
  await shop.pay(2, { body: 'x', value: 1n })
  const { decisions } = await shop.look()
  return decisions
}

describe('a payment that is older than its order', () => {
  it.each([
    ['comment', 61, { unverified: 1 }],
    ['comment', 60, { paid: 1 }],
    ['amount', 61, { unknown_order: 1 }],
    ['amount', 60, { paid: 1 }],
    ['body', 61, { paid: 1 }],
  ] as const)(
    'S98 is matched by its %s, and decided when it is %i seconds older: %j',
    async (...row) => {
      const [matchBy, seconds, decisions] = row
      expect(await lookLater(matchBy, seconds)).toEqual(decisions)
    },
  )

  it('S98 is not bound by the body of the order when its message has another body', async () => {
    const shop = await openPaidChain([])
    await shop.pay(1, { body: 'order-1', value: VALUE })
    await shop.wait(61)
    const createdAt = new Date(shop.chain.now * 1000)
    shop.orders.add(orderOf('order-1', gatewayBody(1), { rawAmount: VALUE, createdAt }))
    await shop.wait(120)
    await shop.pay(2, { body: 'x', value: 1n })
    expect((await shop.look()).decisions).toEqual({ unverified: 1 })
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it.each(['TON', 'jetton'] as const)(
    'S98 is listed for an operator when its order is cancelled before the next look: %s',
    async (kind) => {
      const shop = await openPaidChain([])
      if (kind === 'TON') await shop.pay(1, { body: 'order-1', value: VALUE })
      else await shop.payJetton(1, VALUE, 'order-1')
      await shop.wait(120)
      const { bodyBase64Hash: _, ...order } = orderOf('order-1', gatewayBody(1))
      const asset = kind === 'TON' ? 'TON' : shop.jetton
      const createdAt = new Date(shop.chain.now * 1000)
      shop.orders.add({ ...order, asset, rawAmount: VALUE, createdAt, status: 'cancelled' })
      await shop.pay(2, { body: 'x', value: 1n })
      const { decisions } = await shop.look()
      expect(decisions).toEqual({ unknown_order: 1 })
    },
  )
})
