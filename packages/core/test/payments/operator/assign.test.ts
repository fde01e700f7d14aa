import { memoryInbox, type TransferReport } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

const hash = (digit: string): string => digit.repeat(64)

/** A report of the payment of `order-1`: one of the transactions of its trace. */
function report(source: TransferReport['source'], txHash: string): TransferReport {
  const payload = transferCompleted({ txHash, traceId: hash('f') })
  return { source, rawBody: JSON.stringify(payload), transfer: payload.data }
}

const ORDERS = [order(), order({ reference: 'order-2' })]

describe('operator.assign', () => {
  it.each([
    ['the webhook', 'webhook', 'chain'],
    ['the watcher', 'chain', 'webhook'],
  ] as const)(
    'credits a payment that %s has reported for its order to no other',
    async (_, first, second) => {
      const shop = openShop(ORDERS)
      const { payments, shipped } = shop
      expect(await payments.submit(report(first, hash('1')))).toMatchObject({ kind: 'paid' })
      expect(await payments.submit(report(second, hash('2')))).toMatchObject({ kind: 'duplicate' })
      for (const txHash of [hash('1'), hash('2')]) {
        const { decision } = await createOperator({ payments }).assign(
          { transactionHash: txHash, reference: 'order-2' },
          { by: 'ann' },
        )
        expect(decision).toMatchObject({ kind: 'unverified', reason: 'reused' })
      }
      await shop.settle()
      expect(shipped).toEqual(['order-1'])
    },
  )

  it('decides a rejected transfer again when the tool that calls it is not started', async () => {
    const clock = createFakeClock()
    const inbox = { ...memoryInbox({ clock }), isDurable: true }
    const shop = openShop([order({ reference: 'order-2', rawAmount: 1n })], { clock, inbox })
    const tool = openShop([], { clock, inbox, orders: shop.orders, autoStart: false })
    await shop.send(transferCompleted())
    const { txHash } = transferCompleted().data
    for (const rawAmount of [1n, order().rawAmount]) {
      shop.orders.replace(order({ reference: 'order-2', rawAmount }))
      await createOperator({ payments: tool.payments }).assign(
        { transactionHash: txHash, reference: 'order-2' },
        { by: 'ann' },
      )
      await clock.advance(10_000)
    }
    expect(shop.shipped).toEqual(['order-2'])
  })
})
