import { memoryOrderRepository } from '@tonplug/core'
import { describeOrderRepository } from '@tonplug/testing'
import { describe, it } from 'vitest'

describeOrderRepository(
  'memory',
  () => {
    const repository = memoryOrderRepository()
    return {
      repository,
      insert: (order) => {
        repository.add(order)
        return Promise.resolve()
      },
    }
  },
  { describe, it },
)
