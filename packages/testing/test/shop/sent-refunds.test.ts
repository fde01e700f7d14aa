import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { expect, it } from 'vitest'

const [payment, reference] = ['p1', 'order-1']
const order = { rawAmount: '3000000000', usdtAmount: '6000000', isBound: false } as const
const coins = { rawAmount: '1000000000' }
const usdt = { rawAmount: '2000000', jetton: 'usdt' } as const
const other = { rawAmount: '2000000', jetton: 'other' } as const

type Refund = Partial<Extract<ShopEvent, { kind: 'refund' }>>

/** Asks for a refund, then for its state, and returns the answers. */
async function refundTwice(paid: typeof coins | typeof usdt | typeof other, given: Refund) {
  const refund = { kind: 'refund', payment, names: 'last', anyJetton: true } as const
  const { problems, trace } = await simulateShop({
    seed: 1,
    events: [
      { kind: 'order', atMs: 500, reference, ...order },
      { kind: 'pay', atMs: 1000, payment, reference, times: 1, lagMs: 0, ...paid },
      { ...refund, atMs: 60_000, ...given },
      { ...refund, atMs: 500_000 },
      { ...refund, atMs: 3 * 3_600_000, signed: 'never' },
    ],
  })
  expect(problems).toEqual([])
  return trace.flatMap((line) => / refund: (.*)/.exec(line)?.[1] ?? [])
}

it.each([
  ['coins', coins],
  ['a jetton', usdt],
  ['a jetton that no shop asks for', other],
])('S111 S137 sends %s back once', async (_, paid) => {
  expect(await refundTwice(paid, {})).toEqual(['proposed', 'refunded', 'refunded'])
})

it.each([
  ['coins', coins],
  ['a jetton', usdt],
])('S137 proposes %s again that came back', async (_, paid) => {
  expect(await refundTwice(paid, { signed: 'returned' })).toEqual([
    'proposed',
    'waiting',
    'proposed',
  ])
})

it.each([
  ['coins', coins],
  ['a jetton', usdt],
])('S137 proposes no second refund of %s that were sent late', async (_, paid) => {
  const late = { signed: 'late', sendsMs: 2 * 3_600_000 } as const
  expect(await refundTwice(paid, late)).toEqual(['proposed', 'waiting', 'refunded'])
})

it('S137 proposes no jetton that no order asks for, unless the operator insists', async () => {
  expect(await refundTwice(other, { anyJetton: false })).toEqual([
    'needs_confirmation',
    'proposed',
    'refunded',
  ])
})

it('S137 claims a jetton that has no credit when it sends it back', async () => {
  const paid = {
    kind: 'pay',
    atMs: 1000,
    payment,
    reference: 'nobody',
    times: 1,
    lagMs: 0,
  } as const
  const { problems, trace } = await simulateShop({
    seed: 1,
    events: [
      { ...paid, ...other },
      { kind: 'webhook', atMs: 30_000, payment, process: 0, names: 'first' },
      { kind: 'refund', atMs: 60_000, payment, names: 'first', anyJetton: true },
    ],
  })
  expect(problems).toEqual([])
  expect(trace.join()).toContain('refund: proposed')
})
