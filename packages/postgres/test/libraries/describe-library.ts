import type { Order } from '@tonplug/core'
import { describeInbox } from '@tonplug/test-support/describe-inbox'
import { describeJoinedOrders, describeOrderRepository } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { postgresInbox } from '../../src/postgres-inbox.js'
import type { Queryable } from '../../src/queryable.js'
import { mappedOrderRepository } from '../../src/mapped-order-repository.js'
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
    return { repository: mappedOrderRepository(db, MAPPING), insert }
  }

  it(`S117 refuses a second link of a payment that another transaction commits: ${name}`, async () => {
    await clear()
    const claim = (queryable: Queryable, credit: string): Promise<boolean> =>
      postgresInbox(queryable).credits.claim({
        name: 'default',
        merchant: '',
        reference: 'order-1',
        payments: [`credit:${credit}`],
        payment: 'tx-1',
      })
    await database.db.query(`INSERT INTO tonplug.credits (id, raw_amount, seen_at)
      SELECT id, 5, tonplug.now() FROM unnest(ARRAY['1', '2']) AS given(id)`)
    const holder = await database.db.connect()
    // Checks the schema, which waits for transactions that did the same.
    await postgresInbox(holder).credits.find({ ids: ['absent'] })
    await postgresInbox(db).credits.find({ ids: ['absent'] })
    await holder.query('BEGIN')
    expect(await claim(holder, '1')).toBe(true)
    const waiting = claim(db, '2')
    const waitingForLock = async () => {
      const { rows } = await database.db.query(
        `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows
    }
    await expect.poll(waitingForLock).toHaveLength(1)
    await holder.query('COMMIT')
    holder.release()
    expect(await waiting).toBe(false)
  })

  describeInbox(
    name,
    async () => {
      await clear()
      const advance = (ms: number): void => void (nowMs += ms)
      return { inbox: postgresInbox(db), advance }
    },
    runner,
  )
  const lists = { list: true, search: true }
  describeOrderRepository(name, makeOrders, runner, { offers: false, ...lists })
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
          library.inTransaction((tx) =>
            work({ orders: mappedOrderRepository(tx, MAPPING), db: tx }),
          ),
      })
      return { ...(await makeOrders()), inbox }
    },
    runner,
    { storeAndFind: false },
  )
}
