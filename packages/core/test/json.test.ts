import { createInvoice } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { openShop, order } from './payments/shop.js'

const AMOUNT = transferCompleted().data.rawAmount

it('writes the events and their orders and payments as JSON, with amounts as decimal strings', async () => {
  const events: Record<string, unknown> = {}
  const shop = openShop([order(), order({ reference: 'order-2' })], {
    onPaid: (event) => void (events['paid'] = JSON.parse(JSON.stringify(event))),
    onMismatch: (event) => void (events['mismatch'] = JSON.parse(JSON.stringify({ event }))),
    onExtraPayment: ({ order: known }) => void (events['extra'] = JSON.stringify({ known })),
  })
  await shop.send(transferCompleted())
  await shop.send(transferCompleted({ txHash: 'c'.repeat(64) }))
  await shop.send(
    transferCompleted({ reference: 'order-2', rawAmount: '7', txHash: 'd'.repeat(64) }),
  )
  await shop.settle()
  expect(events).toMatchObject({
    paid: { order: { rawAmount: AMOUNT }, payment: { rawAmount: AMOUNT } },
    mismatch: { event: { totalReceived: '7' } },
    extra: expect.stringContaining(`"rawAmount":"${AMOUNT}"`) as string,
  })
})

it('writes orders of the memory repository and the story of a report as JSON', async () => {
  const shop = openShop([order()])
  await shop.send(transferCompleted())
  await shop.settle()
  const [listed] = await createOperator({ payments: shop.payments }).list()
  const explained = await createOperator({ payments: shop.payments }).inspect(
    listed?.reportId ?? '',
  )
  const found = await shop.orders.find({ reference: 'order-1' })
  for (const value of [explained?.order, found, ...shop.orders.all()]) {
    expect(JSON.parse(JSON.stringify(value))).toMatchObject({ payment: { rawAmount: AMOUNT } })
  }
  expect(JSON.stringify([explained, listed, await shop.payments.health()])).toContain(AMOUNT)
})

it('writes an event as JSON whose order is of a repository that knows nothing of JSON', async () => {
  const written: string[] = []
  const plain = { ...order() }
  const shop = openShop([], {
    orders: {
      find: () => Promise.resolve(plain),
      complete: () => Promise.resolve('applied'),
      fail: () => Promise.resolve('applied'),
      async *listOpen() {},
    },
    onPaid: (event) => void written.push(JSON.stringify(event)),
  })
  await shop.send(transferCompleted())
  await shop.settle()
  expect(written).toEqual([expect.stringContaining(`"rawAmount":"${AMOUNT}"`)])
})

it('writes the order of an invoice as JSON, and reads it back', async () => {
  const wallet = `0:${'a'.repeat(64)}`
  const { order: created } = await createInvoice({ wallet, amount: '1', asset: 'TON' })
  const json = JSON.parse(JSON.stringify(created)) as { rawAmount: string; createdAt: string }
  expect(json.rawAmount).toBe('1000000000')
  const read = { ...json, rawAmount: BigInt(json.rawAmount), createdAt: new Date(json.createdAt) }
  expect(read).toEqual(created)
})
