import type { OpenStores } from '@tonplug/test-support/interleavings/world'
import { afterAll, beforeAll } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { followClock } from './database-clock.js'
import { openPGlite, type TestDatabase } from './databases.js'

let database: TestDatabase
let db: Queryable
let clock = { nowMs: () => 0 }

beforeAll(async () => {
  database = await openPGlite()
  db = await followClock(database.db, { nowMs: () => clock.nowMs() })
})
afterAll(() => database.close())

/** Orders share the database with the ledger. They cannot be cancelled. */
export const open: OpenStores = async (given) => {
  clock = given
  await database.clear()
  const orders = postgresOrderRepository(db)
  return {
    orders,
    inbox: postgresInbox(db),
    insert: ({ reference, merchant, rawAmount, asset, createdAt, bodyBase64Hash }) =>
      orders.create({
        reference,
        merchant,
        rawAmount,
        asset,
        createdAt: createdAt ?? undefined,
        bodyBase64Hash: bodyBase64Hash ?? undefined,
        data: {},
      }),
  }
}
