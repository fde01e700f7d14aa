import type { PaymentVerifier } from '@tonplug/core'
import { expect, it } from 'vitest'
import { addOrder, openProven, openTelling, ours, payTwice, PRICE } from './proven-shop.js'

const merchant = 'a'

it.each([
  ['bound by its body', {}],
  ['not bound by a body', { bodyBase64Hash: undefined }],
])(
  'refunds only the extra one of two equal payments to a merchant, for an order that is %s',
  async (_, bound) => {
    const shop = await openTelling()
    const names = await payTwice(shop)
    addOrder(shop.repository, names[0], { merchant, ...bound })
    for (const transfer of names) {
      const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
      await shop.payments.submit({ merchant, source: 'webhook', rawBody, transfer })
      await shop.settle()
    }
    const refunds: string[] = []
    for (const { txHash: transactionHash } of names) {
      const refund = await shop.operator.refund({ transactionHash, merchant }, { by: 'ann' })
      refunds.push(refund.state)
    }
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.events).toEqual([`extra order-1 ${PRICE}`])
    expect(refunds).toEqual(['rejected', 'rejected', 'proposed'])
    expect(await shop.uses(names[0].txHash)).toEqual([[], [`refund ${PRICE}`]])
  },
)

const differing = {
  kind: 'contradicted',
  reason: 'sources_differ',
  detail: 'source 2 shows nothing',
} as const
const otherAmount = { ...differing, reason: 'other_amount', detail: 'not the price' } as const
const silent = { kind: 'pending', reason: 'unreachable', detail: 'source 2 is down' } as const

it.each<[string, Awaited<ReturnType<PaymentVerifier['verify']>> | undefined, object]>([
  ['refuted', differing, { state: 'rejected', reason: 'source 2 shows nothing' }],
  ['silent', silent, { state: 'waiting', reason: 'source 2 is down' }],
  ['shown', undefined, { state: 'proposed' }],
])(
  "S141 proves refunds by the shop's own proof: money whose second source is %s",
  async (_, verdict, refund) => {
    let isAsked = false
    const open = (real: PaymentVerifier): PaymentVerifier => ({
      deadlineMs: real.deadlineMs,
      async verify(...claim) {
        isAsked = true
        return verdict ?? real.verify(...claim)
      },
    })
    const shop = await openProven({ wrapProof: open })
    const transfer = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    shop.repository.add({
      reference: 'order-1',
      rawAmount: PRICE,
      asset: 'TON',
      status: 'cancelled',
    })
    await shop.run(shop.send(transfer))
    isAsked = false
    const asked = { transactionHash: transfer.txHash }
    expect(await shop.operator.refund(asked, { by: 'ann' })).toMatchObject(refund)
    expect(isAsked).toBe(true)
  },
)

it('S141 refunds what a proof of the shop shows without accounts, and nothing else', async () => {
  for (const [message, state] of [
    [undefined, 'proposed'],
    ['ab'.repeat(32), 'rejected'],
  ] as const) {
    const shop = await openProven({
      wrapProof: (real) => ({
        deadlineMs: real.deadlineMs,
        async verify(...claim) {
          const verdict = await real.verify(...claim)
          if (verdict.kind !== 'verified') return verdict
          const [{ txHash: _, ...payment }] = verdict.payments
          const own = message === undefined ? payment : { ...payment, message, credits: [message] }
          return { kind: 'verified', payments: [own as typeof payment] }
        },
      }),
    })
    expect(await refundCancelled(shop)).toMatchObject({ state })
  }
})

it('S141 asks the own proof for a refund with an order that the money fits', async () => {
  const shop = await openProven({
    wrapProof: (real) => ({
      deadlineMs: real.deadlineMs,
      async verify(claim, request) {
        const { transfer, order } = claim
        const isFitting = `${order.rawAmount}` === transfer.rawAmount
        return isFitting ? real.verify(claim, request) : otherAmount
      },
    }),
  })
  expect(await refundCancelled(shop)).toMatchObject({ state: 'proposed' })
})

/** Pays an order that is cancelled, and refunds its payment. */
async function refundCancelled(shop: Awaited<ReturnType<typeof openProven>>) {
  const transfer = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
  shop.repository.add({
    reference: 'order-1',
    rawAmount: PRICE,
    asset: 'TON',
    status: 'cancelled',
  })
  await shop.run(shop.send(transfer))
  return shop.operator.refund({ transactionHash: transfer.txHash }, { by: 'ann' })
}
