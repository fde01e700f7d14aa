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
})
