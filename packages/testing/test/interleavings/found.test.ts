import type { Item } from '@tonplug/test-support/interleavings/items'
import type { Step } from '@tonplug/test-support/interleavings/steps'
import { describe, expect, it } from 'vitest'
import {
  assign,
  buyer,
  coins,
  jettons,
  KEY,
  order,
  pay,
  problemsOf,
  TON,
  USDT,
  webhook,
} from './found-steps.js'

describe('interleavings that were found by seeds', () => {
  it('S124 refunds the other one of two equal payments, which a webhook names later', async () => {
    const named = { ...jettons, comment: 'order-1' }
    const steps = [
      order(70_000, { asset: 'usdt', amount: USDT, comment: 'order-1' }),
      pay(15, [named, named]),
      webhook(25_000, 'own', { item: 1, hasTrace: false, process: 1 }),
    ]
    expect(await problemsOf(138, steps)).toEqual([])
  })

  it('S124 refunds a payment whose webhook was linked to an equal one of the same buyer', async () => {
    const named = { ...coins, comment: 'order-1' }
    const late = { payment: 'p2', lagsMs: [0, 90_000] }
    const steps = [
      order(2500, { comment: 'order-1' }),
      pay(70_000, [named]),
      pay(5, [named, named], late),
      webhook(2, 'own', { payment: 'p2', hasTrace: false }),
    ]
    expect(await problemsOf(24, steps)).toEqual([])
  })

  it('S41 reports no second webhook of a payment without a comment, whichever transaction it names', async () => {
    const steps = [
      order(0, { asset: 'usdt', amount: USDT, comment: 'order-1' }),
      pay(70_000, [jettons]),
      webhook(25_000, 'root'),
      webhook(25_000, 'own'),
    ]
    expect(await problemsOf(17, steps)).toEqual([])
  })

  it('S124 pays the order that a credit names, although a webhook of another order names its transaction', async () => {
    const other = { ...coins, buyer: 'buyer of order-2', comment: 'order-2' }
    const steps = [
      order(300, { reference: 'order-2', comment: 'order-2' }),
      order(0, { asset: 'usdt', amount: USDT }),
      pay(300, [jettons, other], { isRelayed: true }),
      webhook(0, 5),
    ]
    expect(await problemsOf(141, steps)).toEqual([])
  })

  it('S42 reports money without a comment whose order was stored and cancelled later', async () => {
    const steps: Step[] = [
      pay(2, [coins, coins]),
      webhook(7000, 'own', { process: 1 }),
      order(25_000),
      { kind: 'cancel', afterMs: 0, ...KEY },
    ]
    expect(await problemsOf(120, steps)).toEqual([])
  })

  it('S124 ends the use of a payment when another one has completed its order', async () => {
    const mismatch = { ...coins, comment: 'order-2', amount: (TON * 3n) / 2n }
    const named = { ...coins, comment: 'order-1' }
    const steps = [
      pay(0, [coins, mismatch], { isRelayed: true }),
      order(2),
      order(70_000, { reference: 'order-2', asset: 'usdt', amount: USDT }),
      pay(300, [named, named, named], { payment: 'p2', lagsMs: [0, 15_000, 90_000] }),
      webhook(0, 3),
      webhook(5, 'own', { payment: 'p2', process: 1 }),
    ]
    expect(await problemsOf(3, steps)).toEqual([])
  })

  it('S137 lists a mismatch that two sources have reported after it is decided again', async () => {
    const other: Item = { buyer, comment: 'order-1', asset: 'other', amount: TON }
    const steps: Step[] = [
      pay(15, [other]),
      webhook(2500, 'own', { hasTrace: false }),
      order(7000, { comment: 'order-1' }),
      { kind: 'reprocess', afterMs: 70_000, ...KEY },
    ]
    expect(await problemsOf(47, steps)).toEqual([])
  })

  it('S137 lists nothing to do about a webhook whose money a refund has used', async () => {
    const half = { ...jettons, amount: 1_333_333n }
    const refund = { isSigned: true, merchant: '', payment: 'p1', item: 0 }
    const steps: Step[] = [
      pay(0, [half, half]),
      webhook(70_000, 'root', { item: 1, process: 1 }),
      order(0, { asset: 'usdt', amount: 2_000_000n, comment: 'order-1' }),
      { kind: 'refund', afterMs: 70_015, ...refund },
    ]
    expect(await problemsOf(4, steps, { partial: 'add-up' })).toEqual([])
  })
})

