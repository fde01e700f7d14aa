import { describeOrderRepository } from '@tonplug/testing'
import { afterAll, describe, it } from 'vitest'
import { openDatabase } from '../src/database.js'
import { drizzleOrderRepository } from '../src/order-repository.js'
import { orders } from '../src/schema.js'

// One database for all tests, since PGlite takes a second to start.
const { db, close } = await openDatabase()
afterAll(close)

describeOrderRepository(
  'Drizzle on PGlite',
  async () => {
    await db.delete(orders)
    return {
      repository: drizzleOrderRepository(db),
      async insert({ payment: _payment, createdAt, ...order }) {
        const time = createdAt ? { createdAt } : {}
        await db.insert(orders).values({ ...order, ...time, item: 'cap' })
      },
    }
  },
  { describe, it },
)
