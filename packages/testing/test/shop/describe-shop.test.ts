import { memoryOrderRepository, type Order } from '@tonplug/core'
import { describeShop } from '@tonplug/testing'
import { describe, it } from 'vitest'

describeShop(
  'memory',
  () => {
    const repository = memoryOrderRepository()
    return { repository, insert: async (order: Order) => repository.add(order) }
  },
  { describe, it },
  { hours: 0.2, seeds: [1, 2, 3] },
)
