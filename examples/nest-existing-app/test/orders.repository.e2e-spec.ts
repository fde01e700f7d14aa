import { describeOrderRepository } from '@tonplug/testing'
import type { Order } from '@tonplug/core'
import { OrdersRepository } from '../src/orders/orders.repository'

function makeHarness() {
  const repository = new OrdersRepository()
  const bought = { sku: 'tote', quantity: 1 }
  return {
    repository,
    insert: ({ createdAt, payment, ...order }: Order) =>
      repository.insert({
        ...bought,
        ...order,
        createdAt: createdAt ?? new Date(),
        payment: payment ?? undefined,
      }),
  }
}

describeOrderRepository('the app’s own', makeHarness, { describe, it })
