import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const reference = 'order-1'
const half = { reference, rawAmount: '1000000000', times: 1, lagMs: 60_000 }

describe('money that an operator accepts before the chain has shown it', () => {
  it('S124 S133 is used by its order, as two halves', async () => {
    const { problems, trace } = await simulateShop({
      seed: 859,
      events: [
        { kind: 'order', atMs: 1000, reference, rawAmount: '2000000000', isBound: false },
        { kind: 'pay', atMs: 2000, payment: 'p1', ...half },
        { kind: 'pay', atMs: 3000, payment: 'p2', ...half },
        { kind: 'webhook', atMs: 4000, payment: 'p1', process: 0, names: 'last' },
        { kind: 'webhook', atMs: 5000, payment: 'p2', process: 0, names: 'first' },
        ...acceptance('p1', 'p2'),
      ],
    })
    expect(problems).toEqual([])
    expect(refundsOf(trace)).toEqual(['rejected', 'rejected'])
  })

  it('S124 S133 leaves the other one of two equal payments in its trace to a refund', async () => {
    const { problems, trace } = await simulateShop({
      seed: 2045,
      events: [
        { kind: 'order', atMs: 1000, reference, rawAmount: '2000000000', isBound: false },
        { kind: 'pay', atMs: 2000, payment: 'p1', ...half, times: 2 },
        { kind: 'webhook', atMs: 4000, payment: 'p1', process: 0, names: 'trace' },
        ...acceptance('p1', 'p1'),
      ],
    })
    expect(problems).toEqual([])
    expect(refundsOf(trace)).toEqual(['proposed', 'waiting'])
  })

  it('S133 is used by its order when its webhook is decided after the chain has shown it', async () => {
    const { problems, trace } = await simulateShop({ seed: 920_139, hours: 0.1 })
    expect(problems).toEqual([])
    expect(trace.join()).not.toContain('inbox.credits.release')
  })
})

it('S137 leaves out money that was assigned to an order and then sent back, when all money of the order is accepted', async () => {
  const payment = 'p1'
  const pay = { kind: 'pay', times: 1, lagMs: 2000 } as const
  const events: ShopEvent[] = [
    {
      ...pay,
      atMs: 10_000,
      payment,
      reference: 'nobody',
      rawAmount: '2000000',
      jetton: 'usdt',
    },
    { kind: 'webhook', atMs: 22_000, payment, process: 0, names: 'trace' },
    { kind: 'assign', atMs: 25_000, payment, names: 'trace', reference },
    { kind: 'refund', atMs: 300_000, payment, names: 'last', anyJetton: true },
    {
      kind: 'order',
      atMs: 900_000,
      reference,
      rawAmount: '2000000000',
      isBound: true,
      usdtAmount: '4000000',
    },
    { ...pay, atMs: 950_000, payment: 'p2', reference, rawAmount: '4000000', jetton: 'other' },
    { kind: 'accept', atMs: 1_200_000, reference },
  ]
  const { problems, trace } = await simulateShop({ seed: 1, events })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes('handler.onPaid'))).toHaveLength(1)
})

/** An operator accepts the money, and two ask for refunds when the chain has shown it. */
function acceptance(first: string, last: string): ShopEvent[] {
  return [
    { kind: 'accept', atMs: 10_000, reference },
    { kind: 'refund', atMs: 200_000, payment: first, names: 'first' },
    { kind: 'refund', atMs: 220_000, payment: last, names: 'last' },
  ]
}

/** Returns the results of requests for refunds. */
function refundsOf(trace: readonly string[]): string[] {
  return trace.flatMap((line) => /refund: (\w+)/.exec(line)?.[1] ?? [])
}
