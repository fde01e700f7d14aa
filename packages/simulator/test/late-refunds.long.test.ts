import { comment, internal } from '@ton/core'
import { createOperator } from '@tonplug/core/operator'
import { expect, it } from 'vitest'
import { openInvoices } from './invoice-shop.js'

const ANN = { by: 'ann@shop.example' }
const PRICE = 2_000_000_000n
const reference = 'order-1'

/** Pays so often in one transaction, and lets a refund of the first payment be sent after its end. */
async function refundLate(times: number) {
  const shop = await openInvoices()
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  const settle = async (): Promise<void> => {
    for (let step = 0; step < 30; step++) {
      await shop.clock.advance(1000)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const look = async (seconds: number): Promise<void> => {
    await shop.pass(seconds)
    await shop.watcher.run()
    await settle()
  }
  const payer = await shop.payer()
  const body = comment(reference)
  const message = internal({ to: shop.merchant.address, value: PRICE, bounce: false, body })
  const root = await payer.send(Array.from({ length: times }, () => message))
  await look(120)
  const [first] = await operator.list({})
  const asked = { transactionHash: first!.txHash }
  const proposed = await operator.refund(asked, ANN)
  if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
  await look(5000)
  // A wallet that ignores the end of a request.
  await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
  await shop.merchant.pay({ ...proposed.request, validUntil: 2 ** 31 })
  const transfer = {
    amount: '2',
    rawAmount: `${PRICE}`,
    senderAddr: payer.address.toRawString(),
    recipientAddr: shop.merchant.address.toRawString(),
    asset: 'TON',
    status: 'success' as const,
    reference,
    bodyBase64Hash: body.hash().toString('base64'),
    txHash: asked.transactionHash,
    traceId: root.transaction.hash().toString('hex'),
    date: new Date(shop.clock.nowMs()).toISOString(),
  }
  return { ...shop, operator, asked, transfer, settle }
}

it.each([1, 2])(
  'S118 pays no order with money that was sent back late, of %i equal payments',
  async (times) => {
    const shop = await refundLate(times)
    const { operator, orders, inbox, asked, transfer, settle } = shop
    const { bodyBase64Hash, recipientAddr: recipient } = transfer
    const price = { rawAmount: PRICE, asset: 'TON' }
    orders.add({ reference, ...price, status: 'pending', bodyBase64Hash, recipient })
    const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
    await shop.payments.submit({ source: 'webhook', rawBody, transfer })
    await settle()
    await settle()
    expect((await operator.refund(asked, ANN)).state).toBe('refunded')
    const credits = await inbox.credits.list({ fromUtime: 0, limit: 10 })
    const kinds = credits.map(({ uses }) => uses.map(({ kind }) => kind).join())
    expect(kinds.toSorted()).toEqual(['order', 'refund'].slice(2 - times))
    const returned = credits.find(({ txHash }) => txHash === asked.transactionHash)
    expect(returned?.uses).toMatchObject([{ kind: 'refund' }])
    expect(shop.paid).toEqual([reference].slice(2 - times))
  },
)
