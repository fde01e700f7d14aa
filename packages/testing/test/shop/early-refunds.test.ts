import { simulateShop } from '@tonplug/testing'
import { expect, it } from 'vitest'

it('S124 S137 reports money without an order that was refunded before its report', async () => {
  const { problems } = await simulateShop({
    seed: 880_055,
    events: [
      {
        kind: 'pay',
        atMs: 334_634,
        payment: 'p1-1',
        reference: 'nobody',
        rawAmount: '2000000000',
        times: 1,
        lagMs: 0,
      },
      { kind: 'webhook', atMs: 346_634, payment: 'p1-1', process: 0, names: 'last' },
      { kind: 'refund', atMs: 349_634, payment: 'p1-1', names: 'first' },
    ],
  })
  expect(problems).toEqual([])
})
