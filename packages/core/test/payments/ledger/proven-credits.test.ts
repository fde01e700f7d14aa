import { comment, toNano } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { deployJetton } from '../proof/payer.js'
import { addOrder, openProven, openTelling, ours, PRICE } from './proven-shop.js'

const SURPLUS = toNano('0.2')
const ANN = { by: 'ann' }

describe('a proof without a watcher', () => {
  it('S134 records the credit: the order uses its price, and a refund the surplus', async () => {
    const shop = await openProven({ payments: { amounts: { overpaid: 'accept' } } })
    const value = PRICE + SURPLUS
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value })
    addOrder(shop.repository, paid)
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid', surplus: `${SURPLUS}` })
    expect(await shop.creditsOf(paid.txHash)).toMatchObject([
      { rawAmount: value, wallet: ours.toRawString() },
    ])
    expect(await shop.uses(paid.txHash)).toEqual([[`order-1 ${PRICE}`]])
    const [listed] = await shop.operator.list()
    expect(await shop.operator.inspect(listed!.reportId)).toMatchObject({
      received: [{ asset: 'TON', rawAmount: PRICE }],
    })
    const asked = { transactionHash: paid.txHash }
    const refunds = await Promise.all([1, 2, 3].map(() => shop.operator.refund(asked, ANN)))
    expect(refunds.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting', 'waiting'])
    expect(refunds.find(({ state }) => state === 'proposed')).toMatchObject({
      request: { messages: [{ amount: `${SURPLUS}` }] },
    })
    expect(await shop.uses(paid.txHash)).toEqual([[`order-1 ${PRICE}`, `refund ${SURPLUS}`]])
  })

  it('S133 records the money of a cancelled order, which nothing uses', async () => {
    const shop = await openProven()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    addOrder(shop.repository, paid, { status: 'cancelled' })
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid_after_cancel' })
    expect(await shop.uses(paid.txHash)).toEqual([[]])
  })

  it('S82 pays an order with no money that names another order, before or after that one is paid', async () => {
    const shop = await openProven()
    const body = comment('order-2')
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE, body })
    addOrder(shop.repository, paid)
    addOrder(shop.repository, { ...paid, reference: 'order-2' })
    const told = { ...paid, commentToRecipient: 'order-2' }
    expect(await shop.decide(told)).toMatchObject({ kind: 'unverified', reason: 'reused' })
    expect(await shop.decide({ ...told, reference: 'order-2' })).toMatchObject({ kind: 'paid' })
    expect(await shop.uses(paid.txHash)).toEqual([[`order-2 ${PRICE}`]])
  })

  it.each(['true', 'forged'] as const)(
    'S118 gives a credit to the merchant whose order it names when the first webhook is %s',
    async (first) => {
      const shop = await openProven()
      const body = comment('order-1')
      const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE, body })
      addOrder(shop.repository, paid, { merchant: 'a' })
      addOrder(shop.repository, { ...paid, reference: 'order-2' }, { merchant: 'b' })
      const deliver = (merchant: string, reference: string) =>
        shop.run(
          new Promise<string>((resolve) => {
            const end = shop.payments.onDecision(({ decision, transfer }) => {
              if (decision.kind === 'verifying' || transfer.reference !== reference) return
              end()
              resolve(decision.kind)
            })
            const transfer = { ...paid, reference }
            const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
            void shop.payments.submit({ merchant, source: 'webhook', rawBody, transfer })
          }),
        )
      const steps = [() => deliver('a', 'order-1'), () => deliver('b', 'order-2')]
      const kinds: string[] = []
      for (const step of first === 'true' ? steps : steps.toReversed()) kinds.push(await step())
      expect(kinds.toSorted()).toEqual(['paid', 'unverified'])
      expect(await shop.uses(paid.txHash)).toEqual([[`order-1 ${PRICE}`]])
      expect(await shop.creditsOf(paid.txHash)).toMatchObject([{ order: { merchant: 'a' } }])
    },
  )

  it('S118 names no order by a reference that two merchants have', async () => {
    const shop = await openProven()
    const body = comment('order-1')
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE, body })
    for (const merchant of ['a', 'b']) addOrder(shop.repository, paid, { merchant })
    const rawBody = JSON.stringify({ event: 'transfer.completed', data: paid })
    const report = { merchant: 'a', source: 'webhook', rawBody, transfer: paid } as const
    expect(await shop.payments.submit(report)).toMatchObject({ kind: 'verifying' })
    await shop.clock.advance(10_000)
    await expect
      .poll(async () => (await shop.orders.find({ reference: 'order-1', merchant: 'a' }))?.status)
      .toBe('completed')
    const [credit] = await shop.creditsOf(paid.txHash)
    expect(credit).toMatchObject({ uses: [] })
    expect(credit?.order).toBeUndefined()
  })
})

