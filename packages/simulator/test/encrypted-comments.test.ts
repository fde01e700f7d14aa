import { createOperator } from '@tonplug/core/operator'
import { beginCell, internal, toNano } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { openInvoices } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>

/** Pays the link of an order with an encrypted comment, by itself or as Telegram's wallet does: by a relay. */
async function payEncrypted(shop: Shop, ticker: string, sender: string) {
  const asset = ticker === 'TON' ? 'TON' : shop.usdt.master.toString()
  const { order, link } = await shop.open({ asset, amount: '2' })
  const [payer, relay] = [await shop.payer(), await shop.payer()]
  await payer.pay(link, { isCommentEncrypted: true, ...(sender === 'a relay' && { relay }) })
  return order
}

describe('a payment with an encrypted comment', () => {
  it.each([
    ['TON', 'its wallet'],
    ['USDT', 'its wallet'],
    ['TON', 'a relay'],
    ['USDT', 'a relay'],
  ])('S94 pays no order in %s, sent by %s, and is listed as encrypted', async (ticker, sender) => {
    const shop = await openInvoices()
    const order = await payEncrypted(shop, ticker, sender)
    expect(await shop.look()).toEqual(['unknown_order'])
    const [listed] = await createOperator({ payments: shop.payments }).list()
    expect(listed).toMatchObject({ action: 'assign', transfer: { isCommentEncrypted: true } })
    expect(listed?.transfer).not.toHaveProperty('commentToRecipient')
    expect(
      await createOperator({ payments: shop.payments }).inspect(listed!.reportId),
    ).toMatchObject({
      rules: [{ rule: 'order exists', passed: false, received: 'an encrypted comment' }],
    })
    await createOperator({ payments: shop.payments }).assign(
      { transactionHash: listed!.txHash, reference: order.reference },
      { by: 'ann' },
    )
    expect(await shop.takeDecisions(1)).toEqual(['paid'])
  })

  it('S94 is not confused with a comment that contains the name of the field', async () => {
    const shop = await openInvoices()
    await shop.open({ asset: 'TON', amount: '2' })
    const body = beginCell().storeUint(0, 32).storeStringTail('"isCommentEncrypted":true').endCell()
    const { address: to } = shop.merchant
    await (await shop.payer()).send([internal({ to, value: toNano(2), bounce: false, body })])
    expect(await shop.look()).toEqual(['unknown_order'])
    const [listed] = await createOperator({ payments: shop.payments }).list()
    expect(listed?.transfer).not.toHaveProperty('isCommentEncrypted')
    const explained = await createOperator({ payments: shop.payments }).inspect(listed!.reportId)
    expect(explained?.rawBody).not.toContain('"isCommentEncrypted":true')
  })
})
