import type { Order } from '@tonplug/core'
import { describeInbox, describeJoinedOrders, describeOrderRepository } from '@tonplug/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import {
  hasPostgres,
  NEEDS_POSTGRES,
  openPGlite,
  openPostgres,
  type TestDatabase,
} from './databases.js'

describeSuites('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeSuites('PostgreSQL', () => openPostgres())
})

function describeSuites(name: string, open: () => Promise<TestDatabase>): void {
  describe(`conformance on ${name}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())

    const runner = { describe, it }
    const makeInbox = async () => {
      await database.clear()
      return { inbox: postgresInbox(database.db) }
    }
    const makeOrders = async () => {
      await database.clear()
      const repository = postgresOrderRepository(database.db)
      return { repository, insert: (order: Order) => insert(database.db, order) }
    }
    describeInbox(name, makeInbox, runner)
    describeOrderRepository(name, makeOrders, runner)
    describeJoinedOrders(
      name,
      async () => ({ ...(await makeOrders()), inbox: postgresInbox(database.db) }),
      runner,
    )
  })
}

/** `create` makes pending orders alone. */
async function insert(db: Queryable, order: Order): Promise<void> {
  const { reference, rawAmount, asset, recipient, createdAt, status, bodyBase64Hash } = order
  await postgresOrderRepository(db).create({
    reference,
    rawAmount,
    asset,
    recipient: recipient ?? undefined,
    createdAt: createdAt ?? undefined,
    data: { item: 'cap' },
    bodyBase64Hash: bodyBase64Hash ?? undefined,
  })
  await db.query(`UPDATE tonplug.orders SET status = $2::text WHERE reference = $1::text`, [
    reference,
    status,
  ])
}
