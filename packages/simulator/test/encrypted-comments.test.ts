import { createOperator } from '@tonplug/core/operator'
import { beginCell, internal, toNano, type Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { openInvoices } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>

/** A comment as wallet apps encrypt it: bytes after an opcode, some in a second cell. */
const ENCRYPTED: Cell = beginCell()
  .storeUint(0x2167da4b, 32)
  .storeBuffer(Buffer.alloc(80, 7))
  .storeRef(beginCell().storeBuffer(Buffer.alloc(40, 8)).endCell())
  .endCell()

/** Pays the price of an order with an encrypted comment. */
async function payEncrypted(shop: Shop, ticker: string) {
  const asset = ticker === 'TON' ? 'TON' : shop.usdt.master.toString()
  const { order } = await shop.open({ asset, amount: '2' })
  const payer = await shop.payer()
  const { address: to } = shop.merchant
  const parties = { from: payer.address, to, response: payer.address }
  const transfer = { ...parties, amount: order.rawAmount, forwardCoins: 1n }
  const message =
    ticker === 'TON'
      ? internal({ to, value: toNano(2), bounce: false, body: ENCRYPTED })
      : shop.usdt.transferMessage({ ...transfer, forwardPayload: ENCRYPTED })
  await payer.send([message])
  return order
}

describe('a payment with an encrypted comment', () => {
  it.each(['TON', 'USDT'])(
    'S94 in %s pays no order, and is listed as encrypted',
    async (ticker) => {
      const shop = await openInvoices()
      const order = await payEncrypted(shop, ticker)
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
    },
  )

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
