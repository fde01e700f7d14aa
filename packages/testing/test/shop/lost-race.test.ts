import { simulateShop } from '@tonplug/testing'
import { expect, it } from 'vitest'

it.each([1, 2])(
  'S124 records the refund of a payment that lost the race for its order: seed %d',
  async (seed) => {
    const [reference, rawAmount] = ['order-1', '1000000000']
    const paid = { atMs: 2000, reference, rawAmount, times: 1, lagMs: 30_000 }
    const { problems } = await simulateShop({
      seed,
      events: [
        { kind: 'order', atMs: 1000, reference, rawAmount, isBound: false },
        { kind: 'pay', payment: 'p1', ...paid },
        { kind: 'pay', payment: 'p2', ...paid },
        { kind: 'webhook', atMs: 3000, payment: 'p1', process: 0, names: 'trace' },
        { kind: 'webhook', atMs: 3000, payment: 'p2', process: 1, names: 'trace' },
        { kind: 'refund', atMs: 120_000, payment: 'p1', names: 'trace' },
        { kind: 'refund', atMs: 121_000, payment: 'p2', names: 'trace' },
      ],
    })
    expect(problems).toEqual([])
  },
)

it.each([1, 2])(
  'S124 S140 refunds a payment whose order was cancelled while it was claimed: seed %d',
  async (seed) => {
    const [reference, rawAmount] = ['order-1', '1000000000']
    const paid = { atMs: 2000, reference, rawAmount, times: 1, lagMs: 30_000 }
    const { problems, trace } = await simulateShop({
      seed,
      events: [
        { kind: 'order', atMs: 1000, reference, rawAmount, isBound: false },
        { kind: 'pay', payment: 'p1', ...paid },
        { kind: 'webhook', atMs: 3000, payment: 'p1', process: 0, names: 'trace' },
        { kind: 'cancel', atMs: 3016, reference },
        { kind: 'refund', atMs: 120_000, payment: 'p1', names: 'trace' },
      ],
    })
    expect(problems).toEqual([])
    expect(trace.filter((line) => line.includes('handler.onPaid'))).toEqual([])
    expect(trace.filter((line) => line.includes('refund: proposed'))).toHaveLength(1)
  },
)
