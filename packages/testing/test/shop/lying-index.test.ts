import { createPaymentVerifier } from '@tonplug/core'
import { simulateShop, type ShopEvent, type ShopSimulation } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const reference = 'order-1'
const [coins, usdt] = ['2000000000', '4000000']
const paid = { kind: 'pay', atMs: 21_000, reference, times: 1, lagMs: 2000 } as const

/** Payments that the index of the shop shows as the price of the order. */
const LIES: [string, Omit<Extract<ShopEvent, { kind: 'pay' }>, 'payment'>][] = [
  ['invented', { ...paid, rawAmount: coins, lie: 'invented' }],
  ['doubled', { ...paid, rawAmount: '1000000000', lie: 'amount' }],
  ['of another sender', { ...paid, rawAmount: coins, lie: 'sender' }],
  ['of another asset', { ...paid, rawAmount: usdt, jetton: 'other', lie: 'asset' }],
  ['withheld', { ...paid, rawAmount: coins, lie: 'withheld' }],
]

/** Actions of an operator on a lie. */
const ACTIONS: Extract<ShopEvent, { kind: 'refund' | 'assign' | 'accept' }>[] = [
  { kind: 'refund', atMs: 60_000, payment: 'p1', names: 'last' },
  { kind: 'assign', atMs: 60_000, payment: 'p1', names: 'last', reference },
  { kind: 'accept', atMs: 60_000, reference },
]

interface Shown {
  isPaid: boolean
  isTrusting: boolean
  action?: (typeof ACTIONS)[number]
}

/** A buyer pays after the lie, if at all. */
function play(lie: ShopEvent, { isPaid, isTrusting, action }: Shown) {
  const told: ShopEvent = {
    kind: 'webhook',
    atMs: 24_000,
    payment: 'p1',
    process: 0,
    names: 'trace',
  }
  return simulateShop({
    seed: 1,
    events: [
      { kind: 'two-sources', atMs: 0 },
      {
        kind: 'order',
        atMs: 1000,
        reference,
        rawAmount: coins,
        usdtAmount: usdt,
        isBound: false,
      },
      lie,
      told,
      ...(action === undefined ? [] : [action, { ...action, atMs: 1_500_000 }]),
      ...(isPaid ? [{ ...paid, atMs: 60_000, payment: 'p2', rawAmount: coins }] : []),
    ],
    ...(isTrusting && { proof: ([v3], clock) => createPaymentVerifier({ v3, clock }) }),
  })
}

function countPaid({ trace }: ShopSimulation): number {
  return trace.filter((line) => line.includes('handler.onPaid')).length
}

describe('a payment that one of two indexes shows', () => {
  it.each(LIES)('S141 completes no order when it is %s', async (_, event) => {
    const lie = { ...event, payment: 'p1' }
    const alone = await play(lie, { isPaid: false, isTrusting: false })
    expect(alone.problems).toEqual([])
    expect(countPaid(alone)).toBe(0)
    const before = await play(lie, { isPaid: true, isTrusting: false })
    expect(before.problems).toEqual([])
    expect(countPaid(before)).toBe(1)
  })

  it.each(LIES.filter(([word]) => word !== 'withheld'))(
    'S141 is seen to complete the order of a shop that asks the liar alone when it is %s',
    async (_, event) => {
      const { problems } = await play(
        { ...event, payment: 'p1' },
        { isPaid: false, isTrusting: true },
      )
      expect(problems).toEqual([
        `order-1 is completed by p1, on the word of one index: ${event.lie}`,
      ])
    },
  )

  it.each(LIES.flatMap(([word, event]) => ACTIONS.map((action) => [word, event, action] as const)))(
    'S141 is neither used nor sent back by an operator when it is %s',
    async (_, event, action) => {
      const lie = {
        ...event,
        payment: 'p1',
        reference: action.kind === 'accept' ? reference : 'nobody',
      }
      const told = await play(lie, { isPaid: false, isTrusting: false, action })
      expect(told.problems).toEqual([])
      expect(countPaid(told)).toBe(0)
    },
  )

  it.each(ACTIONS.filter(({ kind }) => kind !== 'accept'))(
    'S141 is seen to be used by an operator of a shop that asks the liar alone: $kind',
    async (action) => {
      const lie = {
        ...paid,
        rawAmount: coins,
        payment: 'p1',
        reference: 'nobody',
        lie: 'invented',
      } as const
      const { problems } = await play(lie, { isPaid: false, isTrusting: true, action })
      expect(problems).toContain(
        action.kind === 'refund'
          ? 'a refund of p1 is proposed in spite of: invented'
          : 'order-1 is completed by p1, on the word of one index: invented',
      )
    },
  )
})
