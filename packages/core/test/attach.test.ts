import type { TransferReport } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from './shop.js'

const hash = (digit: string): string => digit.repeat(64)

/** A report of the payment of `order-1`: one of the transactions of its trace. */
function report(source: TransferReport['source'], txHash: string): TransferReport {
  const payload = transferCompleted({ txHash, traceId: hash('f') })
  return { source, rawBody: JSON.stringify(payload), transfer: payload.data }
}

const ORDERS = [order(), order({ reference: 'order-2' })]

describe('payments.attach', () => {
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
        const decision = await payments.attach(txHash, 'order-2')
        expect(decision).toMatchObject({ kind: 'unverified', reason: 'reused' })
      }
      await shop.settle()
      expect(shipped).toEqual(['order-1'])
    },
  )
})
