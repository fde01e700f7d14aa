import { createTransferReport, memoryInbox, type Order } from '@tonplug/core'
import { createOperator, type AcceptResult } from '@tonplug/core/operator'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type ShopOptions } from '../shop.js'

const NOTE = { by: 'ann@shop.example', reason: 'agreed by phone' }
const KEY = { reference: 'order-1' }

const half = (digit: string, changes = {}) =>
  transferCompleted({
    rawAmount: '5000000000',
    txHash: digit.repeat(64),
    traceId: digit.repeat(64),
    ...changes,
  })

/** Its price has ended before the payments. */
const LATE: Partial<Order> = {
  rawAmount: undefined,
  asset: undefined,
  offers: [
    {
      rawAmount: 10_500_000_000n,
      asset: 'TON',
      rate: { price: '1', currency: 'USD', at: new Date(0), orderPrice: '10.5' },
      expiresAt: new Date(900_000),
    },
  ],
}

function decidedOf(result: AcceptResult) {
  if (result.state !== 'decided' || result.decision.kind !== 'paid') {
    throw new Error(`the result is ${JSON.stringify(result)}`)
  }
  return { decision: result.decision }
}

describe('operator.accept', () => {
  it('S133 completes an order once with everything that arrived', async () => {
    const shop = openShop()
    const { payments } = shop
    const operator = createOperator({ payments })
    expect(await shop.decide(half('1'))).toBe('amount_mismatch')
    expect(await shop.decide(half('2', { asset: `0:${'0c'.repeat(32)}` }))).toBe('amount_mismatch')
    const results = await Promise.all([operator.accept(KEY, NOTE), operator.accept(KEY, NOTE)])
    results.push(await operator.accept(KEY, { by: 'bob', reason: 'again' }))
    for (const result of results) {
      expect(result).toMatchObject({
        state: 'decided',
        decision: { kind: 'paid', amountRule: 'accepted', accepted: [{}, {}] },
      })
    }
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    const listed = await operator.list(KEY)
    expect(listed).toMatchObject([
      { source: 'operator', action: 'none', ...NOTE },
      { source: 'webhook', action: 'none' },
      { source: 'webhook', action: 'none' },
    ])
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
  })

  it('S133 accepts a payment behind a thousand transfers of dust, and no dust in its place', async () => {
    const inbox = memoryInbox()
    const shop = openShop([order()], { inbox })
    const operator = createOperator({ payments: shop.payments })
    expect(await shop.decide(half('1'))).toBe('amount_mismatch')
    for (let number = 0; number < 1000; number++) {
      const txHash = number.toString(16).padStart(64, '0')
      await shop.decide(half('2', { rawAmount: '1', txHash, traceId: txHash }))
    }
    expect(await operator.accept(KEY, NOTE)).toEqual({
      state: 'refused',
      reason: 'more than 1000 reports name this order: accept one payment, by its creditId',
    })
    const [paid] = await inbox.reports.list({ txHashes: ['1'.repeat(64)], limit: 1 })
    const result = await operator.accept({ reportId: paid?.id }, NOTE)
    const { decision } = decidedOf(result)
    expect(decision).toMatchObject({ received: '5000000000', accepted: [{}] })
    const [dust] = await inbox.reports.list({ txHashes: ['0'.repeat(64)], limit: 1 })
    expect(await operator.accept({ reportId: dust?.id }, NOTE)).toEqual({
      state: 'refused',
      reason: 'other money was accepted for the order',
    })
  })

  it('S133 uses the money for no other order, and tells no extra payment', async () => {
    const extra: string[] = []
    const shop = openShop([order(), order({ reference: 'order-2', rawAmount: 5_000_000_000n })], {
      onExtraPayment: ({ transfer }) => extra.push(transfer.txHash),
    })
    const operator = createOperator({ payments: shop.payments })
    for (const digit of ['1', '2']) await shop.decide(half(digit))
    await operator.accept(KEY, NOTE)
    await shop.settle()
    for (const digit of ['1', '2']) {
      const assignment = { transactionHash: digit.repeat(64), reference: 'order-2' }
      expect(await operator.assign(assignment, NOTE)).toMatchObject({
        decision: { kind: 'unverified', reason: 'reused' },
      })
      expect(await shop.decide(half(digit))).toBe('duplicate')
    }
    expect(extra).toEqual([])
    // A third payment is one.
    expect(await shop.decide(half('3'))).toBe('extra_payment')
  })

  it.each<[string, ShopOptions, Partial<Order>]>([
    ['the function `amounts`', { amounts: () => false }, {}],
    ['the late rule', { acceptLate: () => false }, LATE],
    ['a late rule that throws', { acceptLate: () => Promise.reject(new Error('no rate')) }, LATE],
    [
      'a rule',
      {
        rules: [
          function noExchange() {
            return { reason: 'an exchange' }
          },
        ],
      },
      {},
    ],
  ])('S133 accepts money that %s of the shop has rejected', async (_, options, changes) => {
    const shop = openShop([order(changes)], options)
    const operator = createOperator({ payments: shop.payments })
    await shop.decide(half('1'))
    await shop.decide(half('2', { rawAmount: '10500000000' }))
    expect(await operator.accept(KEY, NOTE)).toMatchObject({
      state: 'decided',
      decision: { kind: 'paid', amountRule: 'accepted', accepted: [{}, {}] },
    })
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    const listed = await operator.list(KEY)
    expect(listed.map(({ action }) => action)).toEqual(['none', 'none', 'none'])
  })

  it('S133 states in the payment everything that was accepted, each payment once', async () => {
    const paid: unknown[] = []
    const other = `0:${'0c'.repeat(32)}`
    const shop = openShop([order()], { onPaid: ({ payment }) => paid.push(payment) })
    const operator = createOperator({ payments: shop.payments })
    for (const digit of ['1', '2']) await shop.decide(half(digit))
    // The watcher reports the second one, too.
    await shop.payments.submit(createTransferReport(half('2').data, { source: 'chain' }))
    await shop.decide(half('3', { asset: other, rawAmount: '7' }))
    const accepted = [
      { asset: 'TON', rawAmount: '10000000000' },
      { asset: other, rawAmount: '7' },
    ]
    const { decision } = decidedOf(await operator.accept(KEY, NOTE))
    expect(decision).toMatchObject({ received: '10000000000' })
    expect(new Set(decision.acceptedAmounts)).toEqual(new Set(accepted))
    await shop.settle()
    const { payment } = (await shop.orders.find(KEY)) ?? {}
    for (const one of [payment, ...paid]) {
      expect(one).toMatchObject({ rawAmount: 10_000_000_000n, asset: 'TON', source: 'operator' })
      expect(one).toMatchObject({ acceptedAmounts: decision.acceptedAmounts })
    }
    expect(paid).toHaveLength(1)
  })

  it('S133 takes one payment of several by its report', async () => {
    const shop = openShop()
    const operator = createOperator({ payments: shop.payments })
    for (const digit of ['1', '2']) await shop.decide(half(digit))
    const [, first] = await operator.list(KEY)
    const { reportId } = first!
    expect(await operator.accept({ reportId }, NOTE)).toMatchObject({
      decision: { kind: 'paid', txHash: '1'.repeat(64), accepted: [{}] },
    })
  })

  it('S133 refuses an order without money, and an unknown one', async () => {
    const shop = openShop()
    const operator = createOperator({ payments: shop.payments })
    const result = await operator.accept(KEY, NOTE)
    const reason = expect.stringContaining('no money that can be accepted arrived')
    expect(result).toEqual({ state: 'refused', reason })
    expect(await operator.accept({ reference: 'order-9' }, NOTE)).toMatchObject({
      state: 'refused',
      reason: 'no order has this reference',
    })
  })

  it.each<['a repeated acceptance' | 'a repeated report']>([
    ['a repeated acceptance'],
    ['a repeated report'],
  ])('S133 S132 settles what it has accepted after a kill, by %s', async (by) => {
    const clock = createFakeClock()
    const inbox = memoryInbox({ clock })
    const redecide = () => Promise.reject(new Error('killed'))
    const killed = openShop([order()], {
      clock,
      inbox: { ...inbox, reports: { ...inbox.reports, redecide } },
    })
    await killed.decide(half('1'))
    const call = createOperator({ payments: killed.payments }).accept(KEY, NOTE)
    await expect(call).rejects.toThrow('inbox.reports.redecide')
    await killed.close()
    const shop = openShop([], { clock, inbox, orders: killed.orders })
    const operator = createOperator({ payments: shop.payments })
    const kinds = async () => (await operator.list(KEY)).map(({ decision }) => decision?.kind)
    expect(await kinds()).toEqual(['paid', 'amount_mismatch'])
    const again = {
      'a repeated acceptance': async () => (await operator.accept(KEY, NOTE)).state,
      'a repeated report': () => shop.decide(half('1')),
    }
    expect(await again[by]()).toBe(by === 'a repeated report' ? 'duplicate' : 'decided')
    await clock.advance(10_000)
    expect(await kinds()).toEqual(['paid', 'duplicate'])
    expect([...killed.shipped, ...shop.shipped]).toEqual(['order-1'])
  })

  it('S133 leaves the decision to a process of the pinned policy', async () => {
    const clock = createFakeClock()
    const inbox = { ...memoryInbox({ clock }), isDurable: true }
    const shop = openShop([order()], { clock, inbox })
    const tool = openShop([], { clock, inbox, orders: shop.orders, autoStart: false })
    await shop.decide(half('1'))
    const operator = createOperator({ payments: tool.payments })
    expect(await operator.accept(KEY, NOTE)).toMatchObject({ state: 'waiting' })
    await clock.advance(10_000)
    expect(await operator.accept(KEY, NOTE)).toMatchObject({ decision: { kind: 'paid' } })
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S133 accepts from a process that does not have the orders of the shop', async () => {
    const clock = createFakeClock()
    const inbox = { ...memoryInbox({ clock }), isDurable: true }
    const shop = openShop([order()], { clock, inbox })
    const tool = openShop([], { clock, inbox, autoStart: false })
    await shop.decide(half('1'))
    const operator = createOperator({ payments: tool.payments })
    expect(await operator.accept(KEY, NOTE)).toMatchObject({ state: 'waiting' })
    await clock.advance(10_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S133 leaves an acceptance that cannot be read to an operator, until a later version reads it', async () => {
    const clock = createFakeClock()
    const inbox = memoryInbox({ clock })
    let isReadable = false
    const stored: typeof inbox.reports.store = (report) =>
      inbox.reports.store({ ...report, rawBody: changed(report.rawBody) })
    const changed = (rawBody: string) => rawBody.replace('"amounts":', '"sums":')
    const read = <Stored extends { rawBody: string }>(report: Stored): Stored =>
      isReadable ? { ...report, rawBody: report.rawBody.replace('"sums":', '"amounts":') } : report
    const reports: typeof inbox.reports = {
      ...inbox.reports,
      store: stored,
      claim: async (query) => (await inbox.reports.claim(query)).map(read),
    }
    const unverified: string[] = []
    const shop = openShop([order()], {
      clock,
      inbox: { ...inbox, reports },
      onUnverified: ({ decision }) =>
        void unverified.push(`${decision.reason}: ${decision.detail}`),
    })
    const operator = createOperator({ payments: shop.payments })
    await shop.decide(half('1'))
    expect(await operator.accept(KEY, NOTE)).toMatchObject({ decision: { kind: 'unverified' } })
    await shop.settle()
    expect(unverified).toEqual([
      'unreadable: the stored acceptance is not readable: accepted.amounts',
    ])
    const [listed] = await operator.list(KEY)
    expect(listed).toMatchObject({ source: 'operator', action: 'check' })
    expect(await operator.inspect(listed!.reportId)).toMatchObject({ rules: [] })
    await clock.advance(86_400_000)
    expect(await shop.payments.health()).toMatchObject({ status: 'up', undecided: 0 })
    isReadable = true
    expect(await operator.reprocess(KEY, NOTE)).toBeGreaterThan(0)
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('requires a reason', async () => {
    const { payments } = openShop()
    const call = createOperator({ payments }).accept(KEY, { by: 'ann', reason: '' })
    await expect(call).rejects.toThrow('accept.reason: must say why')
  })
})
