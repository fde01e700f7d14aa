import type { Order } from '@tonplug/core'
import { describeJoinedOrders, describeOrderRepository } from '@tonplug/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openDatabase, type Database } from '../src/database.js'
import { drizzleInbox } from '../src/inbox.js'
import { drizzleOrderRepository } from '../src/order-repository.js'
import { orders } from '../src/schema.js'
import { kinds } from './databases.js'

const START_TIMEOUT_MS = 60_000

describe.each(kinds.filter(({ isSkipped }) => !isSkipped))('$kind', ({ create }) => {
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    const { settings, drop } = await create()
    database = await openDatabase(settings)
    close = async () => {
      await database.close()
      await drop()
    }
  }, START_TIMEOUT_MS)
  afterAll(() => close())

  async function insert({ payment: _payment, createdAt, ...order }: Order): Promise<void> {
    const time = createdAt ? { createdAt } : {}
    await database.db.insert(orders).values({ ...order, ...time, item: 'cap' })
  }

  describeOrderRepository(
    'Drizzle',
    async () => {
      await database.db.delete(orders)
      return { repository: drizzleOrderRepository(database.db), insert }
    },
    { describe, it },
  )

  describeJoinedOrders(
    'Drizzle',
    async () => {
      await database.db.delete(orders)
      const inbox = drizzleInbox(database)
      // Makes the tables.
      await inbox.stats()
      await database.db.execute(sql`TRUNCATE tonplug.deliveries, tonplug.handler_tasks`)
      return { inbox, repository: drizzleOrderRepository(database.db), insert }
    },
    { describe, it },
  )
})
