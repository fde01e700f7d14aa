import type { Item } from '@tonplug/test-support/interleavings/items'
import type { Step } from '@tonplug/test-support/interleavings/steps'
import { describe, expect, it } from 'vitest'
import {
  assign,
  buyer,
  coins,
  jettons,
  order,
  pay,
  problemsOf,
  TON,
  USDT,
  webhook,
} from './found-steps.js'

const SECOND = { reference: 'order-2', comment: 'order-2', buyer: 'buyer of order-2' }
const named: Item = { ...coins, comment: 'order-1' }
const accept = (afterMs: number): Step => ({
  kind: 'accept',
  afterMs,
  reference: 'order-1',
  merchant: '',
})

describe('interleavings about webhooks that name another transaction of their trace, found by seeds', () => {
  it('S119 pays with the credit that a webhook describes, not with less money whose transaction it names', async () => {
    const key = { reference: 'order-1', merchant: 'm-1' }
    const whole = { ...named, amount: 2n * TON }
    const steps = [
      order(0, { ...key, comment: 'order-1', amount: 2n * TON, isBound: true }),
      pay(7000, [{ ...whole, amount: 1_333_333_333n }, whole], { lagsMs: [0, 3000, 0] }),
      webhook(0, 6, { ...key, item: 1 }),
    ]
    expect(await problemsOf(1734, steps, { partial: 'add-up' })).toEqual([])
  })

  it('S118 links the credit of an order whose transaction a webhook about other money has claimed', async () => {
    const steps = [
      order(7000, { ...SECOND, isBound: true }),
      order(7000),
      pay(5, [{ ...coins, ...SECOND }, coins], { isRelayed: true, lagsMs: [0, 90_000, 0] }),
      webhook(5, 'root', { reference: 'order-2', hasTrace: false }),
      webhook(25_000, 2, { item: 1 }),
    ]
    expect(await problemsOf(2713, steps)).toEqual([])
  })

  it('S42 lists money whose transaction a webhook about the payment of its order has named', async () => {
    const steps = [
      pay(7000, [named, { ...coins, amount: 2n * TON }], { lagsMs: [0, 3000, 0] }),
      webhook(2, 4, { item: 1, process: 1 }),
      order(5, { comment: 'order-1', amount: 2n * TON, isBound: true }),
      assign(70_000),
    ]
    expect(await problemsOf(790, steps)).toEqual([])
  })

  it('S124 assigns no money whose webhook, about another order, has just arrived', async () => {
    const [paid, other] = [
      { ...coins, ...SECOND },
      { ...coins, comment: 'order-1' },
    ]
    const steps = [
      order(70_000, SECOND),
      webhook(2500, 0, { payment: 'none' }),
      pay(0, [paid, other], { payment: 'p3', lagsMs: [0, 0, 15_000] }),
      webhook(5, 'root', { payment: 'p3', reference: 'order-2', process: 1 }),
      webhook(7000, 'own', { payment: 'p3', reference: 'order-2', process: 1 }),
      assign(0, { payment: 'p3', process: 1 }),
      order(2, { comment: 'order-1', isBound: true }),
    ]
    expect(await problemsOf(740009644, steps)).toEqual([])
  })

  it('S133 accepts money of a webhook that names a transaction on the way to its credit, without the trace', async () => {
    const part = { ...jettons, comment: 'order-1', amount: 2_666_666n }
    const steps = [
      pay(0, [part], { payment: 'p2', lagsMs: [0, 0, 3000] }),
      order(2, { asset: 'usdt', amount: USDT, comment: 'order-1' }),
      pay(2, [part]),
      webhook(7000, 'way', { payment: 'p2', hasTrace: false }),
      webhook(5, 'way'),
      accept(300),
    ]
    expect(await problemsOf(2538, steps, { partial: 'add-up' })).toEqual([])
  })

  it('S133 stores a jetton that no order asks for, and that was accepted before a look-up', async () => {
    const steps = [
      order(2500, { amount: 2n * TON }),
      pay(7000, [{ buyer, comment: '', asset: 'other', amount: 2000n * TON }], {
        lagsMs: [0, 3000, 0],
      }),
      webhook(300, 1),
      webhook(2500, 'way', { process: 1 }),
      accept(0),
    ]
    expect(await problemsOf(2425, steps, { overpaid: 'accept' })).toEqual([])
  })
})