describe('a proof without a watcher, about money that fits no order', () => {
  it('S115 reports one extra payment that two webhooks name differently', async () => {
    const shop = await openTelling()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    addOrder(shop.repository, paid)
    await shop.deliverTwice(paid)
    expect([shop.shipped, shop.events]).toEqual([['order-1'], []])
    const again = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    await shop.deliverTwice(again)
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
    const asked = [again.txHash, shop.lastHash()]
    const refunds = await Promise.all(
      asked.map((transactionHash) => shop.operator.refund({ transactionHash }, ANN)),
    )
    expect(refunds.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting'])
  })

  it('S116 reports one mismatch, and counts it once', async () => {
    const shop = await openTelling()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE / 2n })
    addOrder(shop.repository, paid)
    await shop.deliverTwice(paid)
    expect(shop.events).toEqual([`mismatch order-1 ${PRICE / 2n}`])
  })

  it.each([
    ['mismatch', PRICE / 2n],
    ['extra', PRICE],
  ])(
    'S116 reports one %s to a merchant that two webhooks name differently',
    async (kind, value) => {
      const shop = await openTelling()
      for (const count of [1, 2]) {
        if (count === 2 && kind === 'mismatch') continue
        const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value })
        if (count === 1) {
          addOrder(shop.repository, paid, { merchant: 'a', bodyBase64Hash: undefined })
        }
        for (const txHash of [paid.txHash, shop.lastHash()]) {
          const transfer = { ...paid, txHash }
          const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
          await shop.payments.submit({ merchant: 'a', source: 'webhook', rawBody, transfer })
          await shop.settle()
        }
      }
      expect(shop.events).toEqual([`${kind} order-1 ${value}`])
    },
  )

  it('S132 adds parts up that webhooks report', async () => {
    const shop = await openTelling({ payments: { amounts: { partial: 'add-up' } } })
    for (const part of [1, 2]) {
      const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE / 2n })
      if (part === 1) addOrder(shop.repository, paid)
      await shop.deliverTwice(paid)
    }
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`mismatch order-1 ${PRICE / 2n}`]])
  })

  it('S117 reports a jetton once that no order asks for', async () => {
    const shop = await openTelling()
    const jetton = await deployJetton(shop.chain, shop.payer)
    await jetton.mint(shop.payer.address, 100n)
    const paid = await jetton.pay(shop.payer, { reference: 'order-9', to: ours, amount: 40n })
    await shop.deliverTwice(paid)
    expect(shop.events).toEqual(['unknown order-9'])
    expect(await shop.creditsOf(paid.txHash)).toMatchObject([{ rawAmount: 40n }])
  })

  it('S118 reports money for the order that it names, and not for the order of a forged webhook', async () => {
    const shop = await openTelling()
    const [value, body] = [PRICE / 2n, comment('order-1')]
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value, body })
    addOrder(shop.repository, paid, { merchant: 'a' })
    addOrder(shop.repository, { ...paid, reference: 'order-2' }, { merchant: 'b' })
    for (const [merchant, reference] of [
      ['b', 'order-2'],
      ['a', 'order-1'],
    ] as const) {
      const transfer = { ...paid, reference }
      const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
      await shop.payments.submit({ merchant, source: 'webhook', rawBody, transfer })
      await shop.settle()
    }
    expect(shop.events).toEqual([`mismatch order-1 ${value}`])
  })

  it('S116 reports no money that the chain does not show', async () => {
    const shop = await openTelling()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    addOrder(shop.repository, paid)
    await shop.run(shop.send({ ...paid, rawAmount: '5' }))
    await shop.settle()
    expect(shop.events).toEqual([])
    const listed = await shop.operator.list()
    expect(listed).toMatchObject([{ action: 'wait', decision: { kind: 'amount_mismatch' } }])
  })
})
