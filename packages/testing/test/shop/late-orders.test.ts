import { simulateShop } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

describe('an order that is stored after the webhooks of its payment', () => {
  it('S116 has no extra payment when two webhooks name two transactions of one payment', async () => {
    const payment = 'p1-2'
    const { problems } = await simulateShop({
      seed: 73,
      events: [
        {
          kind: 'pay',
          atMs: 187_226,
          payment,
          reference: 'order-1',
          rawAmount: '1000000000',
          times: 1,
          lagMs: 0,
        },
        { kind: 'webhook', atMs: 187_726, payment, process: 1, names: 'trace' },
        { kind: 'webhook', atMs: 189_226, payment, process: 1, names: 'first' },
        {
          kind: 'order',
          atMs: 192_226,
          reference: 'order-1',
          rawAmount: '1000000000',
          isBound: true,
        },
      ],
    })
    expect(problems.filter((problem) => problem.includes('onExtraPayment'))).toEqual([])
  })

  it('S117 has two mismatches when its halves are equal and the webhook names the second', async () => {
    const payment = 'p13-1'
    const { problems } = await simulateShop({
      seed: 1,
      events: [
        {
          kind: 'fault',
          atMs: 1_549_706,
          process: 1,
          port: 'handler.onUnknownOrder',
          moment: 'kill-before',
        },
        {
          kind: 'pay',
          atMs: 2_228_146,
          payment,
          reference: 'order-13',
          rawAmount: '500000000',
          times: 2,
          lagMs: 0,
        },
        { kind: 'webhook', atMs: 2_230_146, payment, process: 1, names: 'last' },
        {
          kind: 'order',
          atMs: 2_233_146,
          reference: 'order-13',
          rawAmount: '1000000000',
          isBound: false,
        },
      ],
    })
    expect(problems).toEqual([])
  })

  it('S124 is paid by a mismatch of the only order that had its comment before', async () => {
    const [reference, rawAmount] = ['order-2', '2000000000']
    const { problems, trace } = await simulateShop({
      seed: 2686,
      events: [
        { kind: 'order', atMs: 21_221, reference, rawAmount: '1000000000', isBound: false },
        { kind: 'pay', atMs: 22_221, payment: 'p1', reference, rawAmount, times: 1, lagMs: 0 },
        {
          kind: 'fault',
          atMs: 278_492,
          process: 1,
          port: 'cursor.save',
          moment: 'kill-before',
        },
        { kind: 'order', atMs: 306_566, reference, rawAmount, isBound: true, merchant: 'm-2' },
      ],
    })
    expect(problems).toEqual([])
    expect(trace.some((line) => line.includes('handler.onMismatch'))).toBe(true)
    expect(trace.some((line) => line.includes('handler.onPaid'))).toBe(true)
  })

  it("S124 is paid by an extra payment of another merchant's order that had its reference before", async () => {
    const [reference, rawAmount] = ['order-4', '1000000000']
    const order = { kind: 'order', reference, rawAmount, isBound: true } as const
    const paid = { kind: 'pay', reference, rawAmount, times: 1, lagMs: 0 } as const
    const { problems, trace } = await simulateShop({
      seed: 2,
      events: [
        { kind: 'suspend', atMs: 0 },
        { ...paid, atMs: 286_012, payment: 'p1' },
        { ...order, atMs: 291_012, merchant: 'm-1' },
        { ...paid, atMs: 311_012, payment: 'p2' },
        { ...order, atMs: 500_000 },
      ],
    })
    expect(problems).toEqual([])
    expect(trace.filter((line) => line.includes('handler.onExtraPayment'))).toHaveLength(1)
    expect(trace.filter((line) => line.includes('handler.onPaid'))).toHaveLength(2)
  })
})
