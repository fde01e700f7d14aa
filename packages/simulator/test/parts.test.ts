import { describe, expect, it } from 'vitest'
import { ANN, NOTE, PRICE, openOffers, ton, usdtLink } from './parts-shop.js'

describe('the parts of a price', () => {
  it('S132 add up to one payment, of two payers, in whole credits', async () => {
    const shop = await openOffers()
    const statuses: string[] = []
    const watch = async (): Promise<void> => {
      for await (const { status } of shop.payments.watchStatus(shop.reference))
        statuses.push(status)
    }
    expect(await shop.rest()).toBeUndefined()
    const watched = watch()
    await shop.clock.advance(0)
    await shop.pay(PRICE / 4n)
    await shop.find()
    expect(await shop.status()).toEqual({
      status: 'partially_paid',
      received: [ton(PRICE / 4n)],
      missing: ton((PRICE * 3n) / 4n),
    })
    const rest = await shop.rest()
    expect(rest).toMatchObject({ rawAmount: (PRICE * 3n) / 4n, amount: '1.5' })
    await (await shop.payer()).pay(rest!.link)
    await shop.find()
    await watched
    expect([statuses.filter((one) => one !== 'detected'), shop.paid]).toEqual([
      ['waiting', 'partially_paid', 'paid'],
      [shop.reference],
    ])
    expect((await shop.order())?.payment).toMatchObject({ rawAmount: PRICE, asset: 'TON' })
    expect(await shop.rest()).toBeUndefined()
    const listed = await shop.operator.list({ reference: shop.reference })
    expect(listed).toMatchObject([
      { action: 'none', decision: { kind: 'paid', received: `${PRICE}`, parts: [{}, {}] } },
      { action: 'none', decision: { kind: 'duplicate' } },
    ])
    // No part is refunded or pays another order.
    for (const { txHash: transactionHash } of listed) {
      expect(await shop.operator.refund({ transactionHash }, ANN)).toMatchObject({
        state: 'rejected',
      })
    }
  })

  it('S122 are refunded once each after their order was cancelled', async () => {
    const shop = await openOffers()
    for (const part of [PRICE / 4n, PRICE / 2n]) {
      await shop.pay(part)
      await shop.find()
    }
    shop.orders.replace({ ...(await shop.order())!, status: 'cancelled' })
    const listed = await shop.operator.list({ reference: shop.reference })
    const states: string[] = []
    for (const { txHash: transactionHash } of [...listed, ...listed]) {
      const { state } = await shop.operator.refund({ transactionHash }, ANN)
      states.push(state)
    }
    expect(listed).toHaveLength(2)
    expect(states).toEqual(['proposed', 'proposed', 'waiting', 'waiting'])
    const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 100 })
    const uses = credits.flatMap((credit) => credit.uses)
    expect(uses.map(({ kind, rawAmount }) => [kind, rawAmount])).toEqual([
      ['refund', PRICE / 4n],
      ['refund', PRICE / 2n],
    ])
    expect(shop.paid).toEqual([])
  })

  it('S132 add up in a jetton, and a part that crosses the price leaves a surplus', async () => {
    const shop = await openOffers()
    const { usdtAsset } = shop
    const payer = await shop.payer()
    for (const amount of [1_500_000n, 700_000n]) await payer.pay(usdtLink(shop, amount))
    await shop.find()
    expect(await shop.status()).toEqual({ status: 'paid', surplus: '200000' })
    expect((await shop.order())?.payment).toMatchObject({
      rawAmount: 2_200_000n,
      asset: usdtAsset,
      surplus: '200000',
    })
    expect(shop.paid).toEqual([shop.reference])
    expect(shop.events).not.toContain(`extra ${shop.reference}`)
    const [paid, part] = await shop.operator.list({ reference: shop.reference })
    expect(await shop.operator.refund({ transactionHash: part!.txHash }, ANN)).toMatchObject({
      state: 'rejected',
    })
    const request = { transactionHash: paid!.txHash }
    const refunds = await Promise.all([1, 2, 3].map(() => shop.operator.refund(request, ANN)))
    expect(refunds.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting', 'waiting'])
    const proposed = refunds.find((one) => one.state === 'proposed')
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.pay(proposed!.request)
    expect(await shop.operator.refund(request, ANN)).toMatchObject({ state: 'refunded' })
    expect(await shop.usdt.balanceOf(payer.address)).toBe(998_000_000n)
    expect(await shop.status()).toEqual({ status: 'paid', surplus: '200000' })
    const [credit] = await shop.inbox.credits.find({ hashes: [paid!.txHash] })
    expect(credit?.uses.map(({ kind, rawAmount }) => [kind, rawAmount])).toEqual([
      ['order', 500_000n],
      ['refund', 200_000n],
    ])
    // Neither decided again nor assigned does the money have another use.
    await shop.operator.reprocess({ reference: shop.reference }, ANN)
    await shop.clock.advance(10_000)
    expect(await shop.operator.accept({ reference: shop.reference }, NOTE)).toMatchObject({
      state: 'refused',
    })
    const { order: other } = await shop.open({ asset: shop.usdtAsset, amount: '0.7' })
    const assigned = await shop.operator.assign({ ...request, reference: other.reference }, ANN)
    expect(assigned).toMatchObject({ decision: { kind: 'unverified', reason: 'reused' } })
    expect(shop.paid).toEqual([shop.reference])
  })

  it('S132 are extra payments when another payment has completed the order', async () => {
    const shop = await openOffers()
    await shop.pay(PRICE / 2n)
    await shop.find()
    await (await shop.payer()).pay(usdtLink(shop, 2_000_000n))
    await shop.find()
    expect(shop.paid).toEqual([shop.reference])
    expect(shop.events.filter((event) => event.startsWith('extra'))).toEqual([
      `extra ${shop.reference}`,
    ])
    const [extra, ...others] = await shop.operator.list({ decision: 'extra_payment' })
    expect([extra?.action, others]).toEqual(['refund', []])
    expect(await shop.operator.refund({ transactionHash: extra!.txHash }, ANN)).toMatchObject({
      state: 'proposed',
      request: { messages: [{ amount: `${PRICE / 2n}` }] },
    })
  })

  it.each([5n, 6n])(
    'S135 may lack the tolerance together, and no more: %s of 5',
    async (lacking) => {
      const amounts = { partial: 'add-up', tolerance: { TON: 5n } } as const
      const shop = await openOffers({ payments: { verifyOnChain: undefined, amounts } })
      await shop.pay(PRICE / 2n)
      await shop.find()
      await shop.pay(PRICE / 2n - lacking)
      await shop.find()
      expect(shop.paid).toEqual(lacking === 5n ? [shop.reference] : [])
    },
  )

  it('S136 are never added in two assets', async () => {
    const shop = await openOffers()
    await shop.pay(PRICE - 1n)
    const payer = await shop.payer()
    await payer.pay(usdtLink(shop, 1_999_999n))
    await shop.find()
    expect(await shop.status()).toMatchObject({
      status: 'partially_paid',
      received: [ton(PRICE - 1n), { asset: shop.usdtAsset, rawAmount: '1999999' }],
      missing: ton(1n),
    })
    expect(shop.paid).toEqual([])
  })

  it.each([false, true])(
    'S131 S132 are late together when one is, and the rule of the shop decides about the sum (%s)',
    async (isAccepted) => {
      const sums: bigint[] = []
      const shop = await openOffers({
        payments: {
          verifyOnChain: undefined,
          amounts: { partial: 'add-up' },
          acceptLate: ({ received }) => {
            sums.push(received)
            return isAccepted && received === PRICE
          },
        },
      })
      await shop.pay(PRICE / 2n)
      await shop.find()
      await shop.pass(1000)
      await shop.pay(PRICE / 2n)
      await shop.find()
      expect(sums).toContain(PRICE)
      expect(shop.paid).toEqual(isAccepted ? [`${shop.reference} late`] : [])
    },
  )

  it('S131 S132 are not requested after the end of the offers', async () => {
    const shop = await openOffers()
    await shop.pay(PRICE / 2n)
    await shop.find()
    expect(await shop.status()).toMatchObject({ missing: ton(PRICE / 2n) })
    await shop.pass(1000)
    expect(await shop.status()).toEqual({ status: 'partially_paid', received: [ton(PRICE / 2n)] })
    await expect(shop.rest()).rejects.toMatchObject({ code: 'ERR_TONPLUG_INVOICE_EXPIRED' })
  })

  it('S133 are mismatches by default, and nothing is missing', async () => {
    const shop = await openOffers({ payments: { verifyOnChain: undefined } })
    for (const value of [PRICE / 2n, PRICE / 2n]) {
      await shop.pay(value)
      await shop.find()
    }
    expect(await shop.status()).toEqual({ status: 'needs_shop', received: [ton(PRICE)] })
    expect(shop.paid).toEqual([])
  })
})
