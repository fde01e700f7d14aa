import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { expect, it } from 'vitest'

const reference = 'order-1'
const payment = 'p1'
const merchant = 'm-2'
const order = { kind: 'order', reference, isBound: false } as const

it('S114 S124 runs onPaid for an order whose completion was not answered, and whose money then named an order of another merchant', async () => {
  const events: ShopEvent[] = [
    { kind: 'two-sources', atMs: 0 },
    { ...order, atMs: 0, rawAmount: '2000000000' },
    { ...order, atMs: 100_000, rawAmount: '1000000000', merchant },
    {
      kind: 'pay',
      atMs: 101_000,
      payment,
      reference,
      rawAmount: '1000000000',
      times: 2,
      lagMs: 60_000,
    },
    { kind: 'fault', atMs: 150_000, process: 0, port: 'orders.complete', moment: 'after' },
    { kind: 'webhook', atMs: 163_000, payment, process: 0, names: 'trace', merchant },
  ]
  const { problems, trace } = await simulateShop({ seed: 1, events })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes('handler.onPaid'))).toHaveLength(1)
})
