import type { Item } from '@tonplug/test-support/interleavings/items'
import type { Step } from '@tonplug/test-support/interleavings/steps'
import { describe, expect, it } from 'vitest'
import {
  assign,
  coins,
  jettons,
  order,
  pay,
  problemsOf,
  TON,
  USDT,
  webhook,
} from './found-steps.js'

const ADD_UP = { partial: 'add-up' } as const
const ACCEPT = { overpaid: 'accept' } as const
const SECOND = { reference: 'order-2', comment: 'order-2', buyer: 'buyer of order-2' }
/** Money for the second order. */
const ofSecond: Item = { ...coins, buyer: SECOND.buyer, comment: SECOND.comment }
const unnamed: Item = { ...ofSecond, comment: '' }

describe('interleavings about the links of webhooks that were found by seeds', () => {
  it('S41 pays no order with money of another comment, beside the money of its webhook', async () => {
    const steps = [
      order(7000, { ...SECOND, comment: '' }),
      pay(70_000, [{ ...unnamed, comment: 'nobody' }, unnamed], { lagsMs: [0, 90_000, 15_000] }),
      webhook(2500, 'way', { reference: 'order-2', item: 1, hasTrace: false, process: 1 }),
    ]
    expect(await problemsOf(810_161, steps)).toEqual([])
  })

  it('S124 stores a jetton without a comment whose order was paid long before the index shows it', async () => {
    const jetton: Item = { ...unnamed, asset: 'usdt', amount: 2_000_000n }
    const steps = [
      order(25_000, { ...SECOND, comment: '', asset: 'usdt', amount: 2_000_000n }),
      pay(70_000, [jetton], { lagsMs: [0, 90_000, 0] }),
      webhook(7000, 'own', { reference: 'order-2', process: 1 }),
    ]
    expect(await problemsOf(914_573_760, steps)).toEqual([])
  })

  it('S124 stores a jetton of an unknown order beside another jetton of its trace', async () => {
    const named: Item = { ...jettons, comment: 'order-2', amount: 2_666_666n }
    const steps = [
      order(70_000, { asset: 'usdt', amount: USDT, isBound: true }),
      pay(5, [named, { ...unnamed, asset: 'other', amount: 2n * TON }]),
      webhook(27_500, 'root', { reference: 'order-2', item: 1 }),
    ]
    expect(await problemsOf(192_362_993, steps)).toEqual([])
  })

  it('S110 refunds money by its transaction, which no report names', async () => {
    const jetton = { ...jettons, amount: 666_666_666n }
    const steps = [
      pay(70_000, [coins, jetton], { lagsMs: [0, 90_000, 3000] }),
      webhook(25_000, 'root', { item: 1, process: 1 }),
      webhook(300, 'root', { process: 1 }),
    ]
    expect(await problemsOf(810_261, steps, ACCEPT)).toEqual([])
  })

  it('S119 links two equal credits to the orders of two webhooks when one names the root', async () => {
    const [amount, third] = [2n * TON, 'order-3']
    const steps = [
      order(2, { reference: third, comment: third, amount }),
      order(0, { ...SECOND, comment: '', amount }),
      pay(
        0,
        [
          { ...unnamed, amount },
          { ...coins, amount },
        ],
        { lagsMs: [0, 90_000, 3000] },
      ),
      webhook(300, 'own', { reference: 'order-2', hasTrace: false, process: 1 }),
      webhook(300, 'way', { reference: third, item: 1, process: 1 }),
    ]
    expect(await problemsOf(710_000_997, steps)).toEqual([])
  })

  it('S42 lists money without a comment beside the payment of its order', async () => {
    const amount = 2n * TON
    const steps = [
      pay(
        25_000,
        [
          { ...ofSecond, amount },
          { ...unnamed, amount },
        ],
        { payment: 'p2', lagsMs: [0, 15_000, 0] },
      ),
      webhook(300, 'own', { payment: 'p2', reference: 'order-2', item: 1, process: 1 }),
      order(70_000, { ...SECOND, amount, isBound: true }),
    ]
    expect(await problemsOf(820_110, steps, ACCEPT)).toEqual([])
  })

  it('S42 reports money of another trace than the payment of its order, which is never linked', async () => {
    const price = { asset: 'usdt', amount: USDT, comment: '', isBound: true } as const
    const steps = [
      order(0, { ...SECOND, ...price }),
      order(0, price),
      pay(7000, [jettons], { payment: 'p2', lagsMs: [0, 15_000, 3000] }),
      pay(300, [{ ...jettons, buyer: SECOND.buyer, amount: 6_000_000n }]),
      // It names another order than the body of the money does.
      webhook(20, 'way', { payment: 'p2', reference: 'order-2', process: 1 }),
      webhook(5, 'own', { reference: 'order-2', process: 1 }),
    ]
    const problems = await problemsOf(665_237_658, steps)
    expect(problems).toEqual(['order-2 is completed without a credit'])
  })

  it('S42 lists money in another asset than the payment of its order, in one trace', async () => {
    const other: Item = { ...coins, asset: 'other', amount: 2000n * TON }
    const late: Step = {
      kind: 'refund',
      afterMs: 2500,
      payment: 'p4',
      item: 0,
      merchant: '',
      isSigned: false,
    }
    const steps = [
      order(0, { amount: 2n * TON }),
      pay(15, [other, { ...ofSecond, comment: 'order-1', amount: 2n * TON }], {
        payment: 'p2',
        isRelayed: true,
        lagsMs: [0, 0, 15_000],
      }),
      pay(300, [{ ...coins, comment: 'order-2', amount: 3n * TON }], {
        payment: 'p4',
        isRelayed: true,
        lagsMs: [0, 3000, 90_000],
      }),
      webhook(2500, 'root', { payment: 'p2', hasTrace: false, process: 1 }),
      late,
    ]
    expect(await problemsOf(820_586, steps, ADD_UP)).toEqual([])
  })

  it('S42 lists money of a webhook whose transaction has paid the order with other money', async () => {
    const [over, alien, named] = [
      { ...unnamed, amount: 3n * TON },
      { ...unnamed, comment: 'nobody', amount: 2n * TON },
      { ...ofSecond, amount: 2n * TON },
    ] as const
    const of = { payment: 'p3', reference: 'order-2' }
    const steps = [
      pay(0, [over, alien, named], { payment: 'p3' }),
      webhook(0, 'root', { ...of, hasTrace: false }),
      order(25_000, { ...SECOND, amount: 2n * TON, isBound: true }),
      webhook(0, 'root', { ...of, item: 2, process: 1 }),
    ]
    expect(await problemsOf(914_574_390, steps, ADD_UP)).toEqual([])
  })

  it('S42 lists money of a webhook that lost to another one of its order, at one moment', async () => {
    const of = { payment: 'p3', reference: 'order-2' }
    const amount = 2n * TON
    const steps = [
      pay(
        0,
        [
          { ...unnamed, amount: 3n * TON },
          { ...ofSecond, amount },
        ],
        { payment: 'p3' },
      ),
      webhook(0, 'root', { ...of, hasTrace: false }),
      webhook(0, 'root', { ...of, item: 1, process: 1 }),
      order(25_000, { ...SECOND, amount, isBound: true }),
    ]
    expect(await problemsOf(52_239, steps, ADD_UP)).toEqual([])
  })
})

