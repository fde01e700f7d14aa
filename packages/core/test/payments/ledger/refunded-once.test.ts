import { expect, it } from 'vitest'
import { addOrder, openTelling, payTwice, PRICE } from './proven-shop.js'

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
