import { createPayments, createTransferReport, memoryOrderRepository } from '@tonplug/core'
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
