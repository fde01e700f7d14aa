import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const payment = 'p1'
const rawAmount = '2000000000'

describe('money that an operator assigns before the chain has shown it', () => {
  it.each(['default', 'second'])(
    'S118 S119 is not refunded by the shop %s, although two payments are in one trace',
    async (shop) => {
      const { problems } = await simulateShop({
        seed: 1,
        events: [
          { kind: 'order', atMs: 1000, reference: 'order-1', rawAmount, isBound: true },
          ...assignedToFirst('nobody'),
          ...refundsBy(shop),
        ],
      })
      expect(problems).toEqual([])
    },
  )

  it.each(['default', 'second'])(
    'S118 S119 is not refunded by the shop %s when it names an order with another price',
    async (shop) => {
      const { problems } = await simulateShop({
        seed: 3,
        events: [
          { kind: 'order', atMs: 1000, reference: 'order-1', rawAmount, isBound: true },
          {
            kind: 'order',
            atMs: 1500,
            reference: 'order-2',
            rawAmount: '1000000000',
            isBound: true,
          },
          ...assignedToFirst('order-2'),
          ...refundsBy(shop),
        ],
      })
      expect(problems).toEqual([])
    },
  )

  it('S119 pays no second order while it may be the payment of the first one', async () => {
    const first = { reference: 'order-1', rawAmount, isBound: false } as const
    const paid = { payment, reference: 'order-1', rawAmount, times: 1, lagMs: 0 }
    const { problems, trace } = await simulateShop({
      seed: 1,
      events: [
        { kind: 'index', atMs: 500, downMs: 900_000 },
        { kind: 'order', atMs: 1000, ...first },
        { kind: 'pay', atMs: 2000, ...paid },
        { kind: 'webhook', atMs: 2500, payment, process: 0, names: 'first' },
        { kind: 'webhook', atMs: 4000, payment, process: 0, names: 'trace' },
        { kind: 'assign', atMs: 20_000, payment, names: 'trace', reference: 'order-2' },
        { kind: 'order', atMs: 25_000, ...first, reference: 'order-2', rawAmount: '1000000000' },
        { kind: 'accept', atMs: 90_000, reference: 'order-2' },
      ],
    })
    expect(problems).toEqual([])
    expect(trace.join()).toContain('may be the payment of the order "order-1"')
  })
})

/** A buyer pays twice in one trace; an operator assigns one payment to the first order. */
function assignedToFirst(reference: string): ShopEvent[] {
  return [
    { kind: 'pay', atMs: 1e4, payment, reference, rawAmount, times: 2, lagMs: 1e4 },
    { kind: 'webhook', atMs: 12_000, payment, process: 0, names: 'trace' },
    { kind: 'assign', atMs: 15_000, payment, names: 'trace', reference: 'order-1' },
  ]
}

function refundsBy(shop: string): ShopEvent[] {
  return [
    { kind: 'refund', atMs: 200_000, payment, names: 'first', shop },
    { kind: 'refund', atMs: 220_000, payment, names: 'last', shop },
  ]
}
