import { describeOrderRepository } from '@tonplug/testing'
import type { Order } from '@tonplug/core'
import { OrdersRepository } from '../src/orders/orders.repository'

function makeHarness() {
  const repository = new OrdersRepository()
  const bought = { sku: 'tote', quantity: 1 }
  return {
    repository,
    insert: ({ createdAt, payment, failure, rawAmount = 0n, asset = 'TON', ...order }: Order) =>
      repository.insert({
        ...bought,
        ...order,
        rawAmount,
        asset,
        createdAt: createdAt ?? new Date(),
        payment: payment ?? undefined,
        failure: failure ?? undefined,
      }),
  }
}

describeOrderRepository(
  'the back office',
  makeHarness,
  { describe, it },
  {
    merchants: false,
    bodyHashes: false,
    offers: false,
    findByReferences: false,
    checkAccess: false,
  },
)