describe('interleavings about several payments of one buyer that were found by seeds', () => {
  it('S118 pays no order by a webhook whose money a refund has, beside less money of its payer', async () => {
    const named = { ...coins, comment: 'order-1' }
    const refund = { kind: 'refund', payment: 'p1', merchant: '' } as const
    const steps: Step[] = [
      pay(0, [named, { ...named, amount: 666_666_666n }], {
        isRelayed: true,
        lagsMs: [0, 0, 15_000],
      }),
      { ...refund, afterMs: 70_000, item: 1, isSigned: true },
      order(0, { comment: 'order-1' }),
      { ...refund, afterMs: 70_000, payment: 'p3', item: 0, merchant: 'm-1', isSigned: false },
      { ...refund, afterMs: 300, item: 0, isSigned: false },
      webhook(300, 'way', { process: 1 }),
    ]
    expect(await problemsOf(830_009, steps, ACCEPT)).toEqual([])
  })

  it('S119 ends the uses of parts whose order a webhook has completed at the same moment', async () => {
    const named = { ...coins, comment: 'order-1' }
    const alien = { ...coins, comment: 'nobody', amount: 1_333_333_333n }
    const steps: Step[] = [
      pay(0, [named, named, alien], { isRelayed: true, lagsMs: [0, 0, 3000] }),
      pay(15, [{ ...named, amount: 2n * TON }], { payment: 'p2', lagsMs: [0, 15_000, 15_000] }),
      { kind: 'refund', afterMs: 2, payment: 'p2', item: 0, merchant: '', isSigned: false },
      webhook(7000, 'way', { payment: 'p2', hasTrace: false, process: 1 }),
      webhook(70_000, 'way', { item: 1, hasTrace: false, process: 1 }),
      order(15, { amount: 2n * TON, comment: 'order-1', isBound: true }),
    ]
    expect(await problemsOf(830_550, steps, ADD_UP)).toEqual([])
  })

  it('S110 refunds the money of a transaction, although webhooks name one of the trace', async () => {
    const of = { payment: 'p2' }
    const steps = [
      pay(15, [{ ...ofSecond, amount: 3n * TON }, coins, { ...coins, comment: 'order-1' }], {
        ...of,
        lagsMs: [0, 90_000, 0],
      }),
      order(7000, { comment: 'order-1', isBound: true }),
      webhook(25_000, 'way', { ...of, item: 1, process: 1 }),
      webhook(5, 'way', { ...of, item: 2 }),
    ]
    expect(await problemsOf(830_915, steps)).toEqual([])
  })
})

