import { comment, internal } from '@ton/core'
import { createTransferReport } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { describe, expect, it } from 'vitest'
import { ADD_UP, ANN, NOTE, PRICE, openOffers, openHalfRefunded } from './parts-shop.js'

describe('the parts of a price', () => {
  it('S133 are accepted one by one by their credits, once', async () => {
    const shop = await openOffers({ payments: { verifyOnChain: undefined } })
    const { operator, reference } = shop
    for (const amount of [PRICE / 4n, PRICE / 2n]) {
      await shop.pay(amount)
      await shop.find()
    }
    const [, first] = await operator.list({ reference })
    const { decision } = first!
    const creditId = decision?.kind === 'amount_mismatch' ? decision.credit : undefined
    const results = [
      await operator.accept({ creditId }, NOTE),
      await operator.accept({ creditId }, { ...NOTE, by: 'bob@shop.example' }),
      await operator.accept({ reportId: first!.reportId }, NOTE),
    ]
    expect(results[0]).toMatchObject({
      state: 'decided',
      decision: { kind: 'paid', received: `${PRICE / 4n}`, accepted: [{}] },
    })
    expect(new Set(results.map((one) => JSON.stringify(one))).size).toBe(1)
    await shop.find()
    expect(shop.paid).toEqual([reference])
    expect(await operator.list({ reference })).toMatchObject([
      { action: 'none', decision: { kind: 'paid' } },
      {
        action: 'accept_or_refund',
        decision: { kind: 'amount_mismatch', received: `${PRICE / 2n}` },
      },
      { action: 'none', decision: { kind: 'duplicate' } },
    ])
    const unknown = { creditId: '0'.repeat(32) }
    const reason = 'no credit has this id'
    expect(await operator.accept(unknown, NOTE)).toEqual({ state: 'refused', reason })
  })

  describe('as two credits of one trace', () => {
    const AMOUNTS = [PRICE / 4n, PRICE / 8n] as const

    /** Sends both in one transaction of the payer. Webhooks name the trace and the amount of the first, or both credits. */
    async function openTrace(named: 'nothing' | 'trace' | 'credits') {
      const shop = await openOffers({ payments: { verifyOnChain: undefined } })
      const { operator, reference, payments } = shop
      const body = comment(reference)
      const to = shop.merchant.address
      const payer = await shop.payer()
      await payer.send(AMOUNTS.map((value) => internal({ to, value, bounce: false, body })))
      await shop.find()
      const listed = await operator.list({ reference })
      const transferOf = (amount: bigint) =>
        listed.find(({ transfer }) => transfer?.rawAmount === `${amount}`)!.transfer!
      const first = transferOf(AMOUNTS[0])
      const webhooks = {
        nothing: [],
        trace: [{ ...first, txHash: first.traceId }],
        credits: AMOUNTS.map(transferOf),
      }
      for (const transfer of webhooks[named]) {
        await payments.submit(createTransferReport(transfer, { source: 'webhook' }))
      }
      for (let step = 0; step < 5; step++) await shop.clock.advance(1000)
      const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 10 })
      const creditId = (amount: bigint) => credits.find((one) => one.rawAmount === amount)!.id
      const refund = (amount: bigint) =>
        operator.refund({ transactionHash: transferOf(amount).txHash }, NOTE)
      const uses = async () => {
        const stored = await shop.inbox.credits.find({ ids: AMOUNTS.map(creditId) })
        const kinds = new Map(stored.map((one) => [one.id, one.uses.map(({ kind }) => kind)]))
        return AMOUNTS.map((amount) => kinds.get(creditId(amount)))
      }
      return { ...shop, creditId, refund, uses }
    }

    it.each([
      [0, 'nothing'],
      [0, 'trace'],
      [0, 'credits'],
      [1, 'nothing'],
      [1, 'trace'],
      [1, 'credits'],
    ] as const)(
      'S133 are accepted alone: credit %i, when webhooks name: %s',
      async (place, named) => {
        const shop = await openTrace(named)
        const { operator, creditId, reference } = shop
        const [amount, other] = place === 0 ? AMOUNTS : AMOUNTS.toReversed()
        const acceptance = { creditId: creditId(amount!) }
        const result = await operator.accept(acceptance, NOTE)
        expect(result).toMatchObject({ decision: { kind: 'paid', received: `${amount}` } })
        const used = [['order'], []]
        expect(await shop.uses()).toEqual(place === 0 ? used : used.toReversed())
        expect(await operator.accept(acceptance, { ...NOTE, by: 'bob' })).toEqual(result)
        const reason = 'other money was accepted for the order'
        const late = await operator.accept({ creditId: creditId(other!) }, NOTE)
        expect(late).toEqual({ state: 'refused', reason })
        await shop.find()
        expect(shop.paid).toEqual([reference])
        // The other one is refunded once, the accepted one never.
        expect(await shop.refund(amount!)).toMatchObject({ state: 'rejected' })
        const refunds = [await shop.refund(other!), await shop.refund(other!)]
        expect(refunds).toMatchObject([{ state: 'proposed' }, { state: 'waiting' }])
        expect(await shop.refund(amount!)).toMatchObject({ state: 'rejected' })
        const both = [['order'], ['refund']]
        expect(await shop.uses()).toEqual(place === 0 ? both : both.toReversed())
      },
    )

    it.each(['nothing', 'trace', 'credits'] as const)(
      'S133 are accepted together by their order, when webhooks name: %s',
      async (named) => {
        const shop = await openTrace(named)
        const { operator, reference } = shop
        const result = await operator.accept({ reference }, NOTE)
        expect(result).toMatchObject({ decision: { kind: 'paid' } })
        expect(await shop.uses()).toEqual([['order'], ['order']])
        await shop.find()
        for (const amount of AMOUNTS) {
          expect(await shop.refund(amount)).toMatchObject({ state: 'rejected' })
        }
        expect(await operator.accept({ reference }, NOTE)).toEqual(result)
      },
    )

    it.each(['nothing', 'trace', 'credits'] as const)(
      'S133 are accepted after the refund of the other one, when webhooks name: %s',
      async (named) => {
        const shop = await openTrace(named)
        const { operator, creditId } = shop
        const [amount, other] = AMOUNTS
        expect(await shop.refund(other)).toMatchObject({ state: 'proposed' })
        const refused = await operator.accept({ creditId: creditId(other) }, NOTE)
        expect(refused).toEqual({ state: 'refused', reason: 'a refund of the money was proposed' })
        const result = await operator.accept({ creditId: creditId(amount) }, NOTE)
        expect(result).toMatchObject({ decision: { kind: 'paid', received: `${amount}` } })
        expect(await shop.uses()).toEqual([['order'], ['refund']])
      },
    )
  })

  describe.each([
    ['mismatches', { payments: { verifyOnChain: undefined } }],
    ['parts that add up', ADD_UP],
  ] as const)('accepted as %s', (_, options) => {
    it('S133 exclude the half that was sent back, when the refund has arrived', async () => {
      const shop = await openHalfRefunded(options)
      const { operator, reference } = shop
      const all = { reference }
      expect(await operator.accept(all, NOTE)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('a refund of the money was proposed'),
      })
      await shop.sign()
      // Without a client of the chain it is not known whether the refund has arrived.
      const other = createOperator({ payments: shop.payments })
      expect(await other.accept(all, NOTE)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('a refund of the money was proposed'),
      })
      const result = await operator.accept(all, NOTE)
      expect(result).toMatchObject({
        state: 'decided',
        decision: { kind: 'paid', received: `${PRICE / 2n}`, accepted: [{}] },
      })
      expect(await operator.accept(all, NOTE)).toEqual(result)
      await shop.find()
      expect(shop.paid).toEqual([reference])
      expect(await shop.uses()).toEqual([`order ${PRICE / 2n}`, `refund ${PRICE / 2n}`])
      expect(await operator.refund(shop.half, ANN)).toMatchObject({ state: 'refunded' })
    })

    it('S133 are not accepted when everything was sent back', async () => {
      const shop = await openOffers(options, 86_400_000)
      const { operator, reference } = shop
      await shop.pay(PRICE / 2n)
      await shop.find()
      const [first] = await operator.list({ reference })
      const proposed = await operator.refund({ transactionHash: first!.txHash }, ANN)
      if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
      await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
      await shop.merchant.pay(proposed.request)
      expect(await operator.accept({ reference }, NOTE)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('was sent back'),
      })
    })

    it('S133 are accepted one by one by their credits', async () => {
      const shop = await openOffers(options)
      const { operator, reference } = shop
      for (const amount of [PRICE / 4n, PRICE / 2n]) {
        await shop.pay(amount)
        await shop.find()
      }
      const [first] = await shop.inbox.credits.list({ fromUtime: 0, limit: 2 })
      const result = await operator.accept({ creditId: first!.id }, NOTE)
      expect(result).toMatchObject({
        decision: { kind: 'paid', received: `${PRICE / 4n}`, accepted: [{}] },
      })
      await shop.find()
      expect(shop.paid).toEqual([reference])
      expect((await shop.order())?.payment?.rawAmount).toBe(PRICE / 4n)
      const credits = await shop.inbox.credits.list({ fromUtime: 0, limit: 2 })
      expect(credits.map(({ uses }) => uses.length)).toEqual([1, 0])
    })
  })

  it('S133 are not accepted by a credit that names no order', async () => {
    const shop = await openOffers({ payments: { verifyOnChain: undefined } })
    const { operator, merchant, chain } = shop
    await chain.fund(merchant.address, PRICE)
    await shop.find()
    const [credit] = await shop.inbox.credits.list({ fromUtime: 0, limit: 1 })
    const accepted = await operator.accept({ creditId: credit!.id }, NOTE)
    expect(accepted).toMatchObject({ state: 'refused', reason: expect.stringContaining('assign') })
  })
})
