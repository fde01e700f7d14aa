import {
  createPayments,
  createTransferReport,
  memoryInbox,
  memoryOrderRepository,
  type NewCredit,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTestLogger, transferCompleted } from '@tonplug/testing'
import { expect, it, onTestFinished } from 'vitest'

it('S65 lists the work of an operator whatever another merchant reports about the transaction', async () => {
  const price = { rawAmount: 5n, asset: 'TON', status: 'pending' } as const
  const orders = memoryOrderRepository([{ ...price, reference: 'b', merchant: 'bob' }])
  const payments = createPayments({ orders, logger: createTestLogger() })
  onTestFinished(() => payments.close())
  const report = (reference: string, merchant: string) => {
    const { data } = transferCompleted({ reference, rawAmount: '5', asset: 'TON', txHash: 'tx' })
    return payments.submit(createTransferReport(data, { merchant, source: 'gateway' }))
  }
  expect(await report('a', 'ann')).toMatchObject({ kind: 'unknown_order' })
  expect(await report('b', 'bob')).toMatchObject({ kind: 'paid' })

  expect(await createOperator({ payments }).list({ merchant: 'ann' })).toMatchObject([
    { action: 'assign' },
  ])
  expect(await createOperator({ payments }).list({ merchant: 'bob' })).toMatchObject([
    { action: 'none' },
  ])
})

it('S125 lists the work of an operator by credit where a webhook names the transaction of another payment', async () => {
  const order = { reference: 'order-1', rawAmount: 5n, asset: 'TON', status: 'pending' } as const
  const inbox = memoryInbox()
  const payments = createPayments({
    orders: memoryOrderRepository([order]),
    inbox,
    logger: createTestLogger(),
  })
  onTestFinished(() => payments.close())
  const { data } = transferCompleted({ reference: 'order-1', rawAmount: '5', txHash: 'tx-2' })
  await payments.submit(createTransferReport(data, { source: 'webhook' }))
  await inbox.credits.store(['1', '2'].map((id) => newCredit(id)))
  const paid = { name: 'default', merchant: '', reference: 'order-1', payment: 'tx-2' }
  await inbox.credits.claim({ ...paid, payments: ['credit:1'] })
  for (const id of ['1', '2']) {
    const found = { source: 'chain', payments: [`credit:${id}`] } as const
    const transfer = { ...data, reference: '', txHash: `tx-${id}` }
    await payments.submit(createTransferReport(transfer, found))
  }
  const listed = await createOperator({ payments }).list()
  const actions = listed.map(({ source, txHash, action }) => `${source} ${txHash} ${action}`)
  expect(actions.toSorted()).toEqual(['chain tx-1 none', 'chain tx-2 assign', 'webhook tx-2 none'])
})

it('S125 lists an extra payment for its refund although its order has claimed it', async () => {
  const order = { reference: 'order-1', rawAmount: 5n, asset: 'TON', status: 'pending' } as const
  const inbox = memoryInbox()
  const orders = memoryOrderRepository([order])
  const payments = createPayments({ orders, inbox, logger: createTestLogger() })
  onTestFinished(() => payments.close())
  const { data } = transferCompleted({ reference: 'order-1', rawAmount: '5', txHash: 'tx-1' })
  await payments.submit(createTransferReport(data, { source: 'webhook' }))
  await inbox.credits.store([newCredit('2')])
  const claim = { name: 'default', merchant: '', reference: 'order-1', payment: 'tx-2' }
  await inbox.credits.claim({ ...claim, payments: ['credit:2'] })
  const extra = { ...data, txHash: 'tx-2', traceId: 'trace' }
  await payments.submit(createTransferReport(extra, { source: 'chain', payments: ['credit:2'] }))
  expect(await createOperator({ payments }).list({ transactionHash: 'tx-2' })).toMatchObject([
    { action: 'refund', decision: { kind: 'extra_payment' } },
  ])
})

function newCredit(id: string): NewCredit {
  const txHash = `tx-${id}`
  const message = { hash: `message-${id}`, sender: 'payer', recipient: 'wallet', value: 5n }
  const received = { transaction: txHash, fees: 0n, isShared: false, isCommentEncrypted: false }
  const money = { account: 'wallet', wallet: 'wallet', asset: 'TON', rawAmount: 5n, utime: 1 }
  return { id, txHash, traceId: 'trace', ...money, route: [{ ...message, ...received }] }
}