describe('interleavings about lost claims that were found by seeds', () => {
  it('S119 uses what a sum has claimed beside the payment that completes the order alone', async () => {
    const part = { ...coins, amount: 1_333_333_333n }
    const named = { comment: 'order-1', amount: 2n * TON }
    const steps = [
      pay(
        0,
        [
          { ...part, comment: 'nobody' },
          { ...part, comment: 'order-1' },
        ],
        {
          payment: 'p2',
          lagsMs: [0, 0, 90_000],
        },
      ),
      pay(300, [{ ...coins, ...named }], { lagsMs: [0, 90_000, 15_000] }),
      webhook(5, 'own', { payment: 'p2', item: 1 }),
      assign(70_000, { payment: 'p2', process: 1 }),
      webhook(5, 'root'),
      webhook(0, 'own'),
      order(70_000, { ...named, isBound: true }),
    ]
    expect(await problemsOf(856_848_110, steps, ADD_UP)).toEqual([])
  })

  it('S118 assigns money whose transaction a webhook has claimed that lost its order', async () => {
    const third = { reference: 'order-3', comment: 'order-3', buyer: 'buyer of order-3' }
    const paid = { ...coins, ...third, amount: 2n * TON }
    const own = { reference: 'order-3', hasTrace: false, process: 1 }
    const steps = [
      order(2500, { ...third, amount: 2n * TON, isBound: true }),
      order(300, { comment: 'order-1', amount: 2n * TON, isBound: true }),
      pay(7000, [paid, paid, paid], { lagsMs: [0, 0, 0] }),
      webhook(0, 'own', { ...own, item: 1 }),
      webhook(0, 'way', own),
      assign(25_000, { item: 1, process: 1 }),
    ]
    expect(await problemsOf(856_846_513, steps, ADD_UP)).toEqual([])
  })

  it('S119 ends the use of a payment whose order was cancelled before it was completed', async () => {
    const named = { ...ofSecond, amount: 2n * TON }
    const steps: Step[] = [
      pay(2500, [named], { payment: 'p3', lagsMs: [0, 3000, 15_000] }),
      order(15, { reference: 'order-3', asset: 'usdt', amount: USDT, buyer: 'buyer of order-3' }),
      order(25_000, { ...SECOND, amount: 2n * TON }),
      webhook(300, 'own', { payment: 'p3', reference: 'order-2' }),
      { kind: 'cancel', afterMs: 5, reference: 'order-2', merchant: '' },
    ]
    expect(await problemsOf(820_900, steps)).toEqual([])
  })

  it('S119 ends the use of a payment that lost, when the other one is shown later', async () => {
    const named: Item = { ...jettons, comment: 'order-1' }
    const steps = [
      pay(70_000, [named], { payment: 'p2', isRelayed: true, lagsMs: [0, 90_000, 0] }),
      webhook(2500, 'root', { payment: 'p5', hasTrace: false }),
      pay(2500, [{ ...named, amount: 6_000_000n }, named], {
        payment: 'p4',
        isRelayed: true,
        lagsMs: [0, 0, 0],
      }),
      webhook(15, 'way', { payment: 'p4', item: 1, hasTrace: false }),
      webhook(15, 'way', { payment: 'p2' }),
      order(7000, { asset: 'usdt', amount: USDT, comment: 'order-1', isBound: true }),
    ]
    expect(await problemsOf(820_922, steps, ADD_UP)).toEqual([])
  })

  it('S119 ends the use of a payment that lost, when the chain shows the other one with its own hash', async () => {
    const named = { ...coins, comment: 'order-1' }
    const of = { merchant: 'm-2', process: 1 }
    const steps: Step[] = [
      pay(25_000, [named, named], { payment: 'p4', lagsMs: [0, 90_000, 3000] }),
      pay(5, [named, named], { payment: 'p2', lagsMs: [0, 0, 3000] }),
      webhook(25_000, 'way', { ...of, payment: 'p4', item: 1, hasTrace: false }),
      pay(15, [named], { isRelayed: true, lagsMs: [0, 90_000, 0] }),
      webhook(7000, 'way', { ...of, payment: 'p4', item: 1 }),
      webhook(70_000, 'root', { ...of, payment: 'p2', hasTrace: false }),
      webhook(0, 'own', { merchant: 'm-2' }),
      order(300, { merchant: 'm-2', comment: 'order-1', isBound: true }),
      { kind: 'refund', afterMs: 0, payment: 'p4', item: 1, merchant: 'm-2', isSigned: false },
    ]
    expect(await problemsOf(687_585_768, steps)).toEqual([])
  })

  it('S119 refunds the surplus of a payment that two webhooks have claimed at once', async () => {
    const named = { ...coins, comment: 'order-1', amount: (3n * TON) / 2n }
    const of = { payment: 'p3' }
    const steps = [
      pay(0, [{ ...ofSecond, amount: 2n * TON }], { lagsMs: [0, 90_000, 0] }),
      order(2500, { ...SECOND, amount: 2n * TON, isBound: true }),
      pay(0, [named], { payment: 'p3', isRelayed: true, lagsMs: [0, 15_000, 15_000] }),
      webhook(70_000, 'way', { ...of, process: 1 }),
      webhook(2, 'root', of),
      webhook(300, 'way', { payment: 'p4', reference: 'order-2' }),
      order(0, { comment: 'order-1', isBound: true }),
    ]
    expect(await problemsOf(820_602, steps, ADD_UP)).toEqual([])
  })

  it('S119 refunds the surplus of parts that two sums have claimed at once', async () => {
    const named = { ...coins, comment: 'order-1' }
    const steps = [
      pay(15, [{ ...named, amount: TON / 2n }], { payment: 'p2', lagsMs: [0, 0, 90_000] }),
      order(5, { comment: 'order-1' }),
      assign(70_000, { payment: 'p2', process: 1 }),
      pay(0, [named, named], { payment: 'p3', lagsMs: [0, 3000, 0] }),
      webhook(25_000, 'way', { payment: 'p2' }),
      assign(5, { payment: 'p3', item: 1, process: 1 }),
    ]
    expect(await problemsOf(820_337, steps, ADD_UP)).toEqual([])
  })

  it('S133 uses a payment that is shown while an operator accepts it', async () => {
    const steps: Step[] = [
      pay(15, [{ ...ofSecond, comment: 'order-1' }], { isRelayed: true, lagsMs: [0, 15_000, 0] }),
      pay(300, [{ ...coins, amount: 3n * TON }], { payment: 'p5', lagsMs: [0, 90_000, 15_000] }),
      webhook(25_000, 'root', { payment: 'p5' }),
      order(300, { amount: 2n * TON }),
      webhook(70_000, 'root', { payment: 'p5', process: 1 }),
      { kind: 'accept', afterMs: 0, reference: 'order-1', merchant: '' },
    ]
    expect(await problemsOf(820_828, steps)).toEqual([])
  })
})

