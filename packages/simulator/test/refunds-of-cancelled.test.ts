import { comment, internal } from '@ton/core'
import { memoryInbox, type Inbox } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { expect, it } from 'vitest'
import { openInvoices, START_MS } from './invoice-shop.js'

const PRICE = 2_000_000_000n
const NOTE = { by: 'ann@shop.example', reason: 'ticket 7' }
const reference = 'order-1'

it.each([
  ['the parts added up', PRICE / 2n, true],
  ['an operator accepted the parts', PRICE / 4n, false],
])(
  'refunds no part of an order that is cancelled after %s, and the process was killed',
  async (_, value, isAdded) => {
    let isKilled = false
    const memory = memoryInbox()
    const redecide: Inbox['reports']['redecide'] = async (filter) => {
      if (isKilled) return memory.reports.redecide(filter)
      isKilled = true
      throw new Error('killed')
    }
    const inbox = { ...memory, reports: { ...memory.reports, redecide } }
    const shop = await openInvoices({
      payments: {
        inbox,
        verifyOnChain: undefined,
        ...(isAdded && { amounts: { partial: 'add-up' } }),
      },
    })
    const { v3, payments, merchant } = shop
    const operator = createOperator({ payments, v3 })
    const recipient = merchant.address.toRawString()
    const createdAt = new Date(START_MS)
    const open = {
      reference,
      rawAmount: PRICE,
      asset: 'TON',
      status: 'pending',
      createdAt,
    } as const
    shop.orders.add({ ...open, recipient })
    for (const payer of [await shop.payer(), await shop.payer()]) {
      const body = comment(reference)
      await payer.send([internal({ to: merchant.address, value, bounce: false, body })])
      await shop.pass(120)
      await shop.watcher.run().catch(() => undefined)
      await shop.pass(60)
    }
    if (!isAdded) await operator.accept({ reference }, NOTE).catch(() => undefined)
    await shop.pass(60)
    await expect.poll(() => shop.paid).toEqual([reference])
    const order = await shop.orders.find({ reference })
    if (order === null) throw new Error('the order is gone')
    shop.orders.replace({ ...order, status: 'cancelled' })
    const reports = await operator.list({ reference })
    expect(reports.map(({ decision }) => decision?.kind)).toContain('amount_mismatch')
    for (const { txHash } of reports) {
      expect(await operator.refund({ transactionHash: txHash }, NOTE)).toMatchObject({
        state: 'rejected',
      })
    }
  },
)
