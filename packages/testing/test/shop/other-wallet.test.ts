import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { expect, it } from 'vitest'

const reference = 'order-1'
const merchant = 'm-2'
const payment = 'p1'
const rawAmount = '1000000000'
const order = { kind: 'order', atMs: 198_439, reference, rawAmount, isBound: false } as const
const webhook = { kind: 'webhook', atMs: 205_439, payment, process: 0, merchant } as const
const events: ShopEvent[] = [
  { ...order, atMs: 178_978, rawAmount: '2000000000', isBound: true },
  { ...order, merchant, hasRecipient: true },
  { kind: 'pay', atMs: 203_439, payment, reference, rawAmount, times: 1, lagMs: 0 },
  { ...webhook, names: 'first' },
]

it('S35 reports money in another wallet to the merchant of the webhook, and as the order that it names', async () => {
  const { problems, trace } = await simulateShop({ seed: 100_588, events })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes('handler.onMismatch'))).toHaveLength(2)
})

it('S116 reports money in another wallet once when two webhooks name two transactions of it', async () => {
  const { problems, trace } = await simulateShop({
    seed: 100_588,
    events: [...events.slice(1), { ...webhook, names: 'trace', process: 1 }],
  })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes('handler.onMismatch'))).toHaveLength(1)
})

it('ignores a jetton that no order asks for in another wallet than that of the order it names', async () => {
  const { problems } = await simulateShop({
    seed: 5_100_650,
    events: [
      { ...order, merchant, hasRecipient: true },
      {
        kind: 'pay',
        atMs: 203_439,
        payment,
        reference,
        rawAmount,
        times: 1,
        lagMs: 0,
        jetton: 'usdt',
      },
    ],
  })
  expect(problems).toEqual([])
})