describe('interleavings about money that the chain shows later that were found by seeds', () => {
  it('S119 ends a lost use when the payment of the order is linked', async () => {
    const [named, unlabelled]: [Item, Item] = [
      { ...jettons, comment: 'order-1', amount: 2_000_000n },
      { ...jettons, amount: 2_000_000n },
    ]
    const steps: Step[] = [
      pay(7000, [{ ...named, comment: 'nobody' }, unlabelled, unlabelled], {
        payment: 'p3',
        lagsMs: [0, 0, 90_000],
      }),
      pay(2, [{ ...named, amount: 1_000_000n }], { payment: 'p4', lagsMs: [0, 90_000, 15_000] }),
      pay(300, [named], { payment: 'p2', isRelayed: true, lagsMs: [0, 0, 3000] }),
      webhook(300, 'own', { payment: 'p3', item: 2, hasTrace: false, process: 1 }),
      webhook(25_000, 'way', { payment: 'p2', hasTrace: false, process: 1 }),
      webhook(25_000, 'root', { payment: 'p4', hasTrace: false }),
      order(300, { asset: 'usdt', amount: 2_000_000n, comment: 'order-1' }),
      { kind: 'reprocess', afterMs: 0, reference: 'order-1', merchant: '' },
    ]
    expect(await problemsOf(1_002_733, steps, ACCEPT)).toEqual([])
  })

  it('S118 refunds no payment of an order before a watcher has stored it', async () => {
    const named = { ...coins, comment: 'order-1' }
    const refund = { kind: 'refund', payment: 'p1', merchant: '', isSigned: true } as const
    const [first, third] = [
      { reference: 'order-2', process: 1 },
      { reference: 'order-2', payment: 'p3' },
    ]
    const steps: Step[] = [
      pay(
        0,
        [
          { ...unnamed, amount: 666_666_666n },
          { ...named, amount: 2n * TON },
        ],
        {
          payment: 'p3',
          isRelayed: true,
          lagsMs: [0, 15_000, 15_000],
        },
      ),
      order(25_000, { ...SECOND, comment: '' }),
      pay(70_000, [{ ...named, amount: 2n * TON }], {
        payment: 'p2',
        isRelayed: true,
        lagsMs: [0, 90_000, 90_000],
      }),
      pay(2500, [ofSecond, { ...named, amount: 3n * TON }], {
        isRelayed: true,
        lagsMs: [0, 3000, 3000],
      }),
      webhook(0, 'own', { ...first, hasTrace: false }),
      webhook(0, 'way', third),
      webhook(0, 'root', first),
      assign(0, { item: 1, process: 1 }),
      { ...refund, afterMs: 0, item: 1 },
      webhook(7000, 'own', { ...third, process: 1 }),
      { ...refund, afterMs: 0, item: 0 },
    ]
    expect(await problemsOf(1_002_835, steps, ADD_UP)).toEqual([])
  })
})