describe('interleavings about acceptances that were found by seeds', () => {
  const ofThird: Item = {
    ...coins,
    buyer: 'buyer of order-3',
    comment: 'order-3',
    amount: 2n * TON,
  }
  const accept: Step = { kind: 'accept', afterMs: 25_000, ...KEY }

  it('S137 lists nothing to do about money that could not be accepted and has paid another order', async () => {
    const named: Item = { ...jettons, comment: 'order-1', amount: 2_000_000n }
    const steps = [
      pay(2, [named, { ...named, amount: 1_333_333n }], {
        payment: 'p2',
        lagsMs: [0, 90_000, 3000],
      }),
      pay(7000, [ofThird]),
      order(2500, { reference: 'order-2', comment: 'order-2', buyer: 'buyer of order-2' }),
      order(70_000, { ...ofThird, reference: 'order-3' }),
      order(300, { asset: 'usdt', amount: 2_000_000n, comment: 'order-1' }),
      assign(7000),
      accept,
      webhook(0, 'way', { payment: 'p2', hasTrace: false, process: 1 }),
      webhook(0, 'root', { reference: 'order-3', process: 1 }),
    ]
    expect(await problemsOf(1079, steps)).toEqual([])
  })

  it('S119 ends the use of a payment when another one is accepted for its order', async () => {
    const of = { merchant: 'm-2' }
    const second = { ...of, reference: 'order-2' }
    const named: Item = { ...coins, comment: 'order-1' }
    const ofSecond: Item = { ...coins, buyer: 'buyer of order-2', comment: 'order-2' }
    const first = { ...of, payment: 'p2' }
    const steps: Step[] = [
      pay(
        70_000,
        [
          { ...named, amount: 666_666_666n },
          { ...named, asset: 'usdt', amount: TON },
        ],
        { payment: 'p2', lagsMs: [0, 0, 0] },
      ),
      pay(0, [{ ...ofSecond, amount: 2n * TON }, named, { ...ofSecond, amount: 1_333_333_333n }], {
        isRelayed: true,
      }),
      webhook(0, 'own', { ...of, item: 1 }),
      webhook(2500, 'way', { ...second, process: 1 }),
      webhook(0, 'way', { ...second, item: 2 }),
      { kind: 'refund', afterMs: 300, ...first, item: 0, isSigned: false },
      order(0, { ...second, ...ofSecond, amount: 2n * TON, isBound: true }),
      assign(7000, { ...second, item: 1, process: 1 }),
      order(25_002, { ...of, comment: 'order-1', isBound: true }),
      webhook(2, 'way', second),
      webhook(15, 'way', { ...first, process: 1 }),
      { kind: 'refund', afterMs: 0, ...first, item: 1, isSigned: false },
      webhook(2, 'way', { ...first, process: 1 }),
      { ...accept, ...of, afterMs: 2 },
      { kind: 'reprocess', afterMs: 2500, ...KEY, ...of },
    ]
    expect(await problemsOf(854, steps)).toEqual([])
  })

  it('S118 refunds no money that was accepted beside another payment, and that two webhooks name', async () => {
    const amount = 3n * TON
    const steps: Step[] = [
      pay(15, [{ ...coins, buyer: 'buyer of order-2', comment: 'order-1' }]),
      pay(0, [{ ...coins, amount }], { payment: 'p5', lagsMs: [0, 90_000, 15_000] }),
      webhook(25_000, 'root', { payment: 'p5' }),
      order(300, { amount: 2n * TON }),
      webhook(70_000, 'own', { payment: 'p5', process: 1 }),
      { ...accept, afterMs: 0 },
    ]
    expect(await problemsOf(696_350, steps)).toEqual([])
  })

  it('S118 refunds no money that was accepted, before the chain shows it', async () => {
    const amount = 3n * TON
    const refund = { kind: 'refund', payment: 'p5', item: 0, merchant: '', isSigned: true } as const
    const steps: Step[] = [
      pay(15, [{ ...coins, buyer: 'buyer of order-2', comment: 'order-1' }]),
      pay(0, [{ ...coins, amount }], { payment: 'p5', lagsMs: [0, 90_000, 15_000] }),
      webhook(25_000, 'root', { payment: 'p5' }),
      order(300, { amount: 2n * TON }),
      webhook(70_000, 'own', { payment: 'p5', process: 1 }),
      { ...accept, afterMs: 0 },
      { ...refund, afterMs: 2500 },
    ]
    expect(await problemsOf(696_350, steps)).toEqual([])
  })
})

describe('interleavings about released refunds that were found by seeds', () => {
  it('S118 lists money whose refund was released, beside an equal payment that was reported', async () => {
    const amount = 1_333_333_333n
    const named: Item = { ...coins, comment: 'order-1', amount }
    const refund = { kind: 'refund', item: 0, merchant: '', isSigned: false } as const
    const steps: Step[] = [
      pay(7000, [named, named], { payment: 'p3' }),
      webhook(2500, 'own', { payment: 'p3', item: 1 }),
      pay(7000, [{ ...coins, amount }], { payment: 'p2' }),
      webhook(300, 'own', { payment: 'p3', process: 1 }),
      { ...refund, afterMs: 70_000, payment: 'p3' },
      webhook(15, 'own', { payment: 'p3', process: 1 }),
      { ...refund, afterMs: 15, payment: 'p2' },
      webhook(0, 'own', { payment: 'p2' }),
      order(70_000, { amount: 2n * TON }),
      { kind: 'cancel', afterMs: 0, ...KEY },
    ]
    expect(await problemsOf(902_681, steps)).toEqual([])
  })
})
