import { memoryOrderRepository } from '@tonplug/core'
import { describeOrderRepository } from '@tonplug/testing'
import { describe, it } from 'vitest'

describeOrderRepository(
  'memory',
  () => {
    const repository = memoryOrderRepository()
    return { repository, insert: async (order) => repository.add(order) }
  },
  { describe, it },
  { checkAccess: false, list: true, search: true },
)