describe('interleavings about equal parts that were found by seeds', () => {
  it('S133 accepts money in two assets of one trace, after a webhook has reported the second', async () => {
    const first: Item = { ...coins, comment: 'order-1', amount: 666_666_666n }
    const other: Item = { ...coins, asset: 'other', amount: 1000n * TON }
    const steps: Step[] = [
      pay(0, [first, other], { isRelayed: true, lagsMs: [0, 15_000, 0] }),
      webhook(0, 'root', { item: 1, process: 1 }),
      order(300, { comment: 'order-1' }),
      { kind: 'accept', afterMs: 70_000, reference: 'order-1', merchant: '' },
    ]
    expect(await problemsOf(3_002_237, steps, ACCEPT)).toEqual([])
  })

  it('S133 keeps the link of an accepted payment that two webhooks name by different transactions', async () => {
    const steps: Step[] = [
      order(0, { asset: 'usdt', amount: 2_000_000n }),
      pay(5, [{ ...jettons, amount: 1_000_000n }], { lagsMs: [0, 90_000, 0] }),
      webhook(15, 'own', { hasTrace: false }),
      webhook(15, 'way', { hasTrace: false }),
      { kind: 'accept', afterMs: 300, reference: 'order-1', merchant: '' },
      pay(
        0,
        [
          { ...jettons, comment: 'order-1' },
          { ...unnamed, asset: 'other', amount: 2n * TON },
        ],
        {
          payment: 'p2',
        },
      ),
      webhook(70_000, 'root', { payment: 'p2', item: 1 }),
    ]
    expect(await problemsOf(192_362_993, steps)).toEqual([])
  })

  it('S133 accepts two payments of one trace that webhooks name by their own transactions', async () => {
    const of = { reference: 'order-2', hasTrace: false }
    const part = { ...ofSecond, asset: 'usdt', amount: 2_666_666n } as const
    const steps: Step[] = [
      pay(25_000, [part, { ...coins, comment: 'nobody' }, { ...part, amount: 2_000_000n }], {
        isRelayed: true,
        lagsMs: [0, 3000, 0],
      }),
      webhook(2, 'own', { ...of, process: 1 }),
      order(0, { ...SECOND, asset: 'usdt', amount: USDT, isBound: true }),
      { kind: 'accept', afterMs: 2500, reference: 'order-2', merchant: '' },
      webhook(0, 'own', { ...of, item: 2 }),
    ]
    expect(await problemsOf(856_844_775, steps, ADD_UP)).toEqual([])
  })

  it('S133 accepts both of two equal parts, after a webhook has reported one', async () => {
    const half: Item = { ...jettons, comment: 'order-1', amount: 1_000_000n }
    const steps: Step[] = [
      pay(0, [half, half], { payment: 'p3', lagsMs: [0, 3000, 0] }),
      { kind: 'expire', afterMs: 70_000, reference: 'order-2', merchant: 'm-2' },
      order(5, { asset: 'usdt', amount: 2_000_000n, comment: 'order-1', isBound: true }),
      webhook(2500, 'root', { payment: 'p3', item: 1, process: 1 }),
      { kind: 'accept', afterMs: 70_000, reference: 'order-1', merchant: '' },
    ]
    expect(await problemsOf(2_002_984, steps, ACCEPT)).toEqual([])
  })

  it('S42 reports no payment as extra while it is linked to its order', async () => {
    const named = { ...coins, comment: 'order-1' }
    const steps = [
      order(2500, { comment: 'order-1', isBound: true }),
      pay(0, [{ ...named, amount: 666_666_666n }], {
        payment: 'p2',
        isRelayed: true,
        lagsMs: [0, 15_000, 0],
      }),
      webhook(0, 'root', { payment: 'p2' }),
      pay(0, [named], { lagsMs: [0, 0, 15_000] }),
      webhook(0, 'own', { hasTrace: false }),
      webhook(15, 'way', { hasTrace: false, process: 1 }),
      webhook(15, 'root', { payment: 'p2', hasTrace: false, process: 1 }),
    ]
    expect(await problemsOf(2_002_038, steps, ADD_UP)).toEqual([])
  })
})

