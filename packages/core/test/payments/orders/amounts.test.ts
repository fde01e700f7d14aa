import type { Offer, Order } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { transferCompleted } from '@tonplug/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openShop, order, type ShopOptions } from '../shop.js'

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
/** The end of the offers; payments of the builders are dated by the fake clock. */
const END_MS = Date.UTC(2026, 0, 5, 12)
const RATE = { price: '5', currency: 'USD', at: new Date(END_MS - 900_000), orderPrice: '12.50' }

function priced(changes: Partial<Offer> = {}): Order {
  const end = { rate: RATE, expiresAt: new Date(END_MS) }
  const offers = [
    { rawAmount: 2_500_000_000n, asset: 'TON', ...end, ...changes },
    { rawAmount: 12_500_000n, asset: USDT, ...end },
  ]
  return order({ rawAmount: undefined, asset: undefined, offers })
}

/** A payment of the native offer, by milliseconds after its end. */
function paid(afterMs: number, fields: object = {}) {
  const date = new Date(END_MS + afterMs).toISOString()
  return transferCompleted({ asset: 'TON', rawAmount: '2500000000', date, ...fields })
}

describe('a payment after the end of an offer with a rate', () => {
  it('S131 is paid until the last moment, however late it is reported', async () => {
    const shop = openShop([priced()])
    await shop.clock.advance(3_600_000)
    const { decision } = await shop.send(paid(0))
    expect(decision).toMatchObject({ kind: 'paid', isLate: false })
  })

  it('S131 is a mismatch by default, with the reason late, and the order stays open', async () => {
    const reasons: string[] = []
    const shop = openShop([priced()], { onMismatch: ({ reason }) => reasons.push(reason) })
    const { decision } = await shop.send(paid(1))
    const facts = { expected: '2500000000', received: '2500000000', isLate: true }
    expect(decision).toMatchObject({ kind: 'amount_mismatch', ...facts })
    expect(decision).not.toHaveProperty('lateRule')
    await shop.settle()
    expect(reasons).toEqual(['late'])
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
    const [listed] = await createOperator({ payments: shop.payments }).list()
    expect(listed?.action).toBe('accept_or_refund')
    expect(await shop.decide(paid(0, { txHash: 'in time' }))).toBe('paid')
  })

  it('S131 is late by the time of its report where it states no time', async () => {
    const shop = openShop([priced()])
    await shop.clock.advance(1)
    expect(await shop.decide(paid(0, { date: '' }))).toBe('amount_mismatch')
  })

  it('S131 is decided by the rule of the shop, which gets the amount and the time', async () => {
    const facts: unknown[] = []
    const shop = openShop([priced()], {
      acceptLate: async ({ offer, received, at }) => {
        facts.push([offer.rate?.orderPrice, offer.rawAmount, received, at.getTime()])
        return received >= 3_000_000_000n
      },
    })
    const less = paid(1000, { rawAmount: '2999999999' })
    expect((await shop.send(less)).decision).toMatchObject({
      kind: 'amount_mismatch',
      isLate: true,
    })
    const enough = paid(1000, { rawAmount: '3000000001', txHash: 'enough' })
    expect((await shop.send(enough)).decision).toMatchObject({
      kind: 'paid',
      isLate: true,
      amountRule: 'custom',
      offer: { asset: 'TON', rawAmount: '2500000000' },
    })
    expect(facts).toEqual([
      ['12.50', 2_500_000_000n, 2_999_999_999n, END_MS + 1000],
      ['12.50', 2_500_000_000n, 3_000_000_001n, END_MS + 1000],
    ])
    const { payment } = (await shop.orders.find({ reference: 'order-1' })) ?? {}
    expect(payment).toMatchObject({ isLate: true, rawAmount: 3_000_000_001n })
  })

  it.each<[string, ShopOptions['acceptLate']]>([
    ['throws', () => Promise.reject(new Error('no rate'))],
    [
      'throws at once',
      () => {
        throw new Error('no rate')
      },
    ],
    ['returns no boolean', (() => 'yes') as never],
  ])('S131 is a mismatch that can be decided again when the rule %s', async (_, fails) => {
    let rule = fails
    const shop = openShop([priced()], { acceptLate: (facts) => rule?.(facts) ?? false })
    const { decision } = await shop.send(paid(1))
    expect(decision).toMatchObject({ kind: 'amount_mismatch', isLate: true, lateRule: 'failed' })
    rule = () => true
    await createOperator({ payments: shop.payments }).reprocess(
      { reference: 'order-1' },
      { by: 'ann' },
    )
    await shop.clock.advance(10_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S131 is a mismatch when the rule is too slow', async () => {
    const shop = openShop([priced()], { acceptLate: () => new Promise(() => undefined) })
    const sent = shop.send(paid(1))
    await shop.clock.waitForTimer(({ delayMs }) => delayMs === 5000)
    await shop.clock.advance(5000)
    expect((await sent).decision).toMatchObject({ kind: 'amount_mismatch', lateRule: 'failed' })
  })

  it('S131 S97 is paid and late where the offer has no rate', async () => {
    const shop = openShop([{ ...priced({ rate: undefined }), status: 'expired' }])
    expect((await shop.send(paid(1000))).decision).toMatchObject({ kind: 'paid', isLate: true })
  })

  it('S131 is a mismatch in another amount, whatever the policy about amounts accepts', async () => {
    const shop = openShop([priced()], { amounts: { overpaid: 'accept' } })
    expect(await shop.decide(paid(1, { rawAmount: '9900000000' }))).toBe('amount_mismatch')
  })

  it('S42 does not ask the rule for a cancelled order', async () => {
    let calls = 0
    const shop = openShop([{ ...priced(), status: 'cancelled' }], {
      acceptLate: () => ++calls > 0,
    })
    expect(await shop.decide(paid(1))).toBe('amount_mismatch')
    expect(calls).toBe(0)
  })
})

describe('amounts', () => {
  it('S134 records the surplus of a payment that is accepted', async () => {
    const shop = openShop([order()], { amounts: { overpaid: 'accept' } })
    const { decision } = await shop.send(transferCompleted({ rawAmount: '10500000007' }))
    const facts = { kind: 'paid', amountRule: 'policy', expected: '10500000000', surplus: '7' }
    expect(decision).toMatchObject(facts)
    const { payment } = (await shop.orders.find({ reference: 'order-1' })) ?? {}
    expect(payment).toMatchObject({ rawAmount: 10_500_000_007n, surplus: '7' })
  })

  it('S134 states no surplus of an exact payment', async () => {
    const shop = openShop([order()], { amounts: { overpaid: 'accept' } })
    const { decision } = await shop.send(transferCompleted())
    expect(decision).toMatchObject({ kind: 'paid', amountRule: 'equal' })
    expect(decision).not.toHaveProperty('surplus')
  })

  it('S134 S92 accepts neither more nor less by default', async () => {
    for (const rawAmount of ['10500000001', '10499999999']) {
      expect(await openShop().decide(transferCompleted({ rawAmount }))).toBe('amount_mismatch')
    }
  })

  it('S135 is exact at the boundary of a tolerance, downwards only, for each asset', async () => {
    const amount = fc.bigInt({ min: 1n, max: 2n ** 120n })
    const unit = fc.constantFrom(-1n, 0n, 1n)
    await fc.assert(
      fc.asyncProperty(amount, amount, unit, fc.boolean(), async (price, missing, step, isGram) => {
        const received = price - missing + step
        fc.pre(received >= 0n)
        const tolerance = { [isGram ? 'GRAM' : 'TON']: missing, [USDT]: 1n }
        const shop = openShop([order({ rawAmount: price })], { amounts: { tolerance } })
        const kind = await shop.decide(transferCompleted({ rawAmount: `${received}` }))
        const isFitting = received === price || (step >= 0n && received < price && missing < price)
        expect(kind).toBe(isFitting ? 'paid' : 'amount_mismatch')
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    [6n, 'amount_mismatch'],
    [5n, 'amount_mismatch'],
    [4n, 'paid'],
  ])(
    'S135 ignores a tolerance that is not smaller than the offer: %s of 5',
    async (units, kind) => {
      const shop = openShop([order({ rawAmount: 5n })], { amounts: { tolerance: { TON: units } } })
      expect(await shop.decide(transferCompleted({ rawAmount: '1' }))).toBe(kind)
    },
  )

  it.each([
    [{ overpaid: 'yes' }],
    [{ tolerance: { TON: 5 } }],
    [{ tolerance: { TON: -5n } }],
    [{ tolerance: { USDT: 5n } }],
    [{ surplus: 'accept' }],
    ['accept'],
  ])('refuses an unknown or invalid policy: case %#', (amounts) => {
    const wrong = { amounts } as unknown as ShopOptions
    expect(() => openShop([order()], wrong)).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }),
    )
  })
})
