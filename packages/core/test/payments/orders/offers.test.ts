import {
  memoryOrderRepository,
  orderFromJson,
  orderToJson,
  type Offer,
  type Order,
} from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

const USDT = {
  raw: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
  bounceable: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
}
const OTHER_MASTER = '0:c113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const OFFERS: readonly Offer[] = [
  { rawAmount: 2_500_000_000n, asset: 'GRAM' },
  { rawAmount: 12_500_000n, asset: USDT.bounceable },
]

function offered(changes: Partial<Order> = {}): Order {
  return order({ rawAmount: undefined, asset: undefined, offers: OFFERS, ...changes })
}

describe('an order with offers', () => {
  it.each([
    ['TON', '2500000000', { rawAmount: '2500000000', asset: 'TON' }],
    [USDT.raw, '12500000', { rawAmount: '12500000', asset: USDT.raw }],
  ])('S127 is paid in %s, and the payment names the offer', async (asset, rawAmount, offer) => {
    const shop = openShop([offered()])
    const answer = await shop.send(transferCompleted({ asset, rawAmount }))
    expect(answer.decision).toMatchObject({ kind: 'paid', expected: rawAmount, offer })
    const { payment } = (await shop.orders.find({ reference: 'order-1' })) ?? {}
    expect(payment).toMatchObject({ rawAmount: BigInt(rawAmount), asset, offer })
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S127 is paid at a rate, and the decision names it', async () => {
    const at = new Date('2026-01-05T12:00:00.000Z')
    const rate = { price: '5', currency: 'USD', at, source: 'exchange', orderPrice: '12.50' }
    const shop = openShop([offered({ offers: [{ ...OFFERS[0]!, rate }, OFFERS[1]!] })])
    const answer = await shop.send(transferCompleted({ asset: 'TON', rawAmount: '2500000000' }))
    const offer = { rawAmount: '2500000000', asset: 'TON', rate: { ...rate, at: at.toISOString() } }
    expect(answer.decision).toMatchObject({ kind: 'paid', offer })
  })

  it('S127 names no offer in the decision about an order with one amount', async () => {
    const shop = openShop()
    const { decision } = await shop.send(transferCompleted())
    expect(decision).not.toHaveProperty('offer')
    expect((await shop.orders.find({ reference: 'order-1' }))?.payment).not.toHaveProperty('offer')
  })

  it('S129 is paid once: the payment by the other offer is extra', async () => {
    const shop = openShop([offered()])
    const first = transferCompleted({ asset: 'TON', rawAmount: '2500000000' })
    const second = transferCompleted({
      asset: USDT.raw,
      rawAmount: '12500000',
      txHash: 'b'.repeat(64),
    })
    expect(await shop.decide(first)).toBe('paid')
    expect(await shop.decide(second)).toBe('extra_payment')
    expect(await shop.decide(first)).toBe('duplicate')
  })

  it.each([
    ['TON', '12500000', { kind: 'amount_mismatch', expected: '2500000000' }],
    [USDT.raw, '2500000000', { kind: 'amount_mismatch', expected: '12500000' }],
    ['TON', '1', { kind: 'amount_mismatch', expected: '2500000000', received: '1' }],
    [
      OTHER_MASTER,
      '12500000',
      { kind: 'asset_mismatch', expected: `GRAM, ${USDT.bounceable}`, received: OTHER_MASTER },
    ],
    [OTHER_MASTER, '7', { kind: 'amount_mismatch', expected: '2500000000', asset: OTHER_MASTER }],
    ['USDT', '12500000', { kind: 'asset_mismatch', received: 'USDT' }],
  ])('S92 is not paid by %s with the amount %s', async (asset, rawAmount, decision) => {
    const shop = openShop([offered()])
    const answer = await shop.send(transferCompleted({ asset, rawAmount }))
    expect(answer.decision).toMatchObject(decision)
    expect((await shop.orders.find({ reference: 'order-1' }))?.status).toBe('pending')
  })

  it.each([
    ['an offer twice', { offers: [...OFFERS, { rawAmount: 1n, asset: 'TON' }] }],
    ['no offer', { offers: [] }],
    ['an offer without an end', { offers: [{ ...OFFERS[1]!, expiresAt: new Date(Number.NaN) }] }],
    ['offers and an amount', { rawAmount: 1n }],
    ['offers and an asset', { asset: 'TON' }],
    ['neither an amount nor offers', { offers: undefined }],
    ['an amount alone', { offers: undefined, rawAmount: 1n }],
    ['an asset alone', { offers: undefined, asset: 'TON' }],
    ['an amount that is a number', { offers: [{ rawAmount: 1, asset: 'TON' }] }],
  ])('is refused by the repository and by the rules with %s', async (_, changes) => {
    const wrong = { ...offered(), ...changes } as Order
    const orders = memoryOrderRepository()
    expect(() => orders.add(wrong)).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }),
    )
    const shop = openShop([], { orders: { ...orders, find: async () => wrong } })
    expect((await shop.send(transferCompleted())).status).toBe(503)
  })

  it('can be passed to JSON.stringify and read back, also after a spread', async () => {
    const rate = { price: '5', currency: 'USD', at: new Date(5), source: 'a', orderPrice: '12.50' }
    const offers = [
      { ...OFFERS[0], rawAmount: 2n ** 120n + 1n, asset: 'TON', rate, expiresAt: new Date(9) },
    ]
    const orders = memoryOrderRepository([offered({ offers, createdAt: new Date(1) })])
    const stored = await orders.find({ reference: 'order-1' })
    expect(JSON.parse(JSON.stringify(stored?.offers))).toEqual([
      {
        rawAmount: `${2n ** 120n + 1n}`,
        asset: 'TON',
        rate: { ...rate, at: '1970-01-01T00:00:00.005Z' },
        expiresAt: '1970-01-01T00:00:00.009Z',
      },
    ])
    const copy = { ...stored } as Order & { sku: string }
    copy.sku = 'cap'
    const text = JSON.stringify(orderToJson(copy))
    expect(orderFromJson(JSON.parse(text))).toEqual(copy)
    expect(orderFromJson(JSON.parse(JSON.stringify(stored)))).toEqual(stored)
  })

  it.each([
    [{ rawAmount: 5, asset: 'TON' }, 'order.rawAmount'],
    [{ rawAmount: '5.0', asset: 'TON' }, 'order.rawAmount'],
    [{ offers: [{ rawAmount: 5, asset: 'TON' }] }, 'offers[0].rawAmount'],
    [{ offers: 5 }, 'offers'],
    [{ rawAmount: '5', asset: 'TON', createdAt: 5 }, 'order.createdAt'],
    [{ rawAmount: '5', asset: 'TON', payment: { rawAmount: 5 } }, 'payment.rawAmount'],
    [{ rawAmount: '5' }, 'order.asset'],
  ])('is not read from the JSON %j', (fields, option) => {
    const json = { reference: 'order-1', status: 'pending', ...fields }
    expect(() => orderFromJson(json)).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', details: { option } }),
    )
  })
})
