import { simulateShop } from '@tonplug/testing'
import { expect, it } from 'vitest'

it.each([5, 7, 12])(
  'S137 reports a mismatch once when its refund expires after another payment: seed %d',
  async (seed) => {
    const [reference, rawAmount] = ['order-1', '2000000000']
    const paid = { kind: 'pay', atMs: 2000, reference, rawAmount, times: 1, lagMs: 0 } as const
    const { problems, trace } = await simulateShop({
      seed,
      events: [
        { kind: 'order', atMs: 1000, reference, rawAmount, isBound: true },
        { ...paid, payment: 'p1', rawAmount: '3000000000' },
        { ...paid, payment: 'p2', lagMs: 200_000 },
        { kind: 'refund', atMs: 400_000, payment: 'p1', names: 'last', signed: 'never' },
        // The run continues until the refund has expired.
        { kind: 'order', atMs: 6_000_000, reference: 'order-2', rawAmount, isBound: true },
      ],
    })
    expect(problems).toEqual([])
    expect(trace.join()).toContain('inbox.credits.release')
    expect(trace.filter((line) => line.includes('handler.onMismatch'))).toHaveLength(1)
  },
)
