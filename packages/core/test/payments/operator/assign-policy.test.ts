import { memoryInbox } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

it('S70 leaves an assignment to the processes with the pinned policy', async () => {
  const clock = createFakeClock()
  const inbox = memoryInbox({ clock })
  const strict = openShop([order()], { clock, inbox, rules: [() => ({ reason: 'not today' })] })
  await strict.settle()
  const lax = openShop([], { clock, inbox, orders: strict.orders })
  await lax.settle()
  const reported = transferCompleted({ reference: 'another' })
  expect(await strict.decide(reported)).toBe('unknown_order')
  const { txHash } = reported.data
  expect(
    await createOperator({ payments: lax.payments }).assign(
      { transactionHash: txHash, reference: 'order-1' },
      { by: 'ann' },
    ),
  ).toEqual({ reportId: expect.any(String) })
  expect(await strict.orders.find({ reference: 'order-1' })).toMatchObject({ status: 'pending' })
  await clock.advance(6000)
  const [listed] = await createOperator({ payments: strict.payments }).list({
    reference: 'order-1',
  })
  expect(listed).toMatchObject({ source: 'operator', decision: { kind: 'rejected' } })
  expect([...strict.shipped, ...lax.shipped]).toEqual([])
})