describe('interleavings about lists that were found by seeds', () => {
  it('S137 lists nothing to do about a part of a payment that a webhook has reported first', async () => {
    const named: Item = { ...jettons, comment: 'order-1', amount: 2_000_000n }
    const steps = [
      pay(0, [{ ...named, amount: 1_000_000n }, named, named], { lagsMs: [0, 0, 0] }),
      webhook(15, 'way', { process: 1 }),
      order(7000, { asset: 'usdt', amount: 2_000_000n, comment: 'order-1', isBound: true }),
    ]
    expect(await problemsOf(914_574_790, steps, ADD_UP)).toEqual([])
  })

  it('S137 lists nothing to do about an assignment whose money has paid another order since', async () => {
    const named: Item = { ...ofSecond, asset: 'usdt', amount: 2_000_000n }
    const of = { payment: 'p2', reference: 'order-2', process: 1 }
    const steps = [
      order(2, { amount: 2n * TON, comment: 'order-1' }),
      pay(2, [named], { payment: 'p2', lagsMs: [0, 90_000, 3000] }),
      webhook(70_000, 'own', of),
      assign(25_000, { payment: 'p2', process: 1 }),
      webhook(300, 'root', of),
      order(5, { ...SECOND, asset: 'usdt', amount: 2_000_000n }),
    ]
    expect(await problemsOf(820_537, steps)).toEqual([])
  })
})
