import { describeOrderRepository } from '@tonplug/testing'
import type { Order } from '@tonplug/core'
import { OrdersRepository } from '../src/orders/orders.repository'

function makeHarness() {
  const repository = new OrdersRepository()
  const bought = { sku: 'tote', quantity: 1 }
  return {
    repository,
    insert: ({ createdAt, payment, failure, ...order }: Order) =>
      repository.insert({
        ...bought,
        ...order,
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
  { merchants: false, bodyHashes: false, findByReferences: false, checkAccess: false },
)
