import { play } from '@tonplug/test-support/interleavings/play'
import type { Step } from '@tonplug/test-support/interleavings/steps'
import { expect, it } from 'vitest'
import { open } from './interleaving-stores.js'

it('S132 reports no part of a sum as extra that a webhook has reported first, on PGlite', async () => {
  const key = { reference: 'order-1', merchant: '' }
  const money = { buyer: 'buyer of order-1', comment: 'order-1', asset: 'usdt' } as const
  const items = [{ ...money, amount: 2_000_000n }]
  const webhook = { kind: 'webhook', ...key, item: 0, hasTrace: true } as const
  const steps: Step[] = [
    { kind: 'pay', afterMs: 25_000, payment: 'p1', items, isRelayed: false, lagsMs: [0, 0, 0] },
    { ...webhook, afterMs: 0, payment: 'p1', names: 5, process: 1 },
    { kind: 'order', afterMs: 25_000, ...key, ...money, amount: 4_000_000n, isBound: false },
    {
      kind: 'pay',
      afterMs: 300,
      payment: 'p2',
      items,
      isRelayed: true,
      lagsMs: [0, 15_000, 15_000],
    },
    { ...webhook, afterMs: 0, payment: 'p2', names: 'root', process: 0 },
  ]
  const plan = { amounts: { partial: 'add-up' }, steps } as const
  expect((await play(246_565_301, { plan, open })).problems).toEqual([])
})
