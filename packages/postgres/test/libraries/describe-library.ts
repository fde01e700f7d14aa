import type { Order } from '@tonplug/core'
import { describeInbox, describeJoinedOrders, describeOrderRepository } from '@tonplug/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { postgresInbox } from '../../src/postgres-inbox.js'
import type { Queryable } from '../../src/queryable.js'
import { sqlOrderRepository } from '../../src/sql-order-repository.js'
import { followClock } from '../database-clock.js'
import { openPostgres, type TestPostgres } from '../databases.js'
import type { OpenLibrary } from './library.js'
import { CREATE_SHOP, deleteOrders, insertOrder, MAPPING } from './shop-table.js'

/** Defines the conformance suites of inbox and orders through a database library on PostgreSQL. */
export function describeLibrary(name: string, open: (url: string) => Promise<OpenLibrary>): void {
  describe.skipIf(!hasPostgres)(`${name} on ${NEEDS_POSTGRES}`, () => {
    defineSuites(name, open)
  })
}

function defineSuites(name: string, open: (url: string) => Promise<OpenLibrary>): void {
  let nowMs = Date.UTC(2026, 0, 5, 12)
  let database: TestPostgres
  let library: OpenLibrary
  let db: Queryable
  beforeAll(async () => {
    database = await openPostgres()
    await database.db.query(CREATE_SHOP)
    library = await open(database.url)
    db = await followClock(library.db, { nowMs: () => nowMs })
  })
  afterAll(async () => {
    await library?.close()
    await database.close()
  })

  const runner = { describe, it }
  const clear = async (): Promise<void> => {
    await database.clear()
    await deleteOrders(database.db)
  }
  const insert = (order: Order): Promise<void> => insertOrder(database.db, order)
  const makeOrders = async () => {
    await clear()
    return { repository: sqlOrderRepository(db, MAPPING), insert }
  }

  describeInbox(
    name,
    async () => {
      await clear()
      const advance = (ms: number): void => void (nowMs += ms)
      return { inbox: postgresInbox(db), advance }
    },
    runner,
  )
  describeOrderRepository(name, makeOrders, runner)
  describeJoinedOrders(
    `${name}, in one statement`,
    async () => ({ ...(await makeOrders()), inbox: postgresInbox(db) }),
    runner,
  )
  describeJoinedOrders(
    `${name}, in one transaction`,
    async () => {
      const inbox = postgresInbox(db, {
        withTransaction: (work) =>
          library.inTransaction((tx) => work({ orders: sqlOrderRepository(tx, MAPPING), db: tx })),
      })
      return { ...(await makeOrders()), inbox }
    },
    runner,
    { storeAndFind: false },
  )
}
