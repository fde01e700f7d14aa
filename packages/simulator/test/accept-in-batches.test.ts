import { comment, internal } from '@ton/core'
import { createOperator } from '@tonplug/core/operator'
import { expect, it } from 'vitest'
import { openInvoices, START_MS } from './invoice-shop.js'
import { submitWebhook } from './submit-webhook.js'

const PRICE = 2_000_000_000n
const NOTE = { by: 'ann@shop.example', reason: 'ticket 7' }

it.each([
  ['before', true],
  ['after', false],
])(
  'S133 accepts a mismatch of a batch whose trace pays another order, webhooks %s the watcher',
  async (_, isWebhookFirst) => {
    const shop = await openInvoices({ payments: { verifyOnChain: undefined } })
    const { v3, payments, merchant } = shop
    const recipient = merchant.address.toRawString()
    const operator = createOperator({ payments, v3 })
    const payer = await shop.payer()
    const amounts = Object.entries({ 'order-1': PRICE, 'order-2': PRICE / 2n })
    for (const [reference] of amounts) {
      const open = { reference, rawAmount: PRICE, asset: 'TON', status: 'pending' } as const
      shop.orders.add({ ...open, createdAt: new Date(START_MS), recipient })
    }
    const messages = amounts.map(([reference, value]) =>
      internal({ to: merchant.address, value, bounce: false, body: comment(reference) }),
    )
    const root = await payer.send(messages)
    const traceId = root.transaction.hash().toString('hex')
    const deliver = async () => {
      for (const [reference, value] of amounts) {
        await submitWebhook(payments, { payer, recipient, reference, value, traceId })
      }
    }
    if (isWebhookFirst) await deliver()
    await shop.pass(120)
    await shop.watcher.run()
    if (!isWebhookFirst) await deliver()
    await shop.pass(30)
    const { state, ...accepted } = await operator.accept({ reference: 'order-2' }, NOTE)
    expect([state, accepted]).toMatchObject(['decided', { decision: { kind: 'paid' } }])
    await expect.poll(() => shop.paid).toEqual(['order-1', 'order-2'])
    const uses = (await shop.inbox.credits.find({ hashes: [traceId] })).map(({ uses }) =>
      uses.map(({ reference, rawAmount }) => `${reference} ${rawAmount}`),
    )
    expect(uses.flat().toSorted()).toContain(`order-2 ${PRICE / 2n}`)
    expect(uses.every((own) => own.length <= 1)).toBe(true)
  },
)
