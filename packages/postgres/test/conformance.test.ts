import type { Order } from '@tonplug/core'
import { describeInbox } from '@tonplug/test-support/describe-inbox'
import { describeJoinedOrders, describeOrderRepository } from '@tonplug/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { followClock } from './database-clock.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'

describeSuites('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeSuites('PostgreSQL', () => openPostgres())
})

function describeSuites(name: string, open: () => Promise<TestDatabase>): void {
  describe(`conformance on ${name}`, () => {
    let nowMs = Date.UTC(2026, 0, 5, 12)
    let database: TestDatabase
    let db: Queryable
    beforeAll(async () => {
      database = await open()
      db = await followClock(database.db, { nowMs: () => nowMs })
    })
    afterAll(() => database.close())

    const runner = { describe, it }
    const advance = (ms: number): void => {
      nowMs += ms
    }
    const makeInbox = async () => {
      await database.clear()
      return { inbox: postgresInbox(db), advance }
    }
    const makeOrders = async () => {
      await database.clear()
      const repository = postgresOrderRepository(db)
      return { repository, insert: (order: Order) => insert(db, order) }
    }
    describeInbox(name, makeInbox, runner)
    describeOrderRepository(name, makeOrders, runner, { list: true, search: true })
    describeJoinedOrders(
      name,
      async () => ({ ...(await makeOrders()), inbox: postgresInbox(db) }),
      runner,
    )
  })
}

/** Stores an order of any status; `create` stores pending ones. */
async function insert(db: Queryable, order: Order): Promise<void> {
  const { reference, merchant = '', status, recipient, createdAt, bodyBase64Hash } = order
  await postgresOrderRepository(db).create({
    reference,
    merchant,
    rawAmount: order.rawAmount,
    asset: order.asset,
    offers: order.offers ?? undefined,
    recipient: recipient ?? undefined,
    createdAt: createdAt ?? undefined,
    data: { item: 'cap' },
    bodyBase64Hash: bodyBase64Hash ?? undefined,
  })
  await db.query(
    `UPDATE tonplug.orders SET status = $3::text WHERE reference = $1::text AND merchant = $2::text`,
    [reference, merchant, status],
  )
}
