import { memoryInbox } from '@tonplug/core'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { openShop, order } from './shop.js'

it('S70 leaves an attachment to the processes with the pinned policy', async () => {
  const clock = createFakeClock()
  const inbox = memoryInbox({ clock })
  const strict = openShop([order()], { clock, inbox, rules: [() => ({ reason: 'not today' })] })
  await strict.settle()
  const lax = openShop([], { clock, inbox, orders: strict.orders })
  await lax.settle()
  const reported = transferCompleted({ reference: 'another' })
  expect(await strict.decide(reported)).toBe('unmatched')
  const { txHash } = reported.data
  expect(await lax.payments.attach(txHash, 'order-1')).toBeUndefined()
  expect(await strict.orders.find({ reference: 'order-1' })).toMatchObject({ status: 'pending' })
  await clock.advance(6000)
  const [listed] = await strict.payments.list({ reference: 'order-1' })
  expect(listed).toMatchObject({ source: 'operator', decision: { kind: 'rejected' } })
  expect([...strict.shipped, ...lax.shipped]).toEqual([])
})
