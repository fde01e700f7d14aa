import { simulateShop } from '@tonplug/testing'
import { expect, it } from 'vitest'

it('S124 ends deciding an assigned part whose order was completed by accepting it', async () => {
  const payment = 'p2-2'
  const rawAmount = '666666666'
  const { problems } = await simulateShop({
    seed: 17,
    events: [
      { kind: 'add-up', atMs: 0 },
      { kind: 'order', atMs: 1000, reference: 'order-2', rawAmount: '1000000000', isBound: true },
      { kind: 'pay', atMs: 21_000, payment, reference: 'order-2', rawAmount, times: 1, lagMs: 2e5 },
      { kind: 'webhook', atMs: 23_000, payment, process: 0, names: 'first' },
      { kind: 'assign', atMs: 36_000, payment, names: 'first', reference: 'order-2' },
      { kind: 'accept', atMs: 101_000, reference: 'order-2' },
      { kind: 'reprocess', atMs: 152_000, reference: 'order-2' },
    ],
  })
  expect(problems).toEqual([])
})
